import { plainCard, plainFields } from '../pages-kit.ts';
import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout, thanks } from './kit.ts';

/** Steppers that show a number and have no field; a text to engrave; sizes that are gone. */
const product = (more: string) =>
  inPage(
    'Silver Ring',
    `<header><a href="/">Ringworks</a><a href="/basket" aria-label="Basket">🛒</a></header><main><h1>Silver Ring</h1><p>$35.00</p><div class="options"><span class="opt-title">Ring size</span><div class="opts">${['52', '54', '56'].map((one) => `<button type="button" class="opt${one === '56' ? ' is-unavailable' : ''}" data-value="${one}" aria-pressed="false"${one === '56' ? ' aria-disabled="true"' : ''}>${one}</button>`).join('')}</div></div>${more}
<div class="qty"><span role="button" tabindex="0" aria-label="Decrease" data-d="-1">–</span><b class="n">1</b><span role="button" tabindex="0" aria-label="Increase" data-d="1">+</span></div><div class="buy" style="cursor:pointer" id="add">Add to basket</div><p role="alert" class="error"></p></main>
<script>let size='';document.querySelectorAll('.opt').forEach((b)=>b.onclick=()=>{if(b.getAttribute('aria-disabled'))return;document.querySelectorAll('.opt').forEach((x)=>x.setAttribute('aria-pressed',String(x===b)));size=b.dataset.value});const n=document.querySelector('.n');document.querySelectorAll('[data-d]').forEach((b)=>b.onclick=()=>{n.textContent=Math.max(1,+n.textContent+ +b.dataset.d)});
document.getElementById('add').onclick=async()=>{const t=document.querySelector('[name=engraving]');const e=document.querySelector('.error');if(!size){e.textContent='Please select a size';return}if(t&&t.dataset.must&&!t.value){e.textContent='Engraving is required';return}await fetch('/basket/add',{method:'POST',body:new URLSearchParams({size,quantity:n.textContent,engraving:t?t.value:''})});location='/basket'}</script>`,
  );

const basket = (quantity: number, minimum: number) =>
  inPage(
    'Basket',
    `<main><h1>Basket</h1><ul><li class="line"><a href="/ring">Silver Ring</a><span class="qty"><button type="button" aria-label="Decrease quantity" data-d="-1">−</button><span>${quantity}</span><button type="button" aria-label="Increase quantity" data-d="1">+</button></span><span>$${35 * quantity}.00</span><button type="button" aria-label="Remove item">🗑</button></li></ul>${quantity < minimum ? `<p role="alert">The minimum order quantity is ${minimum}.</p>` : ''}<button type="button" id="go"${quantity < minimum ? ' disabled' : ''}>Checkout</button></main><script>document.querySelectorAll('[data-d]').forEach((b)=>b.onclick=async()=>{await fetch('/basket/change',{method:'POST',body:new URLSearchParams({by:b.dataset.d})});location.reload()});document.getElementById('go').onclick=()=>{location='/checkout'}</script>`,
  );

const ringShop =
  ({
    more = '',
    minimum = 1,
    isLossy = false,
  }: {
    readonly more?: string;
    readonly minimum?: number;
    readonly isLossy?: boolean;
  } = {}): Handler =>
  ({ path, form, session }, orders) => {
    const quantity = Number(session.get('quantity') ?? 0);
    if (path === '/ring') return { html: product(more) };
    if (path === '/basket/add') {
      for (const [name, value] of form) session.set(name, value);
      if (isLossy) session.set('quantity', '1');
      return { json: {} };
    }
    if (path === '/basket/change') {
      session.set('quantity', String(Math.max(1, quantity + Number(form.get('by')))));
      return { json: {} };
    }
    if (path === '/basket') return { html: basket(quantity, minimum) };
    if (path === '/checkout')
      return {
        html: inPage(
          'Checkout',
          `<main><h1>Checkout</h1><form method="post" action="/order">${plainFields}${plainCard}<dl><div><dt>Items (${quantity})</dt><dd>$${35 * quantity}.00</dd></div><div><dt>Order total</dt><dd>$${35 * quantity}.00</dd></div></dl><button>Place order</button></form></main>`,
        ),
      };
    if (path !== '/order') return path === '/thanks' ? { html: thanks('R7') } : undefined;
    orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
    return { to: '/thanks' };
  };

const maxCost = { amountMinor: 50_000n, currency: 'USD' };
const engraving =
  '<p><label for="eng">Engraving text (max. 12 characters) *</label><input id="eng" name="engraving" maxlength="12" data-must="1" required></p>';

export const steppers: Layout = {
  title:
    'sizes as buttons and steppers without a field: the quantity is counted by pressing, on the page or in the basket',
  path: '/ring',
  shop: ringShop({ isLossy: true }),
  task: { request: 'ring size 54, quantity 3', maxCost },
  buys: { size: '54', quantity: '3' },
};
export const engraved: Layout = {
  title: 'a text that the product needs is asked of the user',
  path: '/ring',
  shop: ringShop({ more: engraving }),
  task: { request: 'size 52', maxCost },
  answer: (request) => (request.kind === 'free-question' ? { answer: 'Für Ida' } : undefined),
  asks: ['free-question'],
  buys: { size: '52', engraving: 'Für Ida', quantity: '1' },
};
export const soldOut: Layout = {
  title: 'a variant that is sold out: what is left is asked about, and a no ends the run',
  path: '/ring',
  shop: ringShop(),
  task: { request: 'size 56', maxCost },
  asks: ['option-choice'],
  fails: /declined/i,
};
export const minimumQuantity: Layout = {
  title: 'a basket that wants more than was asked for ends the run and says why',
  path: '/ring',
  shop: ringShop({ minimum: 5 }),
  task: { request: 'size 52', maxCost },
  fails: /minimum order quantity is 5/i,
};
