import {
  type Answer,
  cardFault,
  type HeldOutShop,
  html,
  pause,
  reply,
  serve,
  to,
} from '../held-out-first/kit.ts';

/*
 * A Swiss shop: amounts as “CHF 1’249.–” and “49.90”, the number of pieces is changed by a stepper
 * that waits for more presses before it tells the shop, private person or company is asked first,
 * the year of birth is wanted by nobody but has a field.
 */
const chf = (rappen: number) => {
  const whole = String(Math.floor(rappen / 100)).replace(/\B(?=(\d{3})+$)/g, '’');
  return `CHF ${whole}.${rappen % 100 === 0 ? '–' : String(rappen % 100).padStart(2, '0')}`;
};
const unit = 62_450;
const page = (title: string, main: string): Answer =>
  html(
    'de-CH',
    `${title} | Alpina Velo`,
    `<div class="kopf"><a href="/">Alpina</a><button type="button" onclick="location.href='/korb'">Warenkorb</button></div>${main}<div class="fuss"><a href="/agb">AGB</a></div>`,
    '<style>.hidden{display:none}.rest{background:#ffd}</style>',
  );

/** Starts the Swiss shop. */
export function alpina(): Promise<HeldOutShop> {
  return serve(['/kasse/zahlung'], async ({ method, path, form, json, session, query }, shop) => {
    const count = Number(session.get('n') ?? 0);
    const goods = count * unit;
    const ship = goods >= 150_000 ? 0 : session.get('post') === 'express' ? 2400 : 990;
    const sums = `<table><tr><td>Warenwert</td><td>${chf(goods)}</td></tr><tr><td>Versand</td><td>${ship === 0 ? 'kostenlos' : chf(ship)}</td></tr><tr><td>Gesamtbetrag inkl. MwSt.</td><td><b>${chf(goods + ship)}</b></td></tr></table>`;
    if (path === '/velo/kindersitz')
      return page(
        'Kindersitz',
        `<h1>Kindersitz Gipfel</h1><p class="preis">${chf(unit)}</p><p class="rest">Ab CHF 1’500.– liefern wir portofrei.</p><button id="in">In den Warenkorb legen</button><div id="ok" role="status"></div><script>document.getElementById('in').onclick = async () => { await fetch('/api/korb', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"mehr":1}' }); ok.innerHTML = 'Im Warenkorb. <a href="/korb">Zum Warenkorb</a>'; };</script>`,
      );
    if (path === '/api/korb') {
      await pause(300);
      session.set('n', String(json.mehr === undefined ? Number(json.n) : count + 1));
      return reply({ n: Number(session.get('n')) });
    }
    if (path === '/korb')
      return page(
        'Warenkorb',
        count === 0
          ? '<h1>Warenkorb</h1><p>Ihr Warenkorb ist leer.</p>'
          : `<h1>Warenkorb</h1><div class="zeile"><b>Kindersitz Gipfel</b> ${chf(unit)} <span class="st"><button type="button" aria-label="Menge verringern" id="w">–</button><input id="n" value="${count}" readonly aria-label="Menge"><button type="button" aria-label="Menge erhöhen" id="m">+</button></span> <span id="s">${chf(goods)}</span></div><p>Noch <span id="frei">${chf(Math.max(0, 150_000 - goods))}</span> bis zur portofreien Lieferung</p><p>Zwischensumme <b id="z">${chf(goods)}</b></p><button type="button" id="k" onclick="location.href='/kasse'">Weiter zur Kasse</button><p><a href="/">Weiter einkaufen</a></p>
<script>let t; const set = (d) => { n.value = Math.max(1, Number(n.value) + d); clearTimeout(t); k.disabled = true; t = setTimeout(async () => { await fetch('/api/korb', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ n: n.value }) }); location.reload(); }, 900); }; w.onclick = () => set(-1); m.onclick = () => set(1);</script>`,
      );
    if (path === '/kasse' && method === 'POST') {
      const missing = [
        'vorname',
        'name',
        'strasse',
        'plz',
        'ort',
        'mail',
        ...(form.get('art') === 'firma' ? ['firma'] : []),
      ].filter((name) => (form.get(name) ?? '') === '');
      if (missing.length > 0)
        return to(`/kasse?f=${encodeURIComponent(`Bitte ausfüllen: ${missing.join()}`)}`);
      session.set(
        'adresse',
        ['firma', 'vorname', 'name', 'strasse', 'plz', 'ort']
          .map((name) => form.get(name) ?? '')
          .join(' ')
          .trim(),
      );
      session.set('mail', form.get('mail') ?? '');
      session.set('jahr', form.get('jahr') ?? '');
      return to('/kasse/lieferung');
    }
    if (path === '/kasse')
      return page(
        'Adresse',
        `<h1>Rechnungs- und Lieferadresse</h1><p role="alert">${query.get('f') ?? ''}</p><form method="post"><p><label><input type="radio" name="art" value="privat"> Privatperson</label> <label><input type="radio" name="art" value="firma" checked> Firma</label></p><p id="fi"><label>Firma <input name="firma"></label></p>
<p><label>Vorname <input name="vorname"></label></p><p><label>Name <input name="name"></label></p><p><label>Strasse / Nr. <input name="strasse"></label></p><p><label>PLZ <input name="plz" maxlength="4"></label> <label>Ort <input name="ort"></label></p><p><label>E-Mail <input name="mail"></label></p><p><label>Mobiltelefon <input name="tel"></label></p><p><label>Jahrgang <input name="jahr" maxlength="4" placeholder="z. B. 1985"></label></p><button>Weiter</button></form><script>for (const r of document.getElementsByName('art')) r.onchange = () => fi.classList.toggle('hidden', r.value !== 'firma');</script>`,
      );
    if (path === '/kasse/lieferung' && method === 'POST') {
      session.set('post', form.get('post') ?? '');
      return to(form.has('post') ? '/kasse/zahlung' : '/kasse/lieferung');
    }
    if (path === '/kasse/lieferung')
      return page(
        'Lieferung',
        `<h1>Lieferung</h1><form method="post"><p><label><input type="radio" name="post" value="express"> Swiss-Express «Mond» (CHF 24.–)</label></p><p><label><input type="radio" name="post" value="eco"> PostPac Economy (CHF 9.90)</label></p><button>Weiter</button> <a href="/kasse">Zurück</a></form>`,
      );
    if (path === '/kasse/zahlung' && method === 'POST') {
      if (
        cardFault(form.get('kk') ?? '', form.get('bis') ?? '', form.get('pz') ?? '') !== undefined
      )
        return to('/kasse/zahlung?f=Die+Karte+wurde+abgelehnt');
      shop.book.push({
        number: `AV-${shop.book.length + 21}`,
        item: 'Kindersitz',
        quantity: count,
        total: goods + ship,
        currency: 'CHF',
        email: session.get('mail') ?? '',
        address: session.get('adresse') ?? '',
        extras: session.get('jahr') === '' ? [] : ['jahrgang'],
        card: (form.get('kk') ?? '').slice(-4),
      });
      return to('/kasse/danke');
    }
    if (path === '/kasse/zahlung')
      return page(
        'Zahlung',
        `<h1>Prüfen und bezahlen</h1><p role="alert">${query.get('f') ?? ''}</p>${sums}<form method="post"><p><label>Kartennummer <input name="kk"></label></p><p><label>Gültig bis <input name="bis" placeholder="MM/JJ"></label></p><p><label>Prüfziffer <input name="pz"></label></p><p>Mit der Bestellung akzeptieren Sie unsere <a href="/agb">AGB</a>.</p><button>Kostenpflichtig bestellen</button></form>`,
      );
    if (path === '/kasse/danke')
      return shop.book.length === 0
        ? to('/korb')
        : page(
            'Danke',
            `<h1>Vielen Dank für Ihre Bestellung</h1><p>Auftragsnummer AV-${20 + shop.book.length}</p>`,
          );
    return path === '/' ? page('Start', '<a href="/velo/kindersitz">Kindersitz</a>') : undefined;
  });
}
