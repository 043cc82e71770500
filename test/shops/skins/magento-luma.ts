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
  mug: '/harbour-mug.html',
  set: '/harbour-mug-set.html',
  tray: '/oak-tray.html',
};
const ways = { banktransfer: 'Bank Transfer Payment', cashondelivery: 'Cash On Delivery' };

const price = (cents: number) =>
  `<div class="price-box price-final_price"><span class="normal-price"><span class="price-container price-final_price"><span class="price-label">As low as</span> <span class="price-wrapper"><span class="price">${money(cents)}</span></span></span></span></div>`;

const miniCart = `<div data-block="minicart" class="minicart-wrapper"><a class="action showcart" href="/checkout/cart/"><span class="text">My Cart</span> <span class="counter qty empty"><span class="counter-number"></span><span class="counter-label"></span></span></a><div class="block block-minicart" id="mini" hidden></div></div>`;
/** The data of the cart come by themselves, after the page. */
const common = `
const mini = (data) => {
  $('.counter.qty').innerHTML = data.count ? '<span class="counter-number">' + data.count + '</span><span class="counter-label visually-hidden">items</span>' : '';
  $('#mini').innerHTML = '<div id="minicart-content-wrapper"><div class="block-title"><strong>My Cart <span class="qty">' + data.count + '</span></strong></div><div class="block-content"><button type="button" id="btn-minicart-close" class="action close" title="Close"><span>Close</span></button><div class="items-total"><span class="count">' + data.count + '</span> <span>Item in Cart</span></div><div class="subtotal"><span class="label"><span>Cart Subtotal</span></span><div class="amount price-container"><span class="price-wrapper"><span class="price">' + cash(data.subtotal) + '</span></span></div></div><div class="actions"><div class="primary"><button id="top-cart-btn-checkout" type="button" class="action primary checkout" title="Proceed to Checkout">Proceed to Checkout</button></div></div><div class="minicart-items-wrapper"><ol id="mini-cart" class="minicart-items">' + data.items.map((item) => '<li class="item product product-item odd"><div class="product"><a class="product-item-photo" href="' + item.link + '" title="' + item.name + '"><img width="40" height="40" alt="' + item.name + '"></a><div class="product-item-details"><strong class="product-item-name"><a href="' + item.link + '">' + item.name + '</a></strong><div class="product options"><span role="tab" class="toggle">See Details</span></div><div class="product-item-pricing"><div class="price-container"><span class="price">' + cash(item.unit) + '</span></div><div class="details-qty qty"><label class="label" for="cart-item-' + item.at + '-qty">Qty</label><input id="cart-item-' + item.at + '-qty" class="item-qty cart-item-qty" type="number" value="' + item.n + '"><button class="update-cart-item" style="display:none" title="Update"><span>Update</span></button></div></div><div class="product actions"><div class="primary"><a class="action edit" href="/checkout/cart/configure/" title="Edit item"><span>Edit</span></a></div><div class="secondary"><a href="#" class="action delete" title="Remove item" data-drop="' + item.at + '"><span>Remove</span></a></div></div></div></div></li>').join('') + '</ol></div><div class="actions"><div class="secondary"><a class="action viewcart" href="/checkout/cart/"><span>View and Edit Cart</span></a></div></div></div></div>';
};
const load = () => get('/customer/section/load/').then(mini);
load();
document.addEventListener('click', async (event) => {
  const one = event.target.closest('a,button');
  if (!one) return;
  if (one.matches('.showcart')) { event.preventDefault(); $('#mini').hidden = !$('#mini').hidden; }
  else if (one.id === 'btn-minicart-close') $('#mini').hidden = true;
  else if (one.id === 'top-cart-btn-checkout' || one.dataset.role === 'proceed-to-checkout') location = '/checkout/';
  else if (one.dataset.drop !== undefined) { event.preventDefault(); await post('/checkout/cart/drop/', { at: one.dataset.drop }); location.reload(); }
});`;

const productScript = `${common}
for (const one of document.querySelectorAll('.swatch-option')) one.onclick = () => { for (const other of document.querySelectorAll('.swatch-option')) { other.classList.toggle('selected', other === one); other.setAttribute('aria-checked', String(other === one)); } $('[name="super_attribute[144]"]').value = one.getAttribute('data-option-label'); $('.swatch-attribute-selected-option').textContent = one.getAttribute('data-option-label'); $('.product-info-price .price').textContent = cash(one.getAttribute('data-option-label') === 'Large' ? 2800 : 2400); };
for (const form of document.querySelectorAll('form[data-role=tocart-form]')) form.onsubmit = async (event) => {
  event.preventDefault();
  const size = form.querySelector('[name="super_attribute[144]"]');
  if (size && !size.value) { $('.swatch-attribute').insertAdjacentHTML('beforeend', '<div class="mage-error" role="alert">This is a required field.</div>'); return; }
  const button = form.querySelector('button.tocart'); const old = button.title; button.disabled = true; button.innerHTML = '<span>Adding...</span>';
  const { name } = await post(form.getAttribute('action'), Object.fromEntries(new FormData(form)));
  button.innerHTML = '<span>Added</span>';
  $('.page.messages').innerHTML = '<div role="alert" class="messages"><div class="message-success success message"><div>You added ' + name + ' to your <a href="/checkout/cart/">shopping cart</a>.</div></div></div>';
  await load();
  setTimeout(() => { button.disabled = false; button.innerHTML = '<span>' + old + '</span>'; }, 1000);
};`;

const field = (name: string, label: string, more = '') =>
  `<div class="field _required" name="shippingAddress.${name}"><label class="label" for="${name}"><span>${label}</span></label><div class="control"><input class="input-text" type="text" id="${name}" name="${name}" ${more}></div></div>`;
const list = (name: string, label: string, options: string) =>
  `<div class="field _required"><label class="label" for="${name}"><span>${label}</span></label><div class="control"><select class="select" id="${name}" name="${name}">${options}</select></div></div>`;

const checkout = `<div id="checkout" class="checkout-container"><ul class="opc-progress-bar"><li class="opc-progress-bar-item _active" id="bar-shipping"><span>Shipping</span></li><li class="opc-progress-bar-item" id="bar-payment"><span>Review &amp; Payments</span></li></ul>
<div class="opc-estimated-wrapper"><div class="estimated-block"><span class="estimated-label">Estimated Total</span><span class="estimated-price" id="estimate"></span></div></div>
<div class="authentication-wrapper"><button type="button" class="action action-auth-toggle"><span>Sign In</span></button></div>
<div class="opc-wrapper"><ol class="opc" id="checkoutSteps"><li id="shipping" class="checkout-shipping-address"><div class="step-title">Shipping Address</div><div id="checkout-step-shipping" class="step-content"><form class="form form-login"><fieldset class="fieldset"><div class="field required"><label class="label" for="customer-email"><span>Email Address</span></label><div class="control _with-tooltip"><input class="input-text" type="email" id="customer-email" name="username"><span class="note"><span>You can create an account after checkout.</span></span></div></div></fieldset></form>
<form class="form form-shipping-address" id="co-shipping-form"><div id="shipping-new-address-form" class="fieldset address">${field('firstname', 'First Name')}${field('lastname', 'Last Name')}${field('company', 'Company').replace(' _required', '')}<fieldset class="field street admin__control-fields required"><legend class="label"><span>Street Address</span></legend><div class="control">${[0, 1, 2].map((at) => `<div class="field${at === 0 ? ' _required' : ' additional'}"><label class="label visually-hidden" for="street${at}"><span>Street Address: Line ${at + 1}</span></label><div class="control"><input class="input-text" type="text" name="street[${at}]" id="street${at}"></div></div>`).join('')}</div></fieldset>${list('country_id', 'Country', countries)}${list('region_id', 'State/Province', states)}${field('city', 'City')}${field('postcode', 'Zip/Postal Code')}${field('telephone', 'Phone Number')}</div></form></div></li>
<li id="opc-shipping_method" class="checkout-shipping-method"><div class="checkout-shipping-method"><div class="step-title">Shipping Methods</div><div id="checkout-step-shipping_method" class="step-content"><div class="no-quotes-block">Sorry, no quotes are available for this order at this time</div></div></div></li>
<li id="payment" class="checkout-payment-method" hidden><div id="checkout-step-payment" class="step-content"><form id="co-payment-form" class="form payments" novalidate><fieldset class="fieldset"><legend class="legend"><span>Payment Information</span></legend><div class="payment-methods"><div class="step-title">Payment Method</div>${Object.entries(
  ways,
)
  .map(
    ([code, title]) =>
      `<div class="payment-method" data-code="${code}"><div class="payment-method-title field choice"><input type="radio" name="payment[method]" class="radio" id="${code}" value="${code}"><label class="label" for="${code}"><span>${title}</span></label></div><div class="payment-method-content" hidden><div class="payment-method-billing-address"><div class="checkout-billing-address"><div class="billing-address-same-as-shipping-block field choice"><input type="checkbox" name="billing-address-same-as-shipping" id="same-${code}" checked><label for="same-${code}"><span>My billing and shipping address are the same</span></label></div><div class="billing-address-details"></div></div></div><div class="checkout-agreements-block"></div><div class="actions-toolbar"><div class="primary"><button class="action primary checkout" type="submit" title="Place Order"><span>Place Order</span></button></div></div></div></div>`,
  )
  .join(
    '',
  )}</div></fieldset></form><div class="payment-option _collapsible opc-payment-additional discount-code"><div class="payment-option-title field choice" role="heading"><span class="action action-toggle" id="block-discount-heading" style="cursor:pointer">Apply Discount Code</span></div><div class="payment-option-content" id="discount" hidden><form class="form form-discount" id="discount-form"><label class="label" for="discount-code"><span>Enter discount code</span></label><input class="input-text" type="text" id="discount-code" name="discount_code" placeholder="Enter discount code"><button class="action action-apply" type="submit"><span>Apply Discount</span></button></form></div></div></div></li></ol></div>
<aside class="opc-sidebar opc-summary-wrapper"><div id="opc-sidebar"><div class="opc-block-summary"><span class="title">Order Summary</span><div id="totals"></div><div class="block items-in-cart"><div class="title" role="tab" aria-expanded="false" style="cursor:pointer"><strong role="heading" id="items"></strong></div><div class="content minicart-items" hidden></div></div></div><div class="opc-block-shipping-information" id="info"></div></div></aside></div>`;

const checkoutScript = `
let data;
const field = (name) => $('[name="' + name + '"]').value;
const line = (label, value, more = '') => '<tr class="totals ' + more + '"><th class="mark" scope="row">' + label + '</th><td class="amount"><strong><span class="price">' + value + '</span></strong></td></tr>';
const draw = () => { $('#items').innerHTML = '<span>' + data.count + '</span> <span>Item' + (data.count > 1 ? 's' : '') + ' in Cart</span>'; $('#estimate').textContent = cash(data.subtotal); $('.minicart-items').innerHTML = '<ol>' + data.items.map((item) => '<li class="product-item"><div class="product"><span class="product-image-container"><img width="40" height="40" alt="' + item.name + '"></span><div class="product-item-details"><div class="product-item-inner"><div class="product-item-name-block"><strong class="product-item-name">' + item.name + '</strong><div class="details-qty"><span class="label"><span>Qty</span></span> <span class="value">' + item.n + '</span></div></div><div class="subtotal"><span class="price">' + cash(item.unit * item.n) + '</span></div></div></div></div></li>').join('') + '</ol>'; };
get('/customer/section/load/').then((found) => { data = found; draw(); });
$('.items-in-cart .title').onclick = () => { $('.minicart-items').hidden = !$('.minicart-items').hidden; };
$('#block-discount-heading').onclick = () => { $('#discount').hidden = !$('#discount').hidden; };
const next = () => '<form class="form methods-shipping" id="co-shipping-method-form"><div id="checkout-shipping-method-load"><table class="table-checkout-shipping-method"><thead hidden><tr><th>Select Method</th><th>Price</th></tr></thead><tbody>' + Object.entries(data.rates).map(([id, rate], at) => '<tr class="row"><td class="col col-method"><input type="radio" class="radio" name="ko_unique_' + (at + 1) + '" value="' + id + '" aria-labelledby="label_method_' + id + ' label_carrier_' + id + '"></td><td class="col col-price"><span class="price"><span class="price">' + cash(rate.price) + '</span></span></td><td class="col col-method" id="label_method_' + id + '">' + (id === 'flat' ? 'Fixed' : 'Next day') + '</td><td class="col col-carrier" id="label_carrier_' + id + '">' + rate.title + '</td></tr>').join('') + '</tbody></table></div><div class="actions-toolbar" id="shipping-method-buttons-container"><div class="primary"><button data-role="opc-continue" type="submit" class="button action continue primary"><span>Next</span></button></div></div></form>';
let timer;
document.addEventListener('change', (event) => {
  if (['country_id', 'region_id', 'postcode'].includes(event.target.name)) { clearTimeout(timer); timer = setTimeout(async () => { if (!field('country_id')) return; data.rates = await post('/rest/default/V1/guest-carts/estimate-shipping-methods', {}); $('#checkout-step-shipping_method').innerHTML = next(); }, 300); }
  const radio = event.target;
  if (/^ko_unique/.test(radio.name)) for (const other of document.querySelectorAll('[name^=ko_unique]')) other.checked = other === radio;
  if (radio.name === 'payment[method]') { for (const one of document.querySelectorAll('.payment-method')) $('.payment-method-content', one).hidden = one.dataset.code !== radio.value; post('/rest/default/V1/guest-carts/set-payment-information', { method: radio.value }); }
});
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.id === 'co-shipping-method-form') {
    for (const old of document.querySelectorAll('.mage-error,.message.error')) old.remove();
    const missing = ['username', 'firstname', 'lastname', 'street[0]', 'city', 'postcode', 'telephone', 'region_id'].filter((name) => !field(name));
    for (const name of missing) $('[name="' + name + '"]').parentElement.insertAdjacentHTML('beforeend', '<div class="field-error mage-error" role="alert"><span>This is a required field.</span></div>');
    const chosen = document.querySelector('[name^=ko_unique]:checked');
    if (!chosen) form.insertAdjacentHTML('afterbegin', '<div role="alert" class="message notice message error"><span>The shipping method is missing. Select the shipping method and try again.</span></div>');
    if (missing.length || !chosen) return;
    const total = await post('/rest/default/V1/guest-carts/shipping-information', { email: field('username'), address: field('street[0]'), method: chosen.value });
    location.hash = 'payment';
    $('#shipping').hidden = $('#opc-shipping_method').hidden = true; $('#payment').hidden = false; $('.opc-estimated-wrapper').hidden = true;
    $('#totals').innerHTML = '<table class="data table table-totals"><caption class="visually-hidden">Order Summary</caption><tbody>' + line('Cart Subtotal', cash(total.subtotal), 'sub') + '<tr class="totals shipping excl"><th class="mark" scope="row"><span class="label">Shipping</span><span class="value">' + total.title + '</span></th><td class="amount"><span class="price">' + cash(total.shipping) + '</span></td></tr>' + line('Order Total', cash(total.total), 'grand') + '</tbody></table>';
    $('#info').innerHTML = '<div class="shipping-information"><div class="ship-to"><div class="shipping-information-title"><span>Ship To:</span><button class="action action-edit"><span>edit</span></button></div><div class="shipping-information-content">' + field('firstname') + ' ' + field('lastname') + '<br>' + field('street[0]') + '<br>' + field('city') + ', ' + field('postcode') + '</div></div><div class="ship-via"><div class="shipping-information-title"><span>Shipping Method:</span><button class="action action-edit"><span>edit</span></button></div><div class="shipping-information-content"><span class="value">' + total.title + '</span></div></div></div>';
    for (const box of document.querySelectorAll('.billing-address-details')) box.innerHTML = field('firstname') + ' ' + field('lastname') + '<br>' + field('street[0]') + '<br>' + field('city');
  } else if (form.id === 'co-payment-form') {
    const { to } = await post('/rest/default/V1/guest-carts/payment-information', { method: document.querySelector('[name="payment[method]"]:checked').value });
    location = to;
  }
});`;

/**
 * Knockout checkout of two steps behind the number sign, data of the cart that come after the page.
 */
const open =
  (setting: Setting = {}): Handler =>
  ({ method, path, form, session, body }, orders) => {
    const cart = cartOf(session, setting);
    const whole = (title: string, inner: string, script = common) => ({
      html: page(
        title,
        `<header class="page-header"><a class="logo" href="/">Harbour Store</a>${miniCart}<div class="block block-search"><form class="form minisearch" action="/catalogsearch/result/"><input name="q" placeholder="Search entire store here..."><button title="Search" class="action search"><span>Search</span></button></form></div></header><div class="page messages"></div><main class="page-main">${inner}</main><footer class="page-footer"><form class="form subscribe" action="/newsletter/subscriber/new/" method="post"><input name="email" type="email" placeholder="Enter your email address"><button class="action subscribe primary" title="Subscribe"><span>Subscribe</span></button></form></footer>`,
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
    const product = (Object.keys(slug) as ProductId[]).find((id) => slug[id] === path);
    if (method === 'GET' && product !== undefined) {
      const swatches = `<div class="product-options-wrapper"><div class="swatch-opt"><div class="swatch-attribute size"><span class="swatch-attribute-label">Size</span><span class="swatch-attribute-selected-option"></span><div role="listbox" aria-label="Size" class="swatch-attribute-options">${Object.keys(
        sizes,
      )
        .map(
          (size) =>
            `<div class="swatch-option text" role="option" aria-checked="false" tabindex="0" data-option-label="${size}" aria-label="${size}" style="display:inline-block;padding:6px;border:1px solid;cursor:pointer">${size}</div>`,
        )
        .join(
          '',
        )}</div><input class="swatch-input super-attribute-select" name="super_attribute[144]" type="text" value="" style="position:absolute;left:-999em"></div></div></div>`;
      const related = (['set', 'tray'] as const).map(
        (id) =>
          `<li class="item product product-item"><div class="product-item-info"><a class="product photo product-item-photo" href="${slug[id]}"><img width="90" height="90" alt="${goods[id].title}"></a><div class="product details"><strong class="product name product-item-name"><a class="product-item-link" href="${slug[id]}">${goods[id].title}</a></strong>${price(goods[id].price)}<div class="actions-primary"><form data-role="tocart-form" action="/checkout/cart/add/${goods[id].number}/" method="post"><button class="action tocart primary" type="submit" title="Add to Cart"><span>Add to Cart</span></button></form></div></div></div></li>`,
      );
      return whole(
        goods[product].title,
        `<div class="page-title-wrapper product"><h1 class="page-title"><span class="base">${goods[product].title}</span></h1></div><div class="product-info-main"><div class="product-info-price">${price(goods[product].price)}<div class="product-info-stock-sku"><div class="stock available"><span>In stock</span></div><div class="product attribute sku"><strong class="type">SKU</strong><div class="value">HM01</div></div></div></div><form data-role="tocart-form" action="/checkout/cart/add/${goods[product].number}/" method="post" id="product_addtocart_form">${product === 'mug' ? swatches : ''}<div class="box-tocart"><div class="fieldset"><div class="field qty"><label class="label" for="qty"><span>Qty</span></label><div class="control"><input type="number" name="qty" id="qty" min="0" value="1" title="Qty" class="input-text qty"></div></div><div class="actions"><button type="submit" title="Add to Cart" class="action primary tocart" id="product-addtocart-button"><span>Add to Cart</span></button></div></div></div></form><div class="product-social-links"><a href="#" class="action towishlist"><span>Add to Wish List</span></a><a href="#" class="action tocompare"><span>Add to Compare</span></a></div></div><img width="300" height="200" alt="${goods[product].title}"><div class="block upsell"><div class="block-title title"><strong>We found other products you might like!</strong></div><ol class="products list items product-items">${related.join('')}</ol></div>`,
        productScript,
      );
    }
    const sent =
      path.startsWith('/rest') || path.startsWith('/checkout/cart/')
        ? body.startsWith('{')
          ? json(body)
          : {}
        : {};
    const added = /^\/checkout\/cart\/add\/(\d+)\/$/.exec(path)?.[1];
    if (method === 'POST' && added !== undefined) {
      const id = idOf(added);
      cart.add(
        id,
        sent['super_attribute[144]'] === undefined
          ? undefined
          : String(sent['super_attribute[144]']),
        Number(sent['qty'] ?? 1),
      );
      return { json: { name: goods[id].title } };
    }
    switch (`${method} ${path}`) {
      case 'GET /customer/section/load/':
        return { json: { items: items(), count: cart.count(), subtotal: cart.subtotal() } };
      case 'POST /checkout/cart/drop/':
        cart.set(Number(sent['at']), 0);
        return { json: {} };
      case 'POST /checkout/cart/updatePost/':
        for (const [name, value] of form)
          if (/^cart\[\d+\]/.test(name)) cart.set(Number(/\d+/.exec(name)![0]), Number(value));
        return { to: '/checkout/cart/' };
      case 'GET /checkout/cart/': {
        if (cart.count() === 0)
          return whole(
            'Shopping Cart',
            '<h1 class="page-title"><span class="base">Shopping Cart</span></h1><div class="cart-empty"><p>You have no items in your shopping cart.</p></div>',
          );
        const rows = items().map(
          (item) =>
            `<tbody class="cart item"><tr class="item-info"><td data-th="Item" class="col item"><a href="${item.link}" title="${item.name}" tabindex="-1" class="product-item-photo"><img width="60" height="60" alt="${item.name}"></a><div class="product-item-details"><strong class="product-item-name"><a href="${item.link}">${item.name}</a></strong>${item.size ? `<dl class="item-options"><dt>Size</dt><dd>${item.size}</dd></dl>` : ''}</div></td><td class="col price" data-th="Price"><span class="price-excluding-tax"><span class="cart-price"><span class="price">${money(item.unit)}</span></span></span></td><td class="col qty" data-th="Qty"><div class="field qty"><div class="control qty"><label for="cart-${item.at}-qty"><span class="label visually-hidden">Qty</span><input id="cart-${item.at}-qty" name="cart[${item.at}][qty]" value="${item.n}" type="number" title="Qty" class="input-text qty"></label></div></div></td><td class="col subtotal" data-th="Subtotal"><span class="price-excluding-tax"><span class="cart-price"><span class="price">${money(item.unit * item.n)}</span></span></span></td></tr><tr class="item-actions"><td colspan="4"><div class="actions-toolbar"><a href="#" class="use-ajax action towishlist action-towishlist"><span>Move to Wishlist</span></a><a class="action action-edit" href="/checkout/cart/configure/" title="Edit item parameters"><span>Edit</span></a><a href="#" title="Remove item" class="action action-delete" data-drop="${item.at}"><span>Remove item</span></a></div></td></tr></tbody>`,
        );
        return whole(
          'Shopping Cart',
          `<h1 class="page-title"><span class="base">Shopping Cart</span></h1><div class="cart-container"><form action="/checkout/cart/updatePost/" method="post" id="form-validate" class="form form-cart"><div class="cart table-wrapper"><table id="shopping-cart-table" class="cart items data table"><caption class="table-caption visually-hidden">Shopping Cart Items</caption><thead><tr><th class="col item"><span>Item</span></th><th><span>Price</span></th><th><span>Qty</span></th><th><span>Subtotal</span></th></tr></thead>${rows.join('')}</table></div><div class="cart main actions"><button type="button" class="action clear" id="empty_cart_button" title="Clear Shopping Cart"><span>Clear Shopping Cart</span></button><button type="submit" name="update_cart_action" value="update_qty" title="Update Shopping Cart" class="action update"><span>Update Shopping Cart</span></button></div></form><div class="cart-summary"><strong class="summary title">Summary</strong><div id="block-shipping" class="block shipping"><div class="title" role="tab" style="cursor:pointer"><strong>Estimate Shipping and Tax</strong></div><div class="content" hidden></div></div><div id="cart-totals" class="cart-totals"><table class="data table totals"><tbody><tr class="totals sub"><th class="mark" scope="row">Subtotal</th><td class="amount"><span class="price">${money(cart.subtotal())}</span></td></tr><tr class="grand totals"><th class="mark" scope="row"><strong>Order Total</strong></th><td class="amount"><strong><span class="price">${money(cart.subtotal())}</span></strong></td></tr></tbody></table></div><ul class="checkout methods items checkout-methods-items"><li class="item"><button type="button" data-role="proceed-to-checkout" title="Proceed to Checkout" class="action primary checkout"><span>Proceed to Checkout</span></button></li><li class="item"><a class="action multicheckout" href="/multishipping/checkout/" title="Check Out with Multiple Addresses"><span>Check Out with Multiple Addresses</span></a></li></ul></div></div>`,
        );
      }
      case 'GET /checkout/':
        return {
          html: page(
            'Checkout',
            `<header class="page-header"><a class="logo" href="/">Harbour Store</a></header><main class="page-main">${checkout}</main>`,
            checkoutScript,
          ),
        };
      case 'POST /rest/default/V1/guest-carts/estimate-shipping-methods':
        return { json: shippings };
      case 'POST /rest/default/V1/guest-carts/shipping-information': {
        for (const key of ['email', 'address', 'method']) session.set(key, String(sent[key]));
        const rate = shippings[String(sent['method'])]!;
        return {
          json: {
            subtotal: cart.subtotal(),
            shipping: rate.price,
            total: cart.subtotal() + rate.price,
            title: `${rate.title} - Fixed`,
          },
        };
      }
      case 'POST /rest/default/V1/guest-carts/set-payment-information':
        return { json: true };
      case 'POST /rest/default/V1/guest-carts/payment-information':
        place(orders, cart, {
          delivery: session.get('method')!,
          way: String(sent['method']),
          email: session.get('email'),
          address: session.get('address'),
        });
        return { json: { to: '/checkout/onepage/success/' } };
      case 'GET /checkout/onepage/success/':
        return whole(
          'Success Page',
          `<h1 class="page-title"><span class="base">Thank you for your purchase!</span></h1><div class="checkout-success"><p>Your order # is: <span>00000${7000 + orders.length}</span>.</p><p>We'll email you an order confirmation with details and tracking info.</p><div class="actions-toolbar"><a class="action primary continue" href="/"><span>Continue Shopping</span></a></div></div><div id="registration"><p>You can track your order status by creating an account.</p><a class="action primary" href="/customer/account/delegateCreate/"><span>Create an Account</span></a></div>`,
        );
      default:
        return undefined;
    }
  };

export const magentoLuma: Skin = {
  platform: 'Magento 2 with Luma',
  path: slug.mug,
  currency: 'USD',
  open,
};
