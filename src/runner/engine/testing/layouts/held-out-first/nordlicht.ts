import {
  type Answer,
  type Ask,
  cardFault,
  esc,
  type HeldOutShop,
  html,
  options,
  serve,
  to,
} from './kit.ts';

/*
 * A German shop, rendered by the server: "1.234,50 €", a house number of its own, tax inside the
 * price, a warranty that is ticked already, the card shown on the review page whose address looks
 * like an order's.
 */
/** Where the card is sent, and where the order. */
export interface Ways {
  readonly pay: string;
  readonly place: string;
}

const LANDS = {
  '': 'Bitte wählen',
  DE: 'Deutschland',
  AT: 'Österreich',
  CH: 'Schweiz',
  US: 'Vereinigte Staaten',
  GB: 'Vereinigtes Königreich',
};
const COLOURS: Record<string, string> = { '11': 'Schwarz matt', '12': 'Edelstahl' };
const SHIP: Record<string, [string, number]> = {
  exp: ['DHL Express (morgen bis 12 Uhr)', 1490],
  dhl: ['DHL Paket (2–4 Werktage)', 490],
  abh: ['Selbstabholung in Flensburg', 0],
};

/** 123450 as "1.234,50 €". */
function euro(cents: number): string {
  return `${new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 }).format(cents / 100)} €`;
}

function frame(title: string, main: string): Answer {
  return html(
    'de',
    `${title} | Rösterei Nordlicht`,
    `
<header class="kopf"><a href="/">Rösterei Nordlicht</a>
<form action="/suche" class="suche"><input name="q" placeholder="Suchbegriff …" aria-label="Suche"><button>Suchen</button></form>
<a href="/konto">Mein Konto</a> <a href="/merkzettel">Merkzettel</a> <a href="/warenkorb">Warenkorb</a></header>
<main>${main}</main>
<footer><form action="/newsletter" method="post"><label for="nl">Newsletter: 5 € Gutschein sichern</label>
<input id="nl" type="email" name="email" placeholder="Ihre E-Mail-Adresse"><button>Anmelden</button></form>
<a href="/impressum">Impressum</a> <a href="/agb">AGB</a></footer>`,
  );
}

function sums(session: Ask['session']): {
  goods: number;
  care: number;
  ship: number;
  total: number;
  count: number;
} {
  const count = Number(session.get('anzahl') ?? 0);
  const goods = 123450 * count;
  const care = session.get('garantie') === '1' ? 7900 * count : 0;
  const ship = SHIP[session.get('versand') ?? '']?.[1] ?? 0;
  return { goods, care, ship, total: goods + care + ship, count };
}

function product(fault = ''): Answer {
  return frame(
    'Espressomaschine Linea',
    `
<nav class="breadcrumb"><a href="/">Start</a> › Maschinen › Linea</nav>
<h1>Espressomaschine Linea</h1><p class="hinweis">${fault}</p>
<p class="preis"><del>1.399,00 €</del> <strong>1.234,50 €</strong> <small>inkl. MwSt., zzgl. <a href="/versand">Versandkosten</a></small></p>
<form method="post" action="/warenkorb/hinzufuegen">
<label>Farbe <select name="attr[farbe]" required><option value="">Bitte wählen</option>
<option value="11">Schwarz matt</option><option value="12">Edelstahl</option><option value="13" disabled>Cremeweiß (ausverkauft)</option></select></label>
<label><input type="checkbox" name="garantie" value="1" checked> 5 Jahre Garantieverlängerung (+ 79,00 €)</label>
<label>Anzahl <input type="number" name="anzahl" value="1" min="1" max="3"></label>
<button type="submit">In den Warenkorb</button> <button type="submit" formaction="/merkzettel">Auf den Merkzettel</button></form>
<section><h2>Das könnte Ihnen auch gefallen</h2><form method="post" action="/warenkorb/hinzufuegen"><input type="hidden" name="artikel" value="77">Milchkännchen 19,90 € <button>In den Warenkorb</button></form></section>`,
  );
}

function basket(session: Ask['session']): Answer {
  const sum = sums(session);
  if (sum.count === 0)
    return frame('Warenkorb', '<h1>Warenkorb</h1><p>Ihr Warenkorb ist leer.</p>');
  return frame(
    'Warenkorb',
    `<h1>Warenkorb</h1>
<form method="post" action="/warenkorb"><table><tr><th>Artikel</th><th>Menge</th><th>Einzelpreis</th><th>Summe</th></tr>
<tr><td>Espressomaschine Linea<br><small>Farbe: ${COLOURS[session.get('farbe') ?? '']}</small></td>
<td><input name="menge[4711]" value="${sum.count}" size="2" aria-label="Menge"> <button name="los" value="akt">Aktualisieren</button></td><td>1.234,50 €</td><td>${euro(sum.goods)}</td></tr>
${sum.care > 0 ? `<tr><td>5 Jahre Garantieverlängerung</td><td>${sum.count}</td><td>79,00 €</td><td>${euro(sum.care)} <button name="los" value="ohne">Entfernen</button></td></tr>` : ''}</table></form>
<form method="post" action="/gutschein"><input name="code" placeholder="Gutscheincode"><button>Einlösen</button></form>
<p>Zwischensumme <b>${euro(sum.goods + sum.care)}</b></p><p><a href="/">Weiter einkaufen</a> <a class="btn" href="/kasse/adresse">Zur Kasse</a></p>`,
  );
}

function address(fault = ''): Answer {
  return frame(
    'Kasse',
    `<h1>1. Adresse</h1><p class="fehler" role="alert">${fault}</p><form method="post" action="/kasse/adresse">
<fieldset><legend>Rechnungs- und Lieferadresse</legend>
<label>Anrede* <select name="anrede" required><option value="">–</option><option value="f">Frau</option><option value="h">Herr</option><option value="k">Keine Angabe</option></select></label>
<label>Firma <input name="firma"></label>
<label>Vorname* <input name="vorname" required></label><label>Nachname* <input name="nachname" required></label>
<label>Straße* <input name="str" required></label><label>Hausnr.* <input name="hnr" required size="5"></label>
<label>Adresszusatz <input name="zusatz"></label>
<label>PLZ* <input name="plz" required></label><label>Ort* <input name="ort" required></label>
<label>Land* <select name="land" required>${options(LANDS, 'DE')}</select></label>
<label>Telefon (für Rückfragen) <input name="fon" type="tel"></label>
<label>E-Mail* <input name="mail" type="email" required></label><label>E-Mail wiederholen* <input name="mail2" type="email" required></label></fieldset>
<label><input type="checkbox" name="konto" value="1"> Kundenkonto anlegen</label>
<a href="/warenkorb">Zurück</a> <button>Weiter</button></form>`,
  );
}

function shipping(): Answer {
  const rows = Object.entries(SHIP).map(
    ([id, [name, cost]]) =>
      `<li><input type="radio" name="versandart" id="v-${id}" value="${id}" required><label for="v-${id}">${name} <span>${euro(cost)}</span></label></li>`,
  );
  return frame(
    'Kasse',
    `<h1>2. Versand</h1><form method="post" action="/kasse/versand"><ul>${rows.join('')}</ul><button>Weiter</button></form>`,
  );
}

function payment(session: Ask['session'], ways: Ways, fault = ''): Answer {
  const sum = sums(session);
  return frame(
    'Kasse',
    `<aside><h3>Ihre Bestellung</h3><p>Warenwert: ${euro(sum.goods + sum.care)}</p><p>Versandkosten: ${euro(sum.ship)}</p><p><b>Gesamtsumme: ${euro(sum.total)}</b></p></aside><h1>3. Zahlung</h1><p role="alert">${fault}</p><form method="post" action="${ways.pay}" autocomplete="off">
<label><input type="radio" name="art" value="rechnung" checked> Kauf auf Rechnung</label>
<label><input type="radio" name="art" value="paypal"> PayPal</label>
<label><input type="radio" name="art" value="karte"> Kredit- oder Debitkarte</label>
<div id="karte" hidden><label>Karteninhaber <input name="inhaber"></label><label>Kartennummer <input name="knr" inputmode="numeric" maxlength="19"></label>
<label>Gültig bis <select name="monat" aria-label="Monat"><option value="">MM</option>${Array.from({ length: 12 }, (_, at) => `<option>${String(at + 1).padStart(2, '0')}</option>`).join('')}</select>
<select name="jahr" aria-label="Jahr"><option value="">JJJJ</option>${Array.from({ length: 12 }, (_, at) => `<option>${2026 + at}</option>`).join('')}</select></label>
<label>Prüfziffer <input name="pz" size="4" maxlength="4"></label></div><button>Weiter zur Übersicht</button></form>
<script>for (const r of document.querySelectorAll('[name=art]')) r.addEventListener('change', () => { document.getElementById('karte').hidden = r.value !== 'karte'; });</script>`,
  );
}

function review(session: Ask['session'], ways: Ways, fault = ''): Answer {
  const sum = sums(session);
  const net = Math.round(sum.total / 1.19);
  return frame(
    'Bestellung prüfen',
    `<h1>4. Prüfen und bestellen</h1><p role="alert">${fault}</p>
<div class="box"><h3>Lieferung an</h3><p>${esc(session.get('adresse') ?? '')} <a href="/kasse/adresse">ändern</a></p></div>
<div class="box"><h3>Versand</h3><p>${SHIP[session.get('versand') ?? '']?.[0]} <a href="/kasse/versand">ändern</a></p></div>
<div class="box"><h3>Zahlung</h3><p>Karte endet auf ${session.get('karte')} <a href="${ways.pay}">ändern</a></p></div>
<table><tr><td>${sum.count} × Espressomaschine Linea (${COLOURS[session.get('farbe') ?? '']})</td><td>${euro(sum.goods)}</td></tr>
${sum.care > 0 ? `<tr><td>5 Jahre Garantieverlängerung</td><td>${euro(sum.care)}</td></tr>` : ''}
<tr><td>Versandkosten</td><td>${euro(sum.ship)}</td></tr><tr><td>Gesamtsumme</td><td><b>${euro(sum.total)}</b></td></tr>
<tr><td>darin enthalten 19 % MwSt.</td><td>${euro(sum.total - net)}</td></tr></table>
<form method="post" action="${ways.place}"><label><input type="checkbox" name="agb" value="1"> Ich habe die <a href="/agb">AGB</a> und die Widerrufsbelehrung gelesen und stimme zu.</label>
<label><input type="checkbox" name="werbung" value="1" checked> Ja, ich möchte den Newsletter erhalten.</label>
<button>Zahlungspflichtig bestellen</button></form>`,
  );
}

/** Starts the German shop. */
export function nordlicht(
  ways: Ways = { pay: '/kasse/zahlung', place: '/bestellung/absenden' },
): Promise<HeldOutShop> {
  return serve([ways.pay], ({ method, path, form, session, query }, shop) => {
    if (path === '/produkt/espressomaschine-linea') return product();
    if (path === '/warenkorb/hinzufuegen') {
      if (COLOURS[form.get('attr[farbe]') ?? ''] === undefined)
        return product('Bitte wählen Sie eine Farbe.');
      session.set('farbe', form.get('attr[farbe]') ?? '');
      session.set('anzahl', form.get('anzahl') ?? '1');
      session.set('garantie', form.get('garantie') ?? '');
      return to('/warenkorb');
    }
    if (path === '/warenkorb' && method === 'POST') {
      if (form.get('los') === 'ohne') session.delete('garantie');
      else session.set('anzahl', form.get('menge[4711]') ?? '1');
      return to('/warenkorb');
    }
    if (path === '/warenkorb') return basket(session);
    if (path === '/kasse/adresse' && method === 'POST') {
      const missing = [
        'anrede',
        'vorname',
        'nachname',
        'str',
        'hnr',
        'plz',
        'ort',
        'land',
        'mail',
      ].filter((name) => (form.get(name) ?? '').trim() === '');
      if (missing.length > 0) return address(`Bitte ausfüllen: ${missing.join(', ')}`);
      if (!/\d/.test(form.get('hnr') ?? ''))
        return address('Bitte geben Sie eine gültige Hausnummer an.');
      if (form.get('mail') !== form.get('mail2'))
        return address('Die E-Mail-Adressen stimmen nicht überein.');
      session.set('mail', form.get('mail') ?? '');
      session.set(
        'adresse',
        ['vorname', 'nachname', 'str', 'hnr', 'plz', 'ort', 'land']
          .map((name) => form.get(name))
          .join(' '),
      );
      return to('/kasse/versand');
    }
    if (path === '/kasse/adresse') return address();
    if (path === '/kasse/versand' && method === 'POST') {
      session.set('versand', form.get('versandart') ?? '');
      return to(ways.pay);
    }
    if (path === '/kasse/versand') return shipping();
    if (path === ways.pay && method === 'POST') {
      if (form.get('art') !== 'karte')
        return payment(session, ways, 'Diese Zahlungsart ist zurzeit nicht verfügbar.');
      const fault = cardFault(
        form.get('knr') ?? '',
        `${form.get('monat')}/${form.get('jahr')}`,
        form.get('pz') ?? '',
      );
      if (fault !== undefined) return payment(session, ways, 'Bitte prüfen Sie Ihre Kartendaten.');
      session.set('karte', (form.get('knr') ?? '').replaceAll(/\D/g, '').slice(-4));
      return to('/bestellung/pruefen');
    }
    if (path === ways.pay) return payment(session, ways);
    if (path === '/bestellung/pruefen') return review(session, ways);
    if (path === ways.place) {
      if (form.get('agb') !== '1') return review(session, ways, 'Bitte stimmen Sie den AGB zu.');
      const sum = sums(session);
      const number = `NL-${20417 + shop.book.length}`;
      shop.book.push({
        number,
        item: `Linea ${COLOURS[session.get('farbe') ?? '']}`,
        quantity: sum.count,
        total: sum.total,
        currency: 'EUR',
        email: session.get('mail') ?? '',
        address: session.get('adresse') ?? '',
        card: session.get('karte') ?? '',
        extras: [
          ...(sum.care > 0 ? ['garantie'] : []),
          ...(form.has('werbung') ? ['newsletter'] : []),
        ],
      });
      session.delete('anzahl');
      return to(`/bestellung/danke?nr=${number}`);
    }
    if (path === '/bestellung/danke')
      return frame(
        'Vielen Dank',
        `<h1>Vielen Dank für Ihre Bestellung!</h1><p>Ihre Bestellnummer lautet ${esc(query.get('nr') ?? '')}. Eine Bestätigung ist per E-Mail unterwegs.</p>`,
      );
    return undefined;
  });
}
