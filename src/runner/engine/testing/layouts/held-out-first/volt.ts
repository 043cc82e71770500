import { cardFault, esc, type HeldOutShop, html, options, pause, reply, serve, to } from './kit.ts';

/*
 * Card fields that live one by one in frames of a payment company, a bank that asks for a code in a
 * frame inside a frame, tax added at the end, amounts whose currency stands only in meta data.
 */
const STATES = {
  '': 'Select a state',
  CA: 'California',
  IL: 'Illinois',
  NY: 'New York',
  OR: 'Oregon',
  TX: 'Texas',
  WA: 'Washington',
};

/** A shop, its payment company and the bank. */
export interface Volt extends HeldOutShop {
  readonly pay: string;
  readonly bank: string;
}

/** Starts the shop with card frames; the bank's code is 246810. */
export async function volt(): Promise<Volt> {
  const drafts = new Map<string, Record<string, string>>();
  const passed = new Set<string>();
  const bank = await serve([], ({ path, method, form, query }) => {
    const id = esc(query.get('id') ?? form.get('id') ?? '');
    if (path === '/acs' && method === 'GET')
      return html(
        'en',
        'Bank',
        `<iframe src="/acs/inner?id=${id}" title="Authentication" width="380" height="300"></iframe>`,
      );
    if (path === '/acs/inner' && method === 'GET')
      return html(
        'en',
        'Verify',
        `<form method="post"><h2>Purchase authentication</h2><p>We have sent a text message with a code to your phone ending in 88.</p><input type="hidden" name="id" value="${id}"><label>Verification code <input name="challengeDataEntry" autocomplete="off"></label><button>Submit</button><button type="button">Resend code</button></form>`,
      );
    if (path === '/acs/inner') {
      if (form.get('challengeDataEntry') !== '246810')
        return html(
          'en',
          'Verify',
          `<form method="post"><p>The code was not right. Try again.</p><input type="hidden" name="id" value="${id}"><label>Verification code <input name="challengeDataEntry"></label><button>Submit</button></form>`,
        );
      passed.add(id);
      return html(
        'en',
        'Done',
        "<p>Thank you</p><script>top.postMessage({ acs: 'done' }, '*')</script>",
      );
    }
    return undefined;
  });
  const pay = await serve(['/field'], ({ path, query, json }) => {
    if (path === '/frame') {
      const kind = query.get('f') ?? '';
      const label = { number: 'Card number', exp: 'MM / YY', cvc: 'CVC' }[kind] ?? '';
      return html(
        'en',
        'Secure field',
        `<input id="i" aria-label="${label}" placeholder="${label}" name="${{ number: 'cardnumber', exp: 'exp-date', cvc: 'cvc' }[kind]}" inputmode="numeric"><script>const s = () => fetch('/field', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: '${esc(query.get('id') ?? '')}', f: '${esc(kind)}', v: i.value }) }).then(() => parent.postMessage({ ready: '${esc(kind)}' }, '*')); i.onchange = s; i.onblur = s;</script>`,
      );
    }
    if (path === '/field') {
      const id = String(json.id);
      drafts.set(id, { ...drafts.get(id), [String(json.f)]: String(json.v) });
      return reply({ ok: true });
    }
    return undefined;
  });
  function due(count: number, state: string): { goods: number; tax: number; total: number } {
    const goods = 219_900 * count;
    const tax = state === 'OR' ? 0 : Math.round(goods * 0.08);
    return { goods, tax, total: goods + tax + 9900 };
  }
  const plain = (cents: number) =>
    (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  const head = `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: 'Volt Commuter', offers: { '@type': 'Offer', price: '2199.00', priceCurrency: 'USD' } })}</script><meta name="currency" content="USD">`;
  const shop = await serve([], async ({ path, method, form, json, session }, self) => {
    const count = Number(session.get('count') ?? 0);
    const sum = due(count, session.get('state') ?? '');
    if (path === '/bikes/commuter')
      return html(
        'en',
        'Volt Commuter',
        `<h1>Volt Commuter</h1><p class="amount">2,199.00</p><form method="post" action="/cart"><fieldset><legend>Frame size</legend><label><input type="radio" name="size" value="48">48 cm</label><label><input type="radio" name="size" value="52">52 cm</label><label><input type="radio" name="size" value="56" disabled>56 cm (sold out)</label></fieldset><fieldset><legend>Protection plan</legend><label><input type="radio" name="plan" value="2y" checked>2-year theft cover, 149.00</label><label><input type="radio" name="plan" value="no">No thanks</label></fieldset><button>Buy now</button></form>`,
        head,
      );
    if (path === '/cart' && method === 'POST') {
      if (!form.has('size')) return to('/bikes/commuter');
      session.set('count', '1');
      session.set('size', form.get('size') ?? '');
      session.set('plan', form.get('plan') ?? '');
      return to('/order/details');
    }
    if (path === '/order/details' && method === 'POST') {
      for (const name of ['name', 'email', 'street', 'city', 'state', 'zip']) {
        if ((form.get(name) ?? '') === '') return to('/order/details');
        session.set(name, form.get(name) ?? '');
      }
      return to('/order/pay');
    }
    if (path === '/order/details')
      return html(
        'en',
        'Your details',
        `<h1>Your details</h1><form method="post"><p><label>Name<br><input name="name" autocomplete="name"></label></p><p><label>Email<br><input name="email"></label></p><p><label>Street<br><input name="street" autocomplete="address-line1"></label></p><p><label>City<br><input name="city"></label></p><p><label>State<br><select name="state">${options(STATES)}</select></label></p><p><label>Zip<br><input name="zip"></label></p><p>We ship to the United States only.</p><button>Next</button></form>`,
        head,
      );
    if (path === '/order/pay') {
      const id = session.get('pid') ?? Math.random().toString(36).slice(2);
      session.set('pid', id);
      const field = (name: string, title: string) =>
        `<div class="f"><span>${title}</span><iframe title="Secure ${title.toLowerCase()} input frame" src="${pay.origin}/frame?f=${name}&id=${id}" width="300" height="40" frameborder="0"></iframe></div>`;
      return html(
        'en',
        'Payment',
        `<h1>Payment</h1><table><tr><td>Volt Commuter ${session.get('size')} cm × 1</td><td>${plain(sum.goods)}</td></tr>${session.get('plan') === '2y' ? '<tr><td>Theft cover</td><td>149.00</td></tr>' : ''}<tr><td>Freight</td><td>99.00</td></tr><tr><td>Sales tax</td><td>${plain(sum.tax)}</td></tr><tr class="grand"><td>Total</td><td>${plain(sum.total + (session.get('plan') === '2y' ? 14_900 : 0))}</td></tr></table>
${field('number', 'Card number')}${field('exp', 'Expiry date')}${field('cvc', 'CVC')}<label>Cardholder <input id="holder"></label><p id="err" role="alert"></p><button type="button" id="go">Pay ${plain(sum.total + (session.get('plan') === '2y' ? 14_900 : 0))}</button><div id="modal"></div>
<script>const send = async () => (await fetch('/api/pay', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).json();
go.onclick = async () => { go.disabled = true; go.textContent = 'Please wait…'; const a = await send(); if (a.error) { err.textContent = a.error; go.disabled = false; go.textContent = 'Pay'; } else if (a.acs) { modal.innerHTML = '<div role="dialog" aria-label="3-D Secure"><iframe width="420" height="360" src="' + a.acs + '"></iframe></div>'; } else location.href = a.next; };
addEventListener('message', async (e) => { if (!e.data || e.data.acs !== 'done') return; modal.innerHTML = ''; const r = await (await fetch('/api/finish', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).json(); location.href = r.next; });</script>`,
        head,
      );
    }
    if (path === '/api/pay') {
      await pause(500);
      const draft = drafts.get(session.get('pid') ?? '') ?? {};
      const fault = cardFault(
        draft.number ?? '',
        (draft.exp ?? '').replaceAll(' ', ''),
        draft.cvc ?? '',
      );
      return reply(
        fault === undefined
          ? { acs: `${bank.origin}/acs?id=${session.get('pid')}` }
          : { error: `Your card's ${fault} is incomplete.` },
      );
    }
    if (path === '/api/finish') {
      if (!passed.has(session.get('pid') ?? '')) return reply({ next: '/order/pay' });
      const plan = session.get('plan') === '2y';
      self.book.push({
        number: `V${json.x ?? ''}${31_001 + self.book.length}`,
        item: `Commuter ${session.get('size')}`,
        quantity: count,
        total: sum.total + (plan ? 14_900 : 0),
        currency: 'USD',
        email: session.get('email') ?? '',
        address: ['name', 'street', 'city', 'state', 'zip']
          .map((name) => session.get(name))
          .join(' '),
        extras: plan ? ['theft cover'] : [],
        card: (drafts.get(session.get('pid') ?? '')?.number ?? '').slice(-4),
      });
      return reply({ next: `/order/complete/V${31_000 + self.book.length}` });
    }
    if (path.startsWith('/order/complete/'))
      return html(
        'en',
        'Order complete',
        `<h1>Your bike is booked</h1><p>Order reference: ${path.slice(16)}</p><p>A receipt was e-mailed to you.</p>`,
      );
    return undefined;
  });
  return {
    ...shop,
    pay: pay.origin,
    bank: bank.origin,
    close: async () => {
      await Promise.all([shop.close(), pay.close(), bank.close()]);
    },
  };
}
