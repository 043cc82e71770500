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
} from './store.ts';

const slug: Readonly<Record<ProductId, string>> = {
  mug: '/products/harbour-mug',
  set: '/products/harbour-mug-set',
  tray: '/products/oak-tray',
};
const ways = { bank: 'Bank Deposit', cod: 'Cash on Delivery (COD)' };

const productScript = `
for (const one of document.querySelectorAll('variant-selects input')) one.onchange = () => { $('.price-item--regular').textContent = one.value === 'Large' ? '$28.00' : '$24.00'; };
for (const one of document.querySelectorAll('quantity-input button')) one.onclick = () => { const field = one.parentElement.querySelector('input'); field.value = Math.max(1, Number(field.value) + (one.name === 'plus' ? 1 : -1)); };
$('product-form form').onsubmit = async (event) => {
  event.preventDefault();
  const button = $('[name=add]'); button.setAttribute('aria-disabled', 'true'); button.classList.add('loading');
  const { count, size } = await post('/cart/add.js', Object.fromEntries(new FormData(event.target)));
  button.removeAttribute('aria-disabled'); button.classList.remove('loading');
  $('.cart-count-bubble').innerHTML = '<span aria-hidden="true">' + count + '</span><span class="visually-hidden">' + count + ' items</span>';
  $('#cart-notification').innerHTML = '<div class="cart-notification__header"><h2 class="cart-notification__heading caption-large"><svg width="12" height="9"></svg>Item added to your cart</h2><button type="button" class="cart-notification__close" aria-label="Close"><svg width="18" height="17"></svg></button></div><div id="cart-notification-product" class="cart-notification-product"><div class="cart-notification-product__image"><img width="70" height="70" alt="Harbour Mug"></div><div><h3 class="cart-notification-product__name h4">Harbour Mug</h3><dl><div class="product-option"><dt>Size:</dt><dd>' + size + '</dd></div></dl></div></div><div class="cart-notification__links"><a href="/cart" id="cart-notification-button" class="button button--secondary">View cart (' + count + ')</a><form action="/checkout"><button class="button button--primary" name="checkout">Check out</button></form><button type="button" class="link button-label" data-close>Continue shopping</button></div>';
  $('cart-notification').hidden = false;
  $('#cart-notification .cart-notification__close').onclick = $('[data-close]').onclick = () => { $('cart-notification').hidden = true; };
};`;

const cartScript = `
const send = async (at, n) => { await post('/cart/change.js', { at, n }); location.reload(); };
for (const one of document.querySelectorAll('.quantity__input')) one.onchange = () => send(one.dataset.index, Number(one.value));
for (const one of document.querySelectorAll('quantity-input button')) one.onclick = () => { const field = one.parentElement.querySelector('input'); send(field.dataset.index, Math.max(0, Number(field.value) + (one.name === 'plus' ? 1 : -1))); };
for (const one of document.querySelectorAll('cart-remove-button a')) one.onclick = (event) => { event.preventDefault(); send(one.dataset.index, 0); };`;

const field = (name: string, label: string, more = '') =>
  `<div class="_7ozb2u2"><div class="cektnc0"><label id="${name}-label" for="${name}" class="cektnc3"><span class="cektnc9"><span class="rermvf1">${label}</span></span></label><div class="_7ozb2u6"><input id="${name}" name="${name}" placeholder="${label}" type="text" aria-required="true" aria-labelledby="${name}-label" class="_7ozb2ul" ${more}></div></div></div>`;
const list = (name: string, label: string, options: string) =>
  `<div class="vTXBW"><label class="QOQ2V" for="${name}"><span class="KBYKh"><span class="rermvf1">${label}</span></span></label><div class="R5Ptu"><select name="${name}" id="${name}" required autocomplete="shipping ${name}" class="_b6uH">${options}</select></div></div>`;
const radio = (name: string, value: string, title: string, price: string, isChosen: boolean) =>
  `<div class="B4zH6"><label for="${name}-${value}" class="yL8c2 D1RJr"><div class="hEGyz"><input type="radio" id="${name}-${value}" name="${name}" value="${value}"${isChosen ? ' checked' : ''} class="_6hzjvo5"></div><div class="dlQEy"><p>${title}</p>${price === '' ? '' : `<span class="notranslate">${price}</span>`}</div></label></div>`;

const checkout = `<div class="g9gqqf1"><header><h1><a href="/">Harbour &amp; Co</a></h1><a href="/cart" aria-label="Cart"><svg width="23" height="24"></svg></a></header><main id="checkout-main"><form action="" method="POST" novalidate id="Form0">
<section aria-label="Express checkout"><h2 class="n8k95w1">Express checkout</h2><div><button type="button" aria-label="Shop Pay"><svg width="60" height="20"></svg></button><button type="button" aria-label="PayPal"><svg width="60" height="20"></svg></button></div></section><div><p>OR</p></div>
<section aria-label="Contact"><div class="row"><h2 id="contact" class="n8k95w1">Contact</h2><a href="/account/login">Log in</a></div>${field('email', 'Email', 'autocomplete="shipping email"')}<div><input type="checkbox" id="marketing_opt_in" name="marketing_opt_in" checked><label for="marketing_opt_in">Email me with news and offers</label></div></section>
<section aria-label="Delivery"><h2 id="deliveryAddress" class="n8k95w1">Delivery</h2><div>${list('countryCode', 'Country/Region', countries)}${field('firstName', 'First name (optional)', 'autocomplete="shipping given-name"')}${field('lastName', 'Last name', 'autocomplete="shipping family-name"')}${field('address1', 'Address', 'role="combobox" aria-autocomplete="list" aria-expanded="false" aria-haspopup="listbox" autocomplete="shipping address-line1"')}${field('address2', 'Apartment, suite, etc. (optional)', 'autocomplete="shipping address-line2"')}${field('city', 'City', 'autocomplete="shipping address-level2"')}${list('zone', 'State', states)}${field('postalCode', 'ZIP code', 'autocomplete="shipping postal-code"')}</div><div><input type="checkbox" id="save" name="save_shipping_information"><label for="save">Save this information for next time</label></div></section>
<section aria-label="Shipping method"><h3 id="shippingMethod" class="n8k95w1">Shipping method</h3><div id="rates"><p>Enter your shipping address to view available shipping methods.</p></div></section>
<section aria-label="Payment"><h2 id="payment" class="n8k95w1">Payment</h2><p>All transactions are secure and encrypted.</p><fieldset id="basic"><legend class="visually-hidden">Choose a payment method</legend>${Object.entries(
  ways,
)
  .map(([id, title]) => radio('basic', id, title, '', id === 'bank'))
  .join('')}</fieldset></section>
<section aria-label="Billing address"><h3 class="n8k95w1">Billing address</h3><fieldset><legend class="visually-hidden">Choose a billing address</legend>${radio('billing_address', 'same', 'Same as shipping address', '', true)}${radio('billing_address', 'other', 'Use a different billing address', '', false)}</fieldset></section>
<section aria-label="Remember me"><h3 class="n8k95w1">Remember me</h3><div><input type="checkbox" id="RememberMe" name="RememberMe"><label for="RememberMe">Save my information for a faster checkout with a Shop account</label></div></section>
<div id="trouble"></div><div class="oQEAZ"><button id="checkout-pay-button" type="submit" class="QT4by rqC98"><span class="AjwsM">Complete order</span></button></div></form></main>
<aside aria-label="Order summary"><h2 class="visually-hidden">Order summary</h2><div id="summary"></div></aside></div>`;

const checkoutScript = `
let data;
const row = (item) => '<div role="row" class="_6zbcq56 row"><div role="cell" class="_6zbcq51g"><div class="_1m6j2n3d"><img width="64" height="64" alt="Harbour Mug"><div class="_1m6j2n3m"><span class="visually-hidden">Quantity</span><span class="_19gi7yt0">' + item.n + '</span></div></div></div><div role="cell" class="_6zbcq5q"><p class="_1x52f9s1">' + item.name + '</p>' + (item.size ? '<div><p class="_1x52f9s1">' + item.size + '</p></div>' : '') + '</div><div role="cell" class="_6zbcq514"><span class="_19gi7yt0 notranslate">' + cash(item.unit * item.n) + '</span></div></div>';
const line = (label, value, more = '') => '<div role="row" class="_1qy6ue61 row"><div role="rowheader" class="_1qy6ue67"><span class="_19gi7yt0">' + label + '</span></div><div role="cell" class="_1qy6ue68"><span class="_19gi7yt0 notranslate">' + value + '</span>' + more + '</div></div>';
const draw = () => {
  $('#summary').innerHTML = '<section><h3 class="visually-hidden">Shopping cart</h3><div role="table" aria-label="Shopping cart"><div role="rowgroup">' + data.items.map(row).join('') + '</div></div></section><section><h3 class="visually-hidden">Discount code or gift card</h3><form id="Form1"><label for="ReductionsInput0" class="visually-hidden">Discount code or gift card</label><input id="ReductionsInput0" name="reductions" placeholder="Discount code or gift card"><button type="submit" aria-label="Apply Discount Code" disabled><span>Apply</span></button></form></section><section><h3 class="visually-hidden">Cost summary</h3><div role="table" aria-label="Cost summary"><div role="rowgroup">' + line('Subtotal' + (data.count > 1 ? ' · ' + data.count + ' items' : ''), cash(data.subtotal)) + line('Shipping', data.rate ? cash(data.rates[data.rate].price) : 'Enter shipping address') + '</div><div role="row" class="row"><div role="rowheader"><strong>Total</strong></div><div role="cell"><abbr>USD</abbr> <strong class="notranslate">' + cash(data.subtotal + (data.rate ? data.rates[data.rate].price : 0)) + '</strong></div></div></div></section>';
  if (data.rates && !$('#rates input')) $('#rates').innerHTML = '<fieldset id="shipping_methods"><legend class="visually-hidden">Choose a shipping method</legend>' + Object.entries(data.rates).map(([id, rate]) => '<div class="B4zH6"><label for="shipping_methods-' + id + '" class="yL8c2 D1RJr"><div class="hEGyz"><input type="radio" id="shipping_methods-' + id + '" name="shipping_methods" value="' + id + '" class="_6hzjvo5"></div><div class="dlQEy"><p>' + rate.title + '</p><span class="notranslate">' + cash(rate.price) + '</span></div></label></div>').join('') + '</fieldset>';
  const own = $('#shipping_methods-' + data.rate); if (own) own.checked = true;
};
get('/checkouts/data').then((found) => { data = found; draw(); });
const value = (name) => $('[name="' + name + '"]').value;
let timer;
const busy = async (work) => { const button = $('#checkout-pay-button'); button.disabled = true; data = await work; draw(); button.disabled = false; };
document.addEventListener('change', (event) => {
  const { name, value: chosen } = event.target;
  if (['address1', 'city', 'zone', 'postalCode', 'countryCode'].includes(name)) { clearTimeout(timer); timer = setTimeout(() => { if (['address1', 'city', 'zone', 'postalCode', 'countryCode'].every(value)) busy(post('/checkouts/negotiate', { address: value('address1') })); }, 500); }
  if (name === 'shipping_methods') busy(post('/checkouts/negotiate', { rate: chosen }));
});
$('#Form0').onsubmit = async (event) => {
  event.preventDefault();
  for (const old of document.querySelectorAll('[id^=error-for]')) old.remove();
  const missing = ['email', 'lastName', 'address1', 'city', 'postalCode'].filter((name) => !value(name));
  for (const name of missing) $('#' + name).parentElement.insertAdjacentHTML('afterend', '<p id="error-for-' + name + '" role="alert">Enter a value</p>');
  if (missing.length || !data.rate) return;
  $('#checkout-pay-button').disabled = true; $('#checkout-pay-button').innerHTML = '<span>Processing order…</span>';
  const { to } = await post('/checkouts/submit', { email: value('email'), news: $('#marketing_opt_in').checked, way: $('[name=basic]:checked').value });
  setTimeout(() => { location = to; }, 800);
};`;

/** Theme Dawn, and the checkout on one page whose classes mean nothing. */
const open =
  (setting: Setting = {}): Handler =>
  ({ method, path, session, body }, orders) => {
    const cart = cartOf(session, setting);
    const whole = (title: string, inner: string, script = '') => ({
      html: page(
        title,
        `<header class="header"><a href="/">Harbour &amp; Co</a> <a href="/collections/all">Catalog</a><div class="header__icons"><a href="/account/login" class="header__icon--account"><span class="visually-hidden">Log in</span><svg width="18" height="19"></svg></a><a href="/cart" class="header__icon header__icon--cart" id="cart-icon-bubble"><svg width="20" height="20"></svg><span class="visually-hidden">Cart</span><div class="cart-count-bubble">${cart.count() > 0 ? `<span aria-hidden="true">${cart.count()}</span>` : ''}</div></a></div></header><cart-notification hidden style="position:absolute;right:0;top:40px;background:#fff;border:1px solid;width:340px;display:block"><div id="cart-notification" class="cart-notification" aria-modal="true" aria-label="Item added to your cart" role="dialog" tabindex="-1"></div></cart-notification><main id="MainContent">${inner}</main><footer class="footer"><form method="post" action="/contact#ContactFooter" class="footer__newsletter newsletter-form"><h2>Subscribe to our emails</h2><input type="email" name="contact[email]" placeholder="Email" aria-label="Email"><button type="submit" aria-label="Subscribe"><svg width="14" height="10"></svg></button></form></footer>`,
        script,
      ),
    });
    const items = () =>
      cart.lines().map((line, at) => ({
        at,
        name: goods[line.id].title,
        link: slug[line.id],
        size: line.size,
        unit: priceOf(line),
        n: line.n,
      }));
    const data = () => ({
      json: {
        items: items(),
        count: cart.count(),
        subtotal: cart.subtotal(),
        ...(session.has('rate') && { rate: session.get('rate'), rates: shippings }),
      },
    });
    const product = (Object.keys(slug) as ProductId[]).find((id) => slug[id] === path);
    if (method === 'GET' && product !== undefined) {
      const options = `<variant-selects><fieldset class="js product-form__input product-form__input--pill"><legend class="form__label">Size</legend>${Object.keys(
        sizes,
      )
        .map(
          (size, at) =>
            `<input type="radio" id="size-${at}" name="Size" value="${size}"${at === 0 ? ' checked' : ''} style="position:absolute;width:1px;height:1px;clip:rect(0,0,0,0)"><label for="size-${at}" style="display:inline-block;border:1px solid;padding:6px">${size}</label>`,
        )
        .join('')}</fieldset></variant-selects>`;
      const related = (['set', 'tray'] as const).map(
        (id) =>
          `<li class="grid__item"><div class="card-wrapper product-card-wrapper"><div class="card__content"><h3 class="card__heading h5"><a href="${slug[id]}" class="full-unstyled-link">${goods[id].title}</a></h3><div class="price"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular2">${money(goods[id].price)} USD</span></div></div></div></li>`,
      );
      return whole(
        goods[product].title,
        `<section class="product"><img width="300" height="200" alt="${goods[product].title}"><div class="product__info-wrapper"><div class="product__title"><h1>${goods[product].title}</h1></div><div class="price"><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">${money(goods[product].price)}</span></div></div><div class="product__tax caption rte">Taxes included. <a href="/policies/shipping-policy">Shipping</a> calculated at checkout.</div>${product === 'mug' ? options.replaceAll('name="Size"', 'name="Size" form="product-form"') : ''}<div class="product-form__input product-form__quantity"><label class="quantity__label form__label" for="Quantity">Quantity</label><quantity-input class="quantity"><button class="quantity__button" name="minus" type="button"><span class="visually-hidden">Decrease quantity for Harbour Mug</span><svg width="10" height="2"></svg></button><input class="quantity__input" type="number" name="quantity" id="Quantity" min="1" value="1" form="product-form"><button class="quantity__button" name="plus" type="button"><span class="visually-hidden">Increase quantity for Harbour Mug</span><svg width="10" height="10"></svg></button></quantity-input></div><product-form class="product-form"><form method="post" action="/cart/add" id="product-form" class="form"><input type="hidden" name="id" value="${goods[product].number}"><div class="product-form__buttons"><button type="submit" name="add" class="product-form__submit button button--full-width button--secondary"><span>Add to cart</span></button><div class="shopify-payment-button"><button type="button" class="shopify-payment-button__button">Buy it now</button></div></div></form></product-form></div></section><section class="related-products"><h2>You may also like</h2><ul class="grid product-grid">${related.join('')}</ul></section>`,
        productScript,
      );
    }
    const sent = body.startsWith('{') ? json(body) : {};
    switch (`${method} ${path}`) {
      case 'POST /cart/add.js':
        cart.add(idOf(String(sent['id'])), String(sent['Size']), Number(sent['quantity'] ?? 1));
        return { json: { count: cart.count(), size: sent['Size'] } };
      case 'POST /cart/change.js':
        cart.set(Number(sent['at']), Number(sent['n']));
        return { json: {} };
      case 'GET /cart': {
        if (cart.count() === 0)
          return whole(
            'Your Shopping Cart',
            '<h1 class="cart__empty-text">Your cart is empty</h1><a href="/collections/all" class="button">Continue shopping</a>',
          );
        const rows = items().map(
          (item) =>
            `<tr class="cart-item" id="CartItem-${item.at + 1}"><td class="cart-item__media"><a href="${item.link}?variant=1" class="cart-item__link" aria-hidden="true" tabindex="-1" style="display:block;width:60px;height:60px"></a><img class="cart-item__image" width="60" height="60" alt="${item.name}"></td><td class="cart-item__details"><a href="${item.link}?variant=1" class="cart-item__name h4 break">${item.name}</a><div class="product-option">${money(item.unit)}</div>${item.size ? `<dl><div class="product-option"><dt>Size: </dt><dd>${item.size}</dd></div></dl>` : ''}</td><td class="cart-item__quantity"><div class="cart-item__quantity-wrapper"><label class="visually-hidden" for="Quantity-${item.at + 1}">Quantity</label><quantity-input class="quantity"><button class="quantity__button" name="minus" type="button"><span class="visually-hidden">Decrease quantity for ${item.name} - ${item.size}</span><svg width="10" height="2"></svg></button><input class="quantity__input" type="number" name="updates[]" value="${item.n}" min="0" aria-label="Quantity for ${item.name} - ${item.size}" id="Quantity-${item.at + 1}" data-index="${item.at}"><button class="quantity__button" name="plus" type="button"><span class="visually-hidden">Increase quantity for ${item.name}</span><svg width="10" height="10"></svg></button></quantity-input><cart-remove-button><a href="/cart/change?id=1&quantity=0" class="button button--tertiary" aria-label="Remove ${item.name} - ${item.size}" data-index="${item.at}"><svg class="icon-remove" width="16" height="16"></svg></a></cart-remove-button></div></td><td class="cart-item__totals right"><span class="price price--end">${money(item.unit * item.n)}</span></td></tr>`,
        );
        return whole(
          'Your Shopping Cart',
          `<div class="title-wrapper-with-link"><h1 class="title title--primary">Your cart</h1><a href="/collections/all" class="underlined-link">Continue shopping</a></div><form action="/cart" class="cart__contents" method="post" id="cart"><table class="cart-items"><thead><tr><th>Product</th><th>Quantity</th><th>Total</th></tr></thead><tbody>${rows.join('')}</tbody></table></form><div class="cart__footer" id="main-cart-footer"><div class="totals"><h2 class="totals__total">Estimated total</h2><p class="totals__total-value">${money(cart.subtotal())} USD</p></div><small class="tax-note">Taxes, discounts and <a href="/policies/shipping-policy">shipping</a> calculated at checkout.</small><div class="cart__ctas"><button type="submit" id="checkout" class="cart__checkout-button button" name="checkout" form="out">Check out</button></div><form id="out" action="/checkout"></form></div>`,
          cartScript,
        );
      }
      case 'GET /checkout':
        return { to: '/checkouts/cn/Z2NwLXVzLWVhc3Qx' };
      case 'GET /checkouts/cn/Z2NwLXVzLWVhc3Qx':
        return { html: page('Checkout - Harbour & Co', checkout, checkoutScript) };
      case 'GET /checkouts/data':
        return data();
      case 'POST /checkouts/negotiate':
        if (sent['address'] !== undefined) session.set('address', String(sent['address']));
        session.set('rate', String(sent['rate'] ?? session.get('rate') ?? 'flat'));
        return data();
      case 'POST /checkouts/submit':
        place(orders, cart, {
          delivery: session.get('rate')!,
          way: String(sent['way']),
          email: String(sent['email']),
          address: session.get('address'),
          more: sent['news'] ? { news: 'yes' } : {},
        });
        return { json: { to: '/checkouts/cn/Z2NwLXVzLWVhc3Qx/thank-you' } };
      case 'GET /checkouts/cn/Z2NwLXVzLWVhc3Qx/thank-you':
        return whole(
          'Thank you for your purchase!',
          `<p>Confirmation #QX${7000 + orders.length}ZT</p><h2>Thank you, Ada!</h2><section><h2>Your order is confirmed</h2><p>You’ll receive a confirmation email soon</p></section>`,
        );
      default:
        return undefined;
    }
  };

export const shopifyDawn: Skin = {
  platform: 'Shopify with Dawn',
  path: slug.mug,
  currency: 'USD',
  open,
};
