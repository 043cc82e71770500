import { pageOf } from '../testing/pages-kit.ts';
import type { Handler } from '../testing/test-shop-kit.ts';

/** A control that the page draws, with the input that it stands for behind it. */
const radio = (name: string, value: string, text: string, more = '') =>
  `<label><span role="radio" tabindex="0" aria-checked="false" data-name="${name}" data-value="${value}" style="display:inline-block;width:16px;height:16px;border:1px solid"></span><input type="radio" tabindex="-1" aria-hidden="true" value="${value}" style="position:absolute;width:12px;height:12px">${text}</label>${more}`;

/**
 * A list that the page draws: what is chosen stands in a button beside a drawing with words of its
 * own.
 */
const list = (name: string, label: string, rows: readonly (readonly [string, string])[]) =>
  `<div><label for="${name}">${label}</label><button type="button" role="combobox" aria-haspopup="listbox" id="${name}" aria-expanded="false" data-rows='${JSON.stringify(rows)}'><span>${label}</span><svg width="10" height="10" aria-hidden="true"><text>▼</text></svg></button></div>`;

const script = `
const state = { rows: 0 };
const send = (path, body) => fetch(path, { method: 'POST', body: new URLSearchParams(body) }).then((answer) => answer.json());
const byId = (id) => document.getElementById(id);
let timer;
// Ways of delivery are looked for once the address rests, and choosing the country anew forgets
// them.
const rest = () => {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const address = { address: byId('street').value, city: byId('city').value, zip: byId('zip').value, country: byId('country').dataset.value || '', state: byId('state').dataset.value || '' };
    if (Object.values(address).some((one) => one === '')) return;
    const { ways } = await send('/save/address', { ...address, email: byId('email').value, name: byId('name').value });
    byId('ways').innerHTML = ways;
  }, 900);
};
document.addEventListener('input', rest);
document.addEventListener('click', async (event) => {
  const combo = event.target.closest('[role=combobox]');
  const option = event.target.closest('[role=option]');
  const drawn = event.target.closest('label') && event.target.closest('label').querySelector('[role=radio]');
  if (combo) {
    const open = combo.getAttribute('aria-expanded') === 'true';
    document.querySelectorAll('[role=listbox]').forEach((one) => one.remove());
    combo.setAttribute('aria-expanded', String(!open));
    if (!open) combo.parentElement.insertAdjacentHTML('beforeend', '<div role="listbox">' + JSON.parse(combo.dataset.rows).map(([value, text]) => '<div role="option" data-value="' + value + '">' + text + '</div>').join('') + '</div>');
  } else if (option) {
    const box = option.closest('div[role=listbox]').parentElement.querySelector('[role=combobox]');
    box.firstElementChild.textContent = option.textContent;
    box.dataset.value = option.dataset.value;
    box.setAttribute('aria-expanded', 'false');
    option.parentElement.remove();
    await send('/count', { what: box.id });
    rest();
  } else if (drawn) {
    event.preventDefault();
    drawn.setAttribute('aria-checked', 'true');
    drawn.nextElementSibling.checked = true;
    const { total } = await send('/save/' + drawn.dataset.name, { chosen: drawn.dataset.value });
    byId('summary').innerHTML = total;
    if (drawn.dataset.name === 'payment') { byId('order').disabled = false; byId('order').textContent = 'Place Order'; }
  }
});
document.querySelector('form#checkout').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { error } = await send('/order', {});
  if (!error) location = '/thanks';
});`;

const summaryOf = (shipping: boolean) =>
  `<div><span>Sub total</span><b>$20.00</b></div>${shipping ? '<div><span>Shipping (Standard)</span><b>$5.00</b></div>' : ''}<div><span>Total</span><b>${shipping ? '$25.00' : '$20.00'}</b></div>`;

const input = (id: string, label: string) =>
  `<div><label for="${id}">${label} *</label><input id="${id}"></div>`;
const checkout = `<h1>Checkout</h1><form id="checkout"><h2>Contact</h2>${input('email', 'Email')}<h2>Shipping Address</h2>${input('name', 'Full name')}${input('street', 'Address')}${input('city', 'City')}
${list('country', 'Country', [
  ['DE', 'Germany'],
  ['US', 'United States'],
])}${list('state', 'Province', [
  ['CA', 'California'],
  ['NY', 'New York'],
])}${input('zip', 'Postcode')}
<h2>Shipping Method</h2><div id="ways">Enter an address to see the ways.</div><h2>Payment</h2><div>${radio('payment', 'cod', 'Cash On Delivery')}</div>
<button type="submit" id="order" disabled>Select a payment method</button></form><h2>Order summary</h2><div id="summary">${summaryOf(false)}</div><script>${script}</script>`;

const product = `<h1>Blue Mug</h1><p>$20.00</p><button type="button" id="add">Add to cart</button><div id="drawer"></div><script>
document.getElementById('add').onclick = async () => {
  const { count } = await fetch('/add', { method: 'POST' }).then((answer) => answer.json());
  document.getElementById('drawer').innerHTML = '<div role="dialog" style="position:fixed;inset:10%;background:#fff"><p>Your cart</p><button type="button" onclick="location = &#96;/cart&#96;">View Cart (' + count + ')</button><button type="button" onclick="location = &#96;/checkout&#96;">Checkout</button></div>';
};</script>`;

const cartOf = (count: number) =>
  `<h1>Shopping cart</h1><ul><li><a href="/mug">Blue Mug</a> <span>$${20 * count}.00</span> <input aria-label="Quantity" type="number" value="${count}" onchange="fetch('/set', { method: 'POST', body: new URLSearchParams({ count: this.value }) }).then(() => location.reload())"> <button type="button">Remove</button></li></ul><a href="/checkout">Checkout</a>`;

/**
 * A shop whose controls are drawn, as EverShop 2.2.1 has them: lists and radios without names, one
 * way of paying, an order button that cannot be pressed before it is chosen, ways of delivery that
 * come once the address rests, and a layer with the way to the cart. `left`: so many lie in the
 * cart before.
 */
export const drawnShop =
  (left = 0): Handler =>
  ({ method, path, form, session }, orders) => {
    const count = () => Number(session.get('count') ?? left);
    switch (`${method} ${path}`) {
      case 'GET /mug':
        return { html: pageOf('Blue Mug', product) };
      case 'POST /add':
        session.set('count', String(count() + 1));
        return { json: { count: count() } };
      case 'POST /set':
        session.set('count', form.get('count')!);
        return { json: {} };
      case 'GET /cart':
        return { html: pageOf('Shopping cart', cartOf(count())) };
      case 'GET /checkout':
        return { html: pageOf('Checkout', checkout) };
      case 'POST /count':
        return { json: {} };
      case 'POST /save/address':
        for (const [name, value] of form) session.set(name, value);
        return { json: { ways: radio('shipping', 'standard', 'Standard $5.00') } };
      case 'POST /save/shipping':
      case 'POST /save/payment':
        session.set(path.slice('/save/'.length), form.get('chosen')!);
        return { json: { total: summaryOf(session.has('shipping')) } };
      case 'POST /order':
        if (!session.has('shipping')) return { json: { error: 'Choose a way of delivery.' } };
        orders.push(Object.fromEntries(session));
        return { json: {} };
      case 'GET /thanks':
        return {
          html: pageOf(
            'Thank you',
            '<h1>Thank you for your order!</h1><p>Your order number is <b>10004</b>.</p><p>Total $25.00</p>',
          ),
        };
      default:
        return undefined;
    }
  };
