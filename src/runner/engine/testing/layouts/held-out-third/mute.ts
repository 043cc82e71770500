import { doc, missing, openStall, type Stall, whole } from './desk.ts';

const countries = [
  'Afghanistan',
  'Austria',
  'France',
  'Germany',
  'Switzerland',
  'United Kingdom',
  'United States of America',
];
const dollars = (cents: number): string =>
  `$ ${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

/**
 * Labels only as placeholders or for the ear; the quantity only in the cart; costs only in the
 * review, after the card; a newsletter that is ticked.
 */
export const mute = (): Promise<Stall> =>
  openStall('/', (call, sales) => {
    const v = call.visitor;
    const f = call.form;
    const goods = Number(v.n ?? 1) * 52_050;
    const ship = 2500;
    const tax = Math.round(goods * 0.05);
    if (call.path === '/')
      return {
        html: doc(
          'Oak stool',
          `<div class="zz"><div>Oak stool</div><div>$520.50</div><form method="post" action="/c"><div class="kk">${[
            'Natural',
            'Smoked',
          ]
            .map(
              (o) =>
                `<button type="button" class="kb" data-o="${o}" onclick="document.querySelectorAll('.kb').forEach(b=>b.style.outline='');this.style.outline='2px solid';document.getElementById('o').value=this.dataset.o">${o}</button>`,
            )
            .join(
              '',
            )}</div><input type="hidden" id="o" name="o"><button class="gg">Take it</button></form></div>`,
        ),
      };
    if (call.path === '/c' && call.method === 'POST') {
      if (call.form.has('o')) {
        if (!f.get('o'))
          return { html: doc('Oak stool', '<p>Choose a wood first. <a href="/">Back</a></p>') };
        Object.assign(v, { o: f.get('o') ?? '', n: '1' });
      } else v.n = f.get('n') ?? '1';
      return { to: '/c' };
    }
    if (call.path === '/c')
      return {
        html: doc(
          'Your things',
          `<h1>Your things</h1><form method="post" action="/c">Oak stool, ${v.o} <input type="number" name="n" value="${v.n}" min="0" onchange="this.form.submit()"> ${dollars(goods)}</form><a href="/who">Order these</a>`,
        ),
      };
    if (call.path === '/who' && call.method === 'GET')
      return {
        html: doc(
          'You',
          `<form method="post" action="/who"><input name="f1" placeholder="First name"><input name="f2" placeholder="Surname"><input name="f3" placeholder="E-mail"><input name="f4" aria-label="Telephone" required><input name="f5" placeholder="Street"><input name="f6" placeholder="No." size="4" required><input name="f7" aria-label="Postal code"><input name="f8" aria-label="City"><select name="f9" aria-label="Country"><option value=""></option>${countries.map((c, i) => `<option value="${i}">${c}</option>`).join('')}</select><div><input type="checkbox" name="nl" checked aria-label="Send me the newsletter"> News</div><div><input type="checkbox" name="tc" required> I have read the <a href="/terms">terms</a></div><button>Onwards</button></form>`,
        ),
      };
    if (call.path === '/who') {
      Object.assign(v, {
        mail: f.get('f3') ?? '',
        nl: f.get('nl') ?? '',
        addr: [
          f.get('f5'),
          f.get('f6'),
          f.get('f7'),
          f.get('f8'),
          countries[Number(f.get('f9') || '99')],
          f.get('f4'),
        ].join(' | '),
      });
      return { to: f.get('tc') && f.get('f9') ? '/money' : '/who' };
    }
    if (call.path === '/money' && call.method === 'GET')
      return {
        html: doc(
          'Card',
          '<p>How would you like to pay?</p><form method="post" action="/money"><input name="a" placeholder="Card number"><input name="b" placeholder="Name on card"><input name="c" placeholder="MM/YY"><input name="d" placeholder="CVC"><button>Check my order</button></form>',
        ),
      };
    if (call.path === '/money') {
      if (!whole(f.get('a')) || !f.get('b') || !f.get('c') || !f.get('d')) return { to: '/money' };
      v.card = 'y';
      return { to: '/last' };
    }
    if (call.path === '/last' && call.method === 'GET')
      return {
        html: doc(
          'Last look',
          `<h1>Is everything right?</h1><table><tr><th>Oak stool, ${v.o} × ${v.n}</th><td>${dollars(goods)}</td></tr><tr><th>Carriage</th><td>${dollars(ship)}</td></tr><tr><th>Tax</th><td>${dollars(tax)}</td></tr><tr><th>You pay</th><td>${dollars(goods + ship + tax)}</td></tr></table><form method="post" action="/last"><button>Yes, buy</button></form>`,
        ),
      };
    if (call.path === '/last') {
      if (!v.card) return { to: '/money' };
      sales.push({
        item: `stool ${v.o}`,
        quantity: Number(v.n),
        total: goods + ship + tax,
        extras: v.nl ? ['newsletter'] : [],
        card: true,
        email: v.mail ?? '',
        address: v.addr ?? '',
      });
      return { to: `/merci?${sales.length}` };
    }
    if (call.path === '/merci')
      return {
        html: doc(
          'Merci',
          `<h1>Sold!</h1><p>Thank you. Your order has the number ${88_120 + sales.length}.</p>`,
        ),
      };
    return missing;
  });
