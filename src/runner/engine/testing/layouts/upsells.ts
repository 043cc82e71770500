import { plainCard, plainFields } from '../pages-kit.ts';
import type { Handler } from '../test-shop-kit.ts';
import { hiddenStyle, inPage, type Layout, thanks } from './kit.ts';

const wallets = `<div class="express"><h3>Express checkout</h3><button type="button" class="apple-pay-button" aria-label="Buy with Apple Pay" data-wallet>Buy with Pay</button><button type="button" class="gpay-button" aria-label="Google Pay" data-wallet>Buy with GPay</button><button type="button" data-wallet><img src="data:," alt="PayPal" width="60" height="20">Checkout</button><a href="/wallet?amazon" role="button" aria-label="Amazon Pay" data-wallet>Check out with Amazon Pay</a></div><p>or</p><script>document.querySelectorAll('[data-wallet]').forEach((b)=>b.onclick=()=>{location='/wallet'})</script>`;

const product = inPage(
  'Phone Case',
  `<main><div class="pdp"><h1>Phone Case</h1><span class="price">£25.00</span><form id="pf"><fieldset><legend>Phone model</legend><select name="model"><option value="">Select model</option><option>P-12</option><option>P-13</option></select></fieldset><fieldset class="plan"><legend>Add protection plan</legend><label><input type="checkbox" name="plan" value="2y" checked> 2-year protection plan (+£6.00)</label></fieldset><button type="submit" class="btn">Add to basket</button></form>${wallets}</div></main>
<div id="upsell" class="modal" role="dialog" aria-modal="true" style="display:none;position:fixed;inset:10%;background:#fff;border:2px solid"><h2>Wait! Complete your set</h2><div class="offer"><p>Screen protector <b>£12.00</b></p><button type="button" id="yes">Yes, add to my basket</button></div><button type="button" class="link" id="no">No thanks, continue</button></div>
<script>document.getElementById('pf').onsubmit=async(e)=>{e.preventDefault();await fetch('/basket/add',{method:'POST',body:new URLSearchParams(new FormData(e.target))});document.getElementById('upsell').style.display='block'};document.getElementById('yes').onclick=async()=>{await fetch('/basket/upsell',{method:'POST'});location='/basket'};document.getElementById('no').onclick=()=>{location='/basket'}</script>`,
  { head: hiddenStyle },
);

const offer = inPage(
  'One more thing',
  `<main><h1>Before you go…</h1><p>Add a charging cable for only £9.00?</p><form method="post" action="/offer"><button name="take" value="1">Yes! Add it to my order</button><button name="take" value="0">No thank you, continue to payment</button></form></main>`,
);
const checkout = (extra: string) =>
  inPage(
    'Checkout',
    `<main><h1>Checkout</h1>${wallets}<form method="post" action="/details">${plainFields}<button>Continue to delivery</button></form>${extra}</main>`,
  );
const payment = (goods: number) =>
  inPage(
    'Payment',
    `<main><h1>Payment</h1>${wallets}<form method="post" action="/order"><div class="tip"><h3>Add a tip for our team</h3><label><input type="radio" name="tip" value="10" checked> 10%</label><label><input type="radio" name="tip" value="0"> None</label></div><label><input type="checkbox" name="donate" value="1"> Round up and donate £0.50</label>${plainCard}<table><tr><td>Basket</td><td>£${goods}.00</td></tr><tr><td>Delivery</td><td>£3.00</td></tr><tr><td>Tip</td><td id="tip">£2.50</td></tr><tr><th>Total to pay</th><td id="total">£${goods + 5}.50</td></tr></table><button type="submit">Pay now</button></form></main><script>document.querySelectorAll('[name=tip]').forEach((r)=>r.onchange=()=>{const t=r.value==='10'?2.5:0;document.getElementById('tip').textContent='£'+t.toFixed(2);document.getElementById('total').textContent='£'+(${goods + 3}+t).toFixed(2)})</script>`,
  );

const shop: Handler = ({ path, form, session }, orders) => {
  const goods = 25 + (session.has('upsell') ? 12 : 0);
  switch (path) {
    case '/case':
      return { html: product };
    case '/basket/add':
      for (const [name, value] of form) session.set(name, value);
      return { json: {} };
    case '/basket/upsell':
      session.set('upsell', '1');
      return { json: {} };
    case '/basket':
      return {
        html: inPage(
          'Basket',
          `<main><h1>Your basket</h1><table><tr><td>Phone Case ${session.get('model')}</td><td>£${goods}.00</td></tr></table>${wallets}<a class="btn" href="/checkout">Checkout securely</a></main>`,
        ),
      };
    case '/checkout':
      return { html: checkout('') };
    case '/details':
      for (const [name, value] of form) session.set(name, value);
      return { html: offer };
    case '/offer':
      session.set('cable', form.get('take') ?? '');
      return { to: '/payment' };
    case '/payment':
      return { html: payment(goods) };
    case '/order':
      orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
      return { to: '/thanks' };
    case '/wallet':
      session.set('wallet', '1');
      return { html: inPage('Wallet', '<h1>Sign in to your wallet</h1>') };
    default:
      return path === '/thanks' ? { html: thanks('PC-12') } : undefined;
  }
};

export const upsells: Layout = {
  title:
    'wallets above everything, an offer after the basket and one before the payment, a tip, a plan and a donation',
  path: '/case',
  shop,
  task: { request: 'for the P-13', maxCost: { amountMinor: 9_000n, currency: 'GBP' } },
  buys: {
    model: 'P-13',
    city: 'San Francisco',
    cable: '0',
    cardnumber: '4242424242424242',
    tip: '0',
  },
  without: ['plan', 'upsell', 'wallet', 'donate'],
};
