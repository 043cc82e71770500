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
 * A Dutch shop: street and town cannot be typed, they follow from postcode and house number; the
 * bank transfer of the country is chosen first; a bar counts down to free delivery; the cookie
 * banner comes late, over the lower half of the till.
 */
const eur = (cents: number) => `€ ${(cents / 100).toFixed(2).replace('.', ',')}`;
const unit = 1995;
const streets: Record<string, readonly [string, string]> = {
  '1016GV': ['Prinsengracht', 'Amsterdam'],
};

const page = (title: string, main: string): Answer =>
  html(
    'nl',
    `${title} | Polderfiets`,
    `<header><a href="/">Polderfiets</a> <a href="/winkelwagen">Winkelwagen</a> <a href="/klantenservice">Klantenservice</a></header><main>${main}</main><footer><a href="/cookies">Cookies</a> <a href="/voorwaarden">Voorwaarden</a></footer>`,
    '<style>.fout{color:red}.balk{background:#efe}#ck{position:fixed;left:0;right:0;bottom:0;height:55vh;background:#fff;border-top:2px solid;z-index:9}</style>',
  );
const left = (goods: number) =>
  `<div class="balk">${goods >= 5000 ? 'Je bestelling wordt gratis bezorgd!' : `Nog ${eur(5000 - goods)} tot gratis verzending`}</div>`;

/** Starts the Dutch shop. */
export function polder(): Promise<HeldOutShop> {
  return serve(['/afronden'], async ({ method, path, query, form, session }, shop) => {
    const count = Number(session.get('aantal') ?? 0);
    const goods = count * unit;
    const ship = goods >= 5000 ? 0 : 495;
    if (path === '/fietsbel')
      return page(
        'Fietsbel',
        `<h1>Fietsbel koper</h1><p class="prijs">${eur(unit)}</p><p>Vandaag voor 23:59 besteld, morgen in huis</p><form method="post" action="/wagen"><label>Aantal <select name="aantal">${[1, 2, 3, 4, 5].map((one) => `<option>${one}</option>`).join('')}</select></label> <button>In winkelwagen</button></form>`,
      );
    if (path === '/wagen') {
      session.set('aantal', form.get('aantal') ?? '1');
      return to('/winkelwagen');
    }
    if (path === '/winkelwagen')
      return page(
        'Winkelwagen',
        count === 0
          ? '<h1>Je winkelwagen is leeg</h1>'
          : `<h1>Winkelwagen</h1>${left(goods)}<p>${count} × Fietsbel koper ${eur(goods)}</p><p>Subtotaal ${eur(goods)}</p><a href="/bestellen">Verder naar bestellen</a> <a href="/">Verder winkelen</a>`,
      );
    if (path === '/api/adres') {
      await pause(400);
      const found = streets[(query.get('pc') ?? '').replaceAll(' ', '').toUpperCase()];
      return found === undefined
        ? reply({ fout: 'Adres niet gevonden' })
        : reply({ straat: found[0], plaats: found[1] });
    }
    if (path === '/bestellen')
      return page(
        'Bestellen',
        `<h1>Bestellen</h1>${left(goods)}<p class="fout" role="alert">${query.get('fout') ?? ''}</p><form method="post" action="/afronden" id="f"><h2>Bezorgadres</h2>
<div><label for="vn">Voornaam</label><input id="vn" name="vn"></div><div><label for="tv">Tussenvoegsel</label><input id="tv" name="tv" size="5"></div><div><label for="an">Achternaam</label><input id="an" name="an"></div>
<div><label for="pc">Postcode</label><input id="pc" name="pc" maxlength="7" placeholder="1234 AB"></div><div><label for="hn">Huisnummer</label><input id="hn" name="hn" size="5"></div><div><label for="tg">Toevoeging</label><input id="tg" name="tg" size="5"></div>
<div><label for="st">Straat</label><input id="st" name="st" readonly></div><div><label for="pl">Plaats</label><input id="pl" name="pl" readonly></div>
<div><label for="em">E-mailadres</label><input id="em" name="em" type="email"></div><div><label for="tl">Telefoonnummer</label><input id="tl" name="tl" type="tel"></div>
<div><label for="gb">Geboortedatum (optioneel)</label><input id="gb" name="gb" placeholder="dd-mm-jjjj"></div>
<h2>Betaalmethode</h2><p><input type="radio" name="bm" id="b1" value="ideal" checked><label for="b1">iDEAL</label></p><p><input type="radio" name="bm" id="b2" value="card"><label for="b2">Creditcard</label></p><p><input type="radio" name="bm" id="b3" value="later"><label for="b3">Achteraf betalen</label></p><div id="kaart"></div>
<h2>Overzicht</h2><table><tr><td>Artikelen</td><td>${eur(goods)}</td></tr><tr><td>Verzendkosten</td><td>${ship === 0 ? 'Gratis' : eur(ship)}</td></tr><tr><td>Totaal (incl. btw)</td><td><b>${eur(goods + ship)}</b></td></tr></table>
<p><input type="checkbox" name="nb" id="nb" checked><label for="nb">Houd mij op de hoogte van aanbiedingen</label></p><p><input type="checkbox" name="av" id="av"><label for="av">Ik ga akkoord met de algemene voorwaarden</label></p><button>Bestelling plaatsen</button></form>
<script>const zoek = async () => { if (pc.value.length < 6 || !hn.value) return; const a = await (await fetch('/api/adres?pc=' + encodeURIComponent(pc.value) + '&nr=' + hn.value)).json(); st.value = a.straat || ''; pl.value = a.plaats || ''; }; pc.onblur = zoek; hn.onblur = zoek;
f.addEventListener('change', (e) => { if (e.target.name === 'bm') kaart.innerHTML = e.target.value === 'card' ? '<p><label>Kaartnummer <input name="kn" inputmode="numeric"></label></p><p><label>Vervaldatum <input name="vd" placeholder="MM/JJ"></label></p><p><label>CVC <input name="cv" maxlength="4"></label></p><p><label>Naam op de kaart <input name="nk"></label></p>' : ''; });
if (!document.cookie.includes('ck=')) setTimeout(() => { const d = document.createElement('div'); d.id = 'ck'; d.innerHTML = '<h3>Wij gebruiken cookies</h3><p>Voor een goed werkende winkel en voor advertenties.</p><button type="button" id="ja">Alles accepteren</button> <button type="button" id="nee">Alleen noodzakelijke</button>'; document.body.append(d); ja.onclick = () => { document.cookie = 'ck=alles'; d.remove(); }; nee.onclick = () => { document.cookie = 'ck=nodig'; d.remove(); }; }, 1500);</script>`,
      );
    if (path === '/afronden' && method === 'POST') {
      const missing = ['vn', 'an', 'pc', 'hn', 'st', 'pl', 'em', 'tl'].filter(
        (name) => (form.get(name) ?? '') === '',
      );
      if (missing.length > 0) return to(`/bestellen?fout=Vul+in:+${missing.join()}`);
      if (form.get('bm') !== 'card' || !form.has('av'))
        return to('/bestellen?fout=Kies+een+betaalmethode+en+ga+akkoord');
      if (cardFault(form.get('kn') ?? '', form.get('vd') ?? '', form.get('cv') ?? '') !== undefined)
        return to('/bestellen?fout=Je+kaart+is+niet+geaccepteerd');
      shop.book.push({
        number: `PF${shop.book.length + 51}`,
        item: 'Fietsbel',
        quantity: count,
        total: goods + ship,
        currency: 'EUR',
        email: form.get('em') ?? '',
        address: ['vn', 'tv', 'an', 'st', 'hn', 'tg', 'pc', 'pl']
          .map((name) => form.get(name))
          .filter((one) => one !== '')
          .join(' '),
        extras: [
          ...(form.has('nb') ? ['nieuwsbrief'] : []),
          ...((form.get('gb') ?? '') === '' ? [] : ['geboortedatum']),
        ],
        card: (form.get('kn') ?? '').slice(-4),
      });
      return to('/bedankt');
    }
    if (path === '/bedankt')
      return shop.book.length === 0
        ? to('/winkelwagen')
        : page(
            'Bedankt',
            `<h1>Bedankt voor je bestelling!</h1><p>Bestelnummer PF${50 + shop.book.length}</p>`,
          );
    return path === '/'
      ? page('Home', '<h1>Polderfiets</h1><a href="/fietsbel">Fietsbel koper</a>')
      : undefined;
  });
}
