import type { Handler } from '../../../src/runner/engine/testing/test-shop-kit.ts';
import {
  cartOf,
  countries,
  goods,
  idOf,
  json,
  money,
  type ProductId,
  page,
  place,
  priceOf,
  type Setting,
  type Skin,
  shippings,
  sizes,
  states,
  ways,
} from './store.ts';

const slug: Readonly<Record<ProductId, string>> = {
  mug: '/product/harbour-mug/',
  set: '/product/harbour-mug-set/',
  tray: '/product/oak-tray/',
};
const amount = (cents: number) =>
  `<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">$</span>${(cents / 100).toFixed(2)}</bdi></span>`;

const miniCart = (
  count: number,
  subtotal: number,
) => `<div class="wp-block-woocommerce-mini-cart wc-block-mini-cart"><button class="wc-block-mini-cart__button" aria-label="${count} item${count === 1 ? '' : 's'} in cart, total price of ${money(subtotal)}"><span class="wc-block-mini-cart__amount">${money(subtotal)}</span><span class="wc-block-mini-cart__quantity-badge"><svg width="20" height="20"></svg><span class="wc-block-mini-cart__badge">${count}</span></span></button></div>
<div id="drawer" class="wc-block-components-drawer__screen-overlay" hidden style="position:fixed;inset:0;background:#0005"><div class="wc-block-components-drawer wc-block-mini-cart__drawer" role="dialog" style="position:absolute;right:0;top:0;bottom:0;width:480px;background:#fff"><button class="wc-block-components-drawer__close" aria-label="Close"><svg width="12" height="12"></svg></button><h2 class="wc-block-mini-cart__title">Your cart</h2><div class="wc-block-mini-cart__items" data-lines></div><div class="wc-block-mini-cart__footer"><div class="wc-block-components-totals-item"><span class="wc-block-components-totals-item__label">Subtotal</span><span class="wc-block-components-totals-item__value" data-subtotal></span><div class="wc-block-components-totals-item__description">Shipping, taxes, and discounts calculated at checkout.</div></div><div class="wc-block-mini-cart__footer-actions"><a class="wc-block-components-button wc-block-mini-cart__footer-cart" href="/cart/">View my cart</a><a class="wc-block-components-button wc-block-mini-cart__footer-checkout" href="/checkout/">Go to checkout</a></div></div></div></div>`;

const table = `
const rowOf = (item) => '<tr class="wc-block-cart-items__row" tabindex="-1"><td class="wc-block-cart-item__image"><a href="' + item.link + '" tabindex="-1"><img width="60" height="60" alt="' + item.name + '"></a></td><td class="wc-block-cart-item__product"><div class="wc-block-cart-item__wrap"><a class="wc-block-components-product-name" href="' + item.link + '">' + item.name + '</a><div class="wc-block-cart-item__prices"><span class="price wc-block-components-product-price"><span class="wc-block-components-formatted-money-amount wc-block-components-product-price__value">' + cash(item.unit) + '</span></span></div><div class="wc-block-components-product-metadata"><div class="wc-block-components-product-metadata__description"><p>Stoneware, glazed by hand, holds 300 ml.</p></div>' + (item.size ? '<ul class="wc-block-components-product-details"><li><span class="wc-block-components-product-details__name">Size: </span> <span class="wc-block-components-product-details__value">' + item.size + '</span></li></ul>' : '') + '</div><div class="wc-block-cart-item__quantity"><div class="wc-block-components-quantity-selector"><input class="wc-block-components-quantity-selector__input" type="number" step="1" min="1" max="9999" aria-label="Quantity of ' + item.name + ' in your cart." value="' + item.n + '" data-at="' + item.at + '"><button aria-label="Reduce quantity of ' + item.name + '" class="wc-block-components-quantity-selector__button wc-block-components-quantity-selector__button--minus" data-at="' + item.at + '" data-by="-1"' + (item.n < 2 ? ' disabled' : '') + '>−</button><button aria-label="Increase quantity of ' + item.name + '" class="wc-block-components-quantity-selector__button wc-block-components-quantity-selector__button--plus" data-at="' + item.at + '" data-by="1">＋</button></div><button class="wc-block-cart-item__remove-link" aria-label="Remove ' + item.name + ' from cart" data-at="' + item.at + '" data-remove>Remove item</button></div></div></td><td class="wc-block-cart-item__total"><div class="wc-block-cart-item__total-price-and-sale-badge-wrapper"><span class="price wc-block-components-product-price"><span class="wc-block-components-formatted-money-amount wc-block-components-product-price__value">' + cash(item.unit * item.n) + '</span></span></div></td></tr>';
const tableOf = (cart) => '<table class="wc-block-cart-items wp-block-woocommerce-cart-line-items-block" tabindex="-1"><caption class="screen-reader-text"><h2>Products in cart</h2></caption><thead><tr class="wc-block-cart-items__header"><th><span>Product</span></th><th><span>Details</span></th><th><span>Total</span></th></tr></thead><tbody>' + cart.items.map(rowOf).join('') + '</tbody></table>';
let cart;
let draw = () => {};
const show = (next) => { cart = next; for (const box of document.querySelectorAll('[data-lines]')) box.innerHTML = tableOf(cart); for (const box of document.querySelectorAll('[data-subtotal]')) box.textContent = cash(cart.subtotal); $('.wc-block-mini-cart__badge').textContent = cart.count; $('.wc-block-mini-cart__button').setAttribute('aria-label', cart.count + ' items in cart, total price of ' + cash(cart.subtotal)); $('.wc-block-mini-cart__amount').textContent = cash(cart.subtotal); draw(); };
let later;
const set = (at, n) => { cart.items[at].n = n; show(cart); clearTimeout(later); later = setTimeout(async () => show(await post('/wp-json/wc/store/v1/batch', { at, n })), 400); };
document.addEventListener('click', async (event) => {
  const one = event.target.closest('button');
  if (!one) return;
  if (one.dataset.by) set(Number(one.dataset.at), cart.items[one.dataset.at].n + Number(one.dataset.by));
  else if ('remove' in one.dataset) show(await post('/wp-json/wc/store/v1/batch', { at: Number(one.dataset.at), n: 0 }));
  else if (one.matches('.wc-block-mini-cart__button')) $('#drawer').hidden = false;
  else if (one.matches('.wc-block-components-drawer__close')) $('#drawer').hidden = true;
});
document.addEventListener('input', (event) => { const one = event.target; if (one.matches('.wc-block-components-quantity-selector__input') && one.value) set(Number(one.dataset.at), Number(one.value)); });
get('/wp-json/wc/store/v1/cart').then((found) => show(found));
`;

const cartScript = `${table}
draw = () => { $('#cart').innerHTML = cart.count === 0 ? '<h2>Your cart is currently empty!</h2>' : '<div class="wc-block-components-sidebar-layout wc-block-cart"><div class="wc-block-cart__main">' + tableOf(cart) + '</div><div class="wc-block-cart__sidebar"><h2 class="wc-block-cart__totals-title">Cart totals</h2><div class="wc-block-components-totals-wrapper"><div class="wc-block-components-panel wc-block-components-totals-coupon"><button aria-expanded="false" class="wc-block-components-panel__button">Add coupons</button></div></div><div class="wc-block-components-totals-item"><span class="wc-block-components-totals-item__label">Subtotal</span><span class="wc-block-components-totals-item__value">' + cash(cart.subtotal) + '</span></div><div class="wc-block-components-totals-item wc-block-components-totals-footer-item"><span class="wc-block-components-totals-item__label">Estimated total</span><div class="wc-block-components-totals-item__value"><span>' + cash(cart.subtotal) + '</span></div></div><div class="wc-block-cart__submit"><a class="wc-block-components-button wc-block-cart__submit-button" href="/checkout/">Proceed to Checkout</a></div></div></div>'; };`;

const input = (id: string, label: string, more = '') =>
  `<div class="wc-block-components-text-input"><input type="text" id="${id}" ${more}><label for="${id}">${label}</label></div>`;
const select = (id: string, label: string, options: string) =>
  `<div class="wc-blocks-components-select"><div class="wc-blocks-components-select__container"><label for="${id}" class="wc-blocks-components-select__label">${label}</label><select id="${id}" class="wc-blocks-components-select__select">${options}</select></div></div>`;
const wayRadio = ([value, title]: readonly [string, string]) =>
  `<div class="wc-block-components-radio-control-accordion-option"><label class="wc-block-components-radio-control__option" for="radio-control-wc-payment-method-options-${value}"><input id="radio-control-wc-payment-method-options-${value}" class="wc-block-components-radio-control__input" type="radio" name="radio-control-wc-payment-method-options" value="${value}"${value === 'bank' ? ' checked' : ''}><div class="wc-block-components-radio-control__option-layout"><div class="wc-block-components-radio-control__label-group"><span class="wc-block-components-radio-control__label"><span class="wc-block-components-payment-method-label">${title}</span></span></div></div></label><div class="wc-block-components-radio-control-accordion-content" data-of="${value}"${value === 'bank' ? '' : ' hidden'}>${value === 'bank' ? 'Make your payment directly into our bank account.' : 'Pay with cash upon delivery.'}</div></div>`;
const block = (title: string, body: string) =>
  `<fieldset class="wc-block-components-checkout-step"><legend class="screen-reader-text">${title}</legend><div class="wc-block-components-checkout-step__heading"><h2 class="wc-block-components-title wc-block-components-checkout-step__title">${title}</h2></div><div class="wc-block-components-checkout-step__content">${body}</div></fieldset>`;

const checkout = `<div class="wc-block-components-sidebar-layout wc-block-checkout"><div class="wc-block-components-main wc-block-checkout__main"><form class="wc-block-components-form wc-block-checkout__form" aria-label="Checkout">
${block('Contact information', `<a href="/my-account/?redirect_to=checkout">Log in</a>${input('email', 'Email address', 'type="email" autocomplete="email" required')}<div class="wc-block-components-checkbox"><label for="mail"><input id="mail" type="checkbox"><span>I would like to receive exclusive emails with discounts and product information</span></label></div>`)}
${block('Shipping address', `${select('shipping-country', 'Country/Region', countries)}${input('shipping-first_name', 'First name')}${input('shipping-last_name', 'Last name')}${input('shipping-address_1', 'Address')}<span role="button" class="wc-block-components-address-form__address_2-toggle" style="cursor:pointer">+ Add apartment, suite, etc.</span>${input('shipping-city', 'City')}${select('shipping-state', 'State', states)}${input('shipping-postcode', 'ZIP Code')}${input('shipping-phone', 'Phone (optional)')}<div class="wc-block-components-checkbox"><label for="same"><input id="same" type="checkbox" checked><span>Use same address for billing</span></label></div>`)}
${block('Shipping options', '<div id="rates"><p>Enter a shipping address to view shipping options.</p></div>')}
${block('Payment options', `<div class="wc-block-components-radio-control">${Object.entries(ways).map(wayRadio).join('')}</div>`)}
${block('', '<div class="wc-block-components-checkbox"><label for="note"><input id="note" type="checkbox"><span>Add a note to your order</span></label></div>')}
<div class="wc-block-checkout__terms"><span>By proceeding with your purchase you agree to our <a href="/terms" target="_blank">Terms and Conditions</a> and <a href="/privacy" target="_blank">Privacy Policy</a></span></div>
<div id="trouble"></div><div class="wc-block-checkout__actions"><div class="wc-block-checkout__actions_row row"><a class="wc-block-components-checkout-return-to-cart-button" href="/cart/"><svg width="9" height="9"></svg>Return to Cart</a><button type="button" class="wc-block-components-button wc-block-components-checkout-place-order-button"><span class="wc-block-components-button__text">Place Order</span></button></div></div></form></div>
<div class="wc-block-components-sidebar wc-block-checkout__sidebar"><div id="summary" class="wp-block-woocommerce-checkout-order-summary-block"></div></div></div>`;

const checkoutScript = `${table}
const summary = (item) => '<div class="wc-block-components-order-summary-item row"><div class="wc-block-components-order-summary-item__image"><div class="wc-block-components-order-summary-item__quantity"><span aria-hidden="true">' + item.n + '</span><span class="screen-reader-text">' + item.n + ' items</span></div><img width="40" height="40" alt=""></div><div class="wc-block-components-order-summary-item__description"><h3 class="wc-block-components-product-name">' + item.name + '</h3><span class="wc-block-components-order-summary-item__individual-prices price"><span class="wc-block-components-formatted-money-amount wc-block-components-order-summary-item__regular-individual-price">' + cash(item.unit) + '</span></span><div class="wc-block-components-product-metadata"><p>Stoneware, glazed by hand.</p>' + (item.size ? '<ul><li><span>Size: </span><span>' + item.size + '</span></li></ul>' : '') + '</div></div><span class="screen-reader-text">Total price for ' + item.n + ' ' + item.name + ' items: ' + cash(item.unit * item.n) + '</span><div class="wc-block-components-order-summary-item__total-price" aria-hidden="true"><span class="price wc-block-components-product-price"><span class="wc-block-components-formatted-money-amount">' + cash(item.unit * item.n) + '</span></span></div></div>';
const item = (label, value, more = '') => '<div class="wc-block-components-totals-item ' + more + '"><span class="wc-block-components-totals-item__label">' + label + '</span><div class="wc-block-components-totals-item__value"><span class="wc-block-components-formatted-money-amount">' + value + '</span></div></div>';
draw = () => {
  $('#summary').innerHTML = '<div class="wc-block-components-checkout-order-summary__title" role="button" aria-expanded="true"><p class="wc-block-components-checkout-order-summary__title-text">Order summary</p></div><div class="wc-block-components-checkout-order-summary__content">' + cart.items.map(summary).join('') + '<div class="wc-block-components-totals-wrapper"><div class="wc-block-components-panel"><button type="button" class="wc-block-components-panel__button" aria-expanded="false">Add coupons</button></div></div>' + item('Subtotal', cash(cart.subtotal)) + (cart.rate ? item('Shipping', cash(cart.rates[cart.rate].price)) : item('Shipping', 'Enter address to calculate')) + item('Total', cash(cart.subtotal + (cart.rate ? cart.rates[cart.rate].price : 0)), 'wc-block-components-totals-footer-item') + '</div>';
  if (cart.rates && !$('#rates input')) $('#rates').innerHTML = '<div class="wc-block-components-radio-control">' + Object.entries(cart.rates).map(([id, rate]) => '<label class="wc-block-components-radio-control__option" for="radio-control-0-' + id + '"><input id="radio-control-0-' + id + '" class="wc-block-components-radio-control__input" type="radio" name="radio-control-0" value="' + id + '"' + (cart.rate === id ? ' checked' : '') + '><div class="wc-block-components-radio-control__option-layout"><div class="wc-block-components-radio-control__label-group"><span class="wc-block-components-radio-control__label">' + rate.title + '</span><span class="wc-block-components-radio-control__secondary-label">' + cash(rate.price) + '</span></div></div></label>').join('') + '</div>';
};
const order = $('.wc-block-components-checkout-place-order-button');
let rest;
const field = (id) => $('#' + id).value;
const address = () => ({ country: field('shipping-country'), address: field('shipping-address_1'), city: field('shipping-city'), state: field('shipping-state'), postcode: field('shipping-postcode') });
const busy = async (work) => { order.disabled = true; try { show(await work); } finally { order.disabled = false; } };
const rested = () => { clearTimeout(rest); rest = setTimeout(() => { if (Object.values(address()).every(Boolean)) busy(post('/wp-json/wc/store/v1/cart/update-customer', address())); }, 1000); };
document.addEventListener('input', (event) => { if (event.target.id.startsWith('shipping-')) rested(); });
document.addEventListener('change', (event) => {
  const { name, value, id } = event.target;
  if (id.startsWith('shipping-')) rested();
  if (name === 'radio-control-0') busy(post('/wp-json/wc/store/v1/cart/select-shipping-rate', { rate: value }));
  if (name === 'radio-control-wc-payment-method-options') { for (const one of document.querySelectorAll('[data-of]')) one.hidden = one.dataset.of !== value; post('/wp-json/wc/store/v1/checkout', { payment_method: value }, 'PUT'); }
});
order.addEventListener('click', async () => {
  const missing = ['email', 'shipping-first_name', 'shipping-last_name', 'shipping-address_1', 'shipping-city', 'shipping-postcode'].filter((id) => !field(id));
  for (const old of document.querySelectorAll('.wc-block-components-validation-error')) old.remove();
  for (const id of missing) $('#' + id).parentElement.insertAdjacentHTML('beforeend', '<div class="wc-block-components-validation-error" role="alert"><p>Please enter a valid ' + id.replace(/.*-/, '') + '</p></div>');
  if (missing.length > 0) return;
  order.disabled = true;
  order.innerHTML = '<span class="wc-block-components-spinner" aria-hidden="true"></span>';
  const { to, error } = await post('/wp-json/wc/store/v1/checkout', { ...address(), email: field('email'), mail: $('#mail').checked, payment_method: $('[name=radio-control-wc-payment-method-options]:checked').value });
  if (to) location = to;
  else { order.disabled = false; order.textContent = 'Place Order'; $('#trouble').innerHTML = '<div class="wc-block-components-notice-banner is-error" role="alert">' + error + '</div>'; }
});`;

/** Block theme, cart and checkout blocks, Store API. */
const open =
  (setting: Setting = {}): Handler =>
  ({ method, path, form, session, body }, orders) => {
    const cart = cartOf(session, setting);
    const whole = (title: string, inner: string, script = table) => ({
      html: page(
        title,
        `<header class="wp-block-template-part"><a href="/">Kontor</a> <a href="/shop/">Shop</a>${miniCart(cart.count(), cart.subtotal())}</header><main class="wp-block-group">${inner}</main><footer><a href="/my-account/">My account</a></footer>`,
        script,
      ),
    });
    const data = () => {
      const rate = session.get('rate');
      const items = cart.lines().map((line, at) => ({
        at,
        name: goods[line.id].title,
        link: slug[line.id],
        size: line.size,
        unit: priceOf(line),
        n: line.n,
      }));
      return {
        json: {
          items,
          count: cart.count(),
          subtotal: cart.subtotal(),
          ...(rate !== undefined && { rate, rates: shippings }),
        },
      };
    };
    const product = (Object.keys(slug) as ProductId[]).find((id) => slug[id] === path);
    if (product !== undefined) {
      let notice = '';
      if (method === 'POST') {
        const id = idOf(form.get('add-to-cart')!);
        if (id === 'mug' && !form.get('attribute_pa_size'))
          notice =
            '<div class="wc-block-components-notice-banner is-error" role="alert">Please choose product options&hellip;</div>';
        else {
          cart.add(
            id,
            form.get('attribute_pa_size') ?? undefined,
            Number(form.get('quantity') ?? 1),
          );
          notice = `<div class="wc-block-components-notice-banner is-success" role="alert"><svg width="20" height="20"></svg><div class="wc-block-components-notice-banner__content"><a href="/cart/" class="button wc-forward wp-element-button">View cart</a> “${goods[id].title}” has been added to your cart.</div></div>`;
        }
      }
      const variations =
        product === 'mug'
          ? `<table class="variations" role="presentation"><tbody><tr><th class="label"><label for="pa_size">Size</label></th><td class="value"><select id="pa_size" name="attribute_pa_size"><option value="">Choose an option</option>${Object.keys(
              sizes,
            )
              .map((size) => `<option value="${size}">${size}</option>`)
              .join(
                '',
              )}</select><a class="reset_variations" href="#" style="visibility:hidden">Clear</a></td></tr></tbody></table><div class="single_variation"></div>`
          : '';
      const related = (['set', 'tray'] as const).map(
        (id) =>
          `<li class="wc-block-product"><a href="${slug[id]}"><img width="90" height="90" alt="${goods[id].title}"></a><h3 class="wp-block-post-title"><a href="${slug[id]}">${goods[id].title}</a></h3><div class="wc-block-components-product-price">${amount(goods[id].price)}</div><div class="wp-block-button wc-block-components-product-button"><button class="wp-block-button__link add_to_cart_button ajax_add_to_cart" data-product_id="${goods[id].number}" aria-label="Add to cart: “${goods[id].title}”"><span>Add to cart</span></button></div></li>`,
      );
      const price =
        product === 'mug'
          ? `${amount(2400)} <span aria-hidden="true">–</span> ${amount(2800)}`
          : amount(goods[product].price);
      return whole(
        goods[product].title,
        `${notice}<nav class="woocommerce-breadcrumb"><a href="/">Home</a> / ${goods[product].title}</nav><div class="wp-block-columns"><img width="300" height="200" alt="${goods[product].title}"><div><h1 class="wp-block-post-title">${goods[product].title}</h1><div class="wc-block-components-product-price">${price}</div><p>Stoneware, glazed by hand, holds 300 ml.</p><form class="cart variations_form" action="${path}" method="post">${variations}<div class="quantity"><label class="screen-reader-text" for="quantity_1">${goods[product].title} quantity</label><input type="number" id="quantity_1" class="input-text qty text" name="quantity" value="1" aria-label="Product quantity" min="1" step="1"></div><input type="hidden" name="add-to-cart" value="${goods[product].number}"><button type="submit" class="single_add_to_cart_button button alt">Add to cart</button></form></div></div>
        <div id="reviews"><h2>Reviews</h2><p>There are no reviews yet.</p><form id="commentform" action="/wp-comments-post.php" method="post"><label for="rating">Your rating</label><select name="rating" id="rating"><option value="">Rate…</option><option value="5">Perfect</option><option value="1">Very poor</option></select><label for="comment">Your review *</label><textarea id="comment" name="comment"></textarea><label for="author">Name *</label><input id="author" name="author"><label for="mail2">Email *</label><input id="mail2" name="email" type="email"><input type="submit" value="Submit"></form></div>
        <div class="wp-block-woocommerce-related-products"><h2>Related products</h2><ul class="wc-block-product-template">${related.join('')}</ul></div>`,
        `${table}
const size = $('#pa_size');
if (size) size.onchange = () => { $('.single_variation').innerHTML = size.value ? '<span class="price"><span class="woocommerce-Price-amount amount"><bdi>' + cash(size.value === 'Large' ? 2800 : 2400) + '</bdi></span></span>' : ''; };
document.addEventListener('click', async (event) => { const one = event.target.closest('.ajax_add_to_cart'); if (one) { show(await post('/wp-json/wc/store/v1/cart/add-item', { id: one.dataset.product_id })); one.textContent = '1 in cart'; } });`,
      );
    }
    const sent = method === 'GET' ? {} : path.startsWith('/wp-json') ? json(body) : {};
    switch (`${method} ${path}`) {
      case 'GET /cart/':
        return whole(
          'Cart',
          '<h1 class="wp-block-post-title">Cart</h1><div id="cart" class="wp-block-woocommerce-cart"></div>',
          cartScript,
        );
      case 'GET /checkout/':
        return whole(
          'Checkout',
          `<h1 class="wp-block-post-title">Checkout</h1>${checkout}`,
          checkoutScript,
        );
      case 'GET /wp-json/wc/store/v1/cart':
        return data();
      case 'POST /wp-json/wc/store/v1/batch':
        cart.set(Number(sent['at']), Number(sent['n']));
        return data();
      case 'POST /wp-json/wc/store/v1/cart/add-item':
        cart.add(idOf(String(sent['id'])), undefined, 1);
        return data();
      case 'POST /wp-json/wc/store/v1/cart/update-customer':
        session.set('address', String(sent['address']));
        session.set('rate', session.get('rate') ?? 'flat');
        return data();
      case 'POST /wp-json/wc/store/v1/cart/select-shipping-rate':
        session.set('rate', String(sent['rate']));
        return data();
      case 'PUT /wp-json/wc/store/v1/checkout':
        return data();
      case 'POST /wp-json/wc/store/v1/checkout': {
        if (!session.has('rate'))
          return { json: { error: 'No shipping method has been selected.' }, status: 400 };
        const number = place(orders, cart, {
          delivery: session.get('rate')!,
          way: String(sent['payment_method']),
          email: String(sent['email']),
          address: String(sent['address']),
          more: sent['mail'] ? { news: 'yes' } : {},
        });
        return { json: { to: `/checkout/order-received/${number}/` } };
      }
      default:
        return path.startsWith('/checkout/order-received/')
          ? whole(
              'Order received',
              `<h1>Order received</h1><p class="woocommerce-thankyou-order-received">Thank you. Your order has been received.</p><ul class="woocommerce-order-overview"><li>Order number: <strong>${7000 + orders.length}</strong></li><li>Total: <strong>${money(Number(orders.at(-1)!['total']))}</strong></li><li>Payment method: <strong>${ways[orders.at(-1)!['way']!]}</strong></li></ul>`,
            )
          : undefined;
    }
  };

export const wooCommerceBlocks: Skin = {
  platform: 'WooCommerce with blocks',
  path: slug.mug,
  currency: 'USD',
  open,
};
