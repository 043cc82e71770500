import { cardFault, esc, type HeldOutShop, html, options, serve, to } from './kit.ts';

/*
 * An Italian shop: variants are links on pictures, another address for each; a stepper with a
 * maximum; the count stands only in the mini cart; the order is checked on a page of its own,
 * behind which the card is asked.
 */
const TINTS: Record<string, [string, boolean]> = {
  cuoio: ['Cuoio', true],
  nero: ['Nero', true],
  bordeaux: ['Bordeaux', false],
};
const STATI = {
  '': 'Seleziona',
  IT: 'Italia',
  FR: 'Francia',
  DE: 'Germania',
  US: "Stati Uniti d'America",
};

/** Starts the Italian shop. */
export function bottega(): Promise<HeldOutShop> {
  const eur = (cents: number) => `€ ${(cents / 100).toFixed(2).replace('.', ',')}`;
  return serve(['/ordine/pagamento'], ({ path, method, form, session, query }, shop) => {
    const count = Number(session.get('pezzi') ?? 0);
    const goods = count * 14_500;
    const ship = session.get('corriere') === 'espresso' ? 1800 : 750;
    const page = (title: string, body: string) =>
      html(
        'it',
        `${title} - Bottega Sole`,
        `<header><a href="/">Bottega Sole</a><details class="mini"${query.has('aggiunto') ? ' open' : ''}><summary>Carrello</summary>${count === 0 ? '<p>Il carrello è vuoto</p>' : `<p>Cintura intrecciata, ${TINTS[session.get('tinta') ?? '']?.[0]}, ${session.get('taglia')} cm</p><p>Quantità ${count}</p><p>${eur(goods)}</p><a href="/ordine/indirizzo">Vai alla cassa</a>`}</details></header>${body}`,
        '<meta property="og:price:currency" content="EUR">',
      );
    if (path.startsWith('/cintura-intrecciata/')) {
      const tint = path.split('/')[2] ?? '';
      const known = TINTS[tint];
      if (known === undefined) return undefined;
      return page(
        'Cintura intrecciata',
        `<h1>Cintura intrecciata</h1><p>${eur(14_500)}</p><p>Colore: <b>${known[0]}</b></p><ul class="tinte">${Object.entries(
          TINTS,
        )
          .map(
            ([id, [name]]) =>
              `<li><a href="/cintura-intrecciata/${id}"${id === tint ? ' aria-current="true"' : ''}><img src="/i/${id}.png" alt="${name}" width="30" height="30"></a></li>`,
          )
          .join('')}</ul>
${
  known[1]
    ? `<form method="post" action="/carrello"><input type="hidden" name="tinta" value="${tint}"><p id="tg">Taglia</p><div role="radiogroup" aria-labelledby="tg">${['85', '95', '105'].map((size) => `<input type="radio" class="vis" id="t${size}" name="taglia" value="${size}"${size === '105' ? ' disabled' : ''}><label for="t${size}">${size} cm</label>`).join('')}</div>
<div class="pz"><button type="button" class="meno" aria-label="Meno">-</button><input type="text" name="pezzi" id="pz" value="1" inputmode="numeric" aria-label="Quantità" data-max="3"><button type="button" class="piu" aria-label="Più">+</button></div><button>Aggiungi al carrello</button></form><script>document.querySelector('.piu').onclick = () => { pz.value = Math.min(3, Number(pz.value) + 1); }; document.querySelector('.meno').onclick = () => { pz.value = Math.max(1, Number(pz.value) - 1); }; pz.onchange = () => { pz.value = Math.max(1, Math.min(3, Number(pz.value) || 1)); };</script><style>.vis{position:absolute;opacity:0;width:1px;height:1px}</style>`
    : "<p>Esaurito</p><form method='post' action='/avviso'><input name='email' placeholder='La tua e-mail'><button>Avvisami</button></form>"
}`,
      );
    }
    if (path === '/carrello') {
      if (!form.has('taglia')) return to(`/cintura-intrecciata/${form.get('tinta')}`);
      session.set('tinta', form.get('tinta') ?? '');
      session.set('taglia', form.get('taglia') ?? '');
      session.set('pezzi', form.get('pezzi') ?? '1');
      return to(`/cintura-intrecciata/${form.get('tinta')}?aggiunto=1`);
    }
    if (path === '/ordine/indirizzo' && method === 'POST') {
      const missing = ['nome', 'cognome', 'via', 'cap', 'citta', 'paese', 'email', 'cell'].filter(
        (name) => (form.get(name) ?? '') === '',
      );
      if (missing.length > 0) return to(`/ordine/indirizzo?errore=${missing.join()}`);
      session.set('email', form.get('email') ?? '');
      session.set(
        'dove',
        ['nome', 'cognome', 'via', 'cap', 'citta', 'paese'].map((name) => form.get(name)).join(' '),
      );
      session.set('corriere', form.get('corriere') ?? '');
      return to('/ordine/riepilogo');
    }
    if (path === '/ordine/indirizzo')
      return page(
        'Indirizzo',
        `<h1>Indirizzo di spedizione</h1><p role="alert">${esc(query.get('errore') ?? '')}</p><form method="post"><dl><dt><label for="a">Nome</label></dt><dd><input id="a" name="nome"></dd><dt><label for="b">Cognome</label></dt><dd><input id="b" name="cognome"></dd><dt><label for="c">Via e numero civico</label></dt><dd><input id="c" name="via"></dd><dt><label for="d">CAP</label></dt><dd><input id="d" name="cap"></dd><dt><label for="e">Città</label></dt><dd><input id="e" name="citta"></dd><dt><label for="f">Provincia</label></dt><dd><input id="f" name="prov"></dd><dt><label for="g">Paese</label></dt><dd><select id="g" name="paese">${options(STATI)}</select></dd><dt><label for="h">Indirizzo e-mail</label></dt><dd><input id="h" name="email"></dd><dt><label for="i">Cellulare</label></dt><dd><input id="i" name="cell"></dd></dl><p>Spedizione: <select name="corriere" aria-label="Metodo di spedizione"><option value="standard">Standard ${eur(750)}</option><option value="espresso">Espresso ${eur(1800)}</option></select></p><p><label><input type="checkbox" name="regalo" value="1"> Confezione regalo</label></p><button>Avanti</button></form>`,
      );
    if (path === '/ordine/riepilogo')
      return page(
        'Riepilogo',
        `<h1>Riepilogo dell'ordine</h1><p>${esc(session.get('dove') ?? '')}</p><table><tr><td>Cintura intrecciata (${TINTS[session.get('tinta') ?? '']?.[0]}, ${session.get('taglia')} cm)</td><td>${eur(goods)}</td></tr><tr><td>Spese di spedizione</td><td>${eur(ship)}</td></tr><tr><td>Totale ordine (IVA inclusa)</td><td>${eur(goods + ship)}</td></tr></table><form action="/ordine/pagamento"><button>Conferma e vai al pagamento</button></form>`,
      );
    if (path === '/ordine/pagamento' && method === 'POST') {
      if (
        cardFault(form.get('pan') ?? '', form.get('scadenza') ?? '', form.get('cvv2') ?? '') !==
        undefined
      )
        return to('/ordine/pagamento?errore=carta');
      shop.book.push({
        number: `BS/${2026}/${118 + shop.book.length}`,
        item: `Cintura ${session.get('tinta')} ${session.get('taglia')}`,
        quantity: count,
        total: goods + ship,
        currency: 'EUR',
        email: session.get('email') ?? '',
        address: session.get('dove') ?? '',
        extras: [],
        card: (form.get('pan') ?? '').slice(-4),
      });
      session.delete('pezzi');
      return to('/ordine/grazie');
    }
    if (path === '/ordine/pagamento')
      return page(
        'Pagamento',
        `<h1>Pagamento sicuro</h1><p>Importo da pagare: <b>${eur(goods + ship)}</b></p><p role="alert">${query.has('errore') ? 'Dati della carta non validi' : ''}</p><form method="post"><label>Numero carta <input name="pan" maxlength="19"></label><label>Scadenza <input name="scadenza" placeholder="MM/AA" maxlength="5"></label><label>CVV2 <input name="cvv2" type="password" maxlength="4"></label><label>Intestatario <input name="intestatario"></label><input type="submit" value="Paga ${eur(goods + ship)}"></form><a href="/ordine/riepilogo">Annulla</a>`,
      );
    if (path === '/ordine/grazie')
      return page(
        'Grazie',
        `<h1>Grazie!</h1><p>Il tuo ordine ${2026}/${117 + shop.book.length} è stato ricevuto.</p>`,
      );
    return undefined;
  });
}
