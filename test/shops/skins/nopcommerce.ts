import type { Handler } from '../../../src/runner/engine/testing/test-shop-kit.ts';
import {
  cartOf,
  countries,
  goods,
  idOf,
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
  mug: '/harbour-mug',
  set: '/harbour-mug-set',
  tray: '/oak-tray',
};
const ways: Readonly<Record<string, string>> = {
  'Payments.CheckMoneyOrder': 'Check / Money Order',
  'Payments.CashOnDelivery': 'Cash On Delivery (COD)',
};

const productScript = `
for (const one of document.querySelectorAll('.add-to-cart-button,.product-box-add-to-cart-button')) one.onclick = async () => {
  const form = one.closest('form') || $('#product-details-form');
  const body = new URLSearchParams(new FormData(form)); body.set('id', one.dataset.productid);
  const answer = await fetch('/addproducttocart/details', { method: 'POST', body }).then((found) => found.json());
  $('.cart-qty').textContent = '(' + answer.count + ')';
  $('#bar-notification').innerHTML = '<div class="bar-notification ' + (answer.error ? 'error' : 'success') + '" style="position:fixed;top:0;left:0;right:0;background:#4a4"><p class="content">' + (answer.error || 'The product has been added to your <a href="/cart">shopping cart</a>') + '</p><span class="close" title="Close" style="cursor:pointer">&times;</span></div>';
  $('#bar-notification .close').onclick = () => { $('#bar-notification').innerHTML = ''; };
};`;

const field = (name: string, label: string, isRequired = true) =>
  `<div class="inputs"><label for="B_${name}">${label}:</label><input type="text" id="B_${name}" name="BillingNewAddress.${name}">${isRequired ? '<span class="required">*</span>' : ''}<span class="field-validation-valid"></span></div>`;
const step = (id: string, at: number, title: string, body: string) =>
  `<li id="opc-${id}" class="tab-section${at === 1 ? ' allow active' : ''}"><div class="step-title"><span class="number">${at}</span><h2 class="title">${title}</h2></div><div id="checkout-step-${id}" class="step a-item"${at === 1 ? '' : ' style="display:none"'}>${body}</div></li>`;
const buttons = (id: string, label = 'Continue', hasBack = true) =>
  `<div class="buttons" id="${id}-buttons-container">${hasBack ? `<p class="back-link"><a href="#" onclick="return false"><small>&laquo; </small>Back</a></p>` : ''}<button type="button" class="button-1 ${id}-next-step-button" data-step="${id}">${label}</button><span class="please-wait" style="display:none">Loading next step...</span></div>`;
const checkout = `<div class="page checkout-page"><div class="page-title"><h1>Checkout</h1></div><div class="page-body checkout-data"><ol class="opc" id="checkout-steps">
${step('billing', 1, 'Billing address', `<form id="co-billing-form"><p class="selector ship-to-same-address"><input type="checkbox" checked id="ShipToSameAddress" name="ShipToSameAddress"><label for="ShipToSameAddress">Ship to the same address</label></p><div class="edit-address">${field('FirstName', 'First name')}${field('LastName', 'Last name')}${field('Email', 'Email')}${field('Company', 'Company', false)}<div class="inputs"><label for="B_CountryId">Country:</label><select id="B_CountryId" name="BillingNewAddress.CountryId">${countries}</select><span class="required">*</span></div><div class="inputs"><label for="B_State">State / province:</label><select id="B_State" name="BillingNewAddress.StateProvinceId">${states}</select><span class="required">*</span></div>${field('City', 'City')}${field('Address1', 'Address 1')}${field('Address2', 'Address 2', false)}${field('ZipPostalCode', 'Zip / postal code')}${field('PhoneNumber', 'Phone number')}${field('FaxNumber', 'Fax number', false)}</div>${buttons('billing', 'Continue', false)}</form>`)}
${step('shipping_method', 2, 'Shipping method', '<form id="co-shipping-method-form"></form>')}${step('payment_method', 3, 'Payment method', '<form id="co-payment-method-form"></form>')}${step('payment_info', 4, 'Payment information', '<form id="co-payment-info-form"></form>')}${step('confirm_order', 5, 'Confirm order', '<div id="confirm"></div>')}</ol></div></div>`;
const checkoutScript = `
const order = ['billing', 'shipping_method', 'payment_method', 'payment_info', 'confirm_order'];
document.addEventListener('click', async (event) => {
  const one = event.target.closest('[data-step]');
  if (!one || one.disabled) return;
  const form = one.closest('form');
  const body = new URLSearchParams(form ? new FormData(form) : {});
  one.disabled = true; one.nextElementSibling.style.display = 'inline';
  const answer = await fetch('/checkout/' + (one.dataset.step === 'confirm_order' ? 'OpcConfirmOrder' : one.dataset.step), { method: 'POST', body }).then((found) => found.json());
  one.disabled = false; one.nextElementSibling.style.display = 'none';
  if (answer.to) { location = answer.to; return; }
  if (answer.errors) { for (const name of answer.errors) document.getElementsByName(name)[0].parentElement.querySelector('span[class^=field-validation]').outerHTML = '<span class="field-validation-error">Required</span>'; return; }
  const at = order.indexOf(one.dataset.step);
  $('#opc-' + order[at]).classList.remove('active');
  $('#checkout-step-' + order[at]).style.display = 'none';
  $('#opc-' + order[at + 1]).classList.add('allow', 'active');
  const next = $('#checkout-step-' + order[at + 1]);
  next.querySelector('form,#confirm').innerHTML = answer.html;
  next.style.display = 'block';
});`;

/**
 * One-page checkout of nopCommerce: parts that open one after the other, each sent by its own
 * button; terms in the cart; a guest's way beside the login.
 */
const open =
  (setting: Setting = {}): Handler =>
  ({ method, path, form, session }, orders) => {
    const cart = cartOf(session, setting);
    const shipping = () => shippings[session.get('delivery') ?? '']?.price;
    const whole = (title: string, inner: string, script = '') => ({
      html: page(
        `Your store. ${title}`,
        `<div id="bar-notification"></div><div class="header"><div class="header-links"><ul><li><a href="/register" class="ico-register">Register</a></li><li><a href="/login" class="ico-login">Log in</a></li><li><a href="/wishlist" class="ico-wishlist"><span class="wishlist-label">Wishlist</span> <span class="wishlist-qty">(0)</span></a></li><li id="topcartlink"><a href="/cart" class="ico-cart"><span class="cart-label">Shopping cart</span> <span class="cart-qty">(${cart.count()})</span></a></li></ul></div><form method="get" action="/search" id="small-search-box-form"><input type="text" name="q" placeholder="Search store" aria-label="Search store"><button type="submit" class="button-1 search-box-button">Search</button></form></div><div class="master-wrapper-content">${inner}</div><div class="footer"><div class="newsletter"><strong>Newsletter</strong><input id="newsletter-email" name="NewsletterEmail" type="email" placeholder="Enter your email here..."><button type="button" class="button-1 newsletter-subscribe-button">Subscribe</button></div></div>`,
        script,
      ),
    });
    const rows = (canChange: boolean) =>
      `<div class="table-wrapper"><table class="cart"><thead><tr><th class="sku">SKU</th><th class="product-picture">Image</th><th class="product">Product(s)</th><th class="unit-price">Price</th><th class="quantity">Qty.</th><th class="subtotal">Total</th>${canChange ? '<th class="remove-from-cart">Remove</th>' : ''}</tr></thead><tbody>${cart
        .lines()
        .map(
          (line, at) =>
            `<tr><td class="sku"><span class="sku-number">HM_${goods[line.id].number}</span></td><td class="product-picture"><a href="${slug[line.id]}"><img width="60" height="60" alt="Picture of ${goods[line.id].title}"></a></td><td class="product"><a href="${slug[line.id]}" class="product-name">${goods[line.id].title}</a>${line.size ? `<div class="attributes">Size: ${line.size}${sizes[line.size]! > 0 ? ' [+$4.00]' : ''}</div>` : ''}${canChange ? `<div class="edit-item"><a href="${slug[line.id]}?updatecartitemid=${at}">Edit</a></div>` : ''}</td><td class="unit-price"><span class="product-unit-price">${money(priceOf(line))}</span></td><td class="quantity">${canChange ? `<input name="itemquantity${at}" id="itemquantity${at}" type="text" value="${line.n}" class="qty-input" aria-label="Qty.">` : `<span class="product-quantity">${line.n}</span>`}</td><td class="subtotal"><span class="product-subtotal">${money(priceOf(line) * line.n)}</span></td>${canChange ? `<td class="remove-from-cart"><input type="checkbox" name="removefromcart" id="removefromcart${at}" value="${at}" aria-label="Remove" style="display:none"><button type="button" name="updatecart" class="remove-btn" onclick="document.getElementById('removefromcart${at}').checked = true; document.getElementById('updatecart').click();"></button></td>` : ''}</tr>`,
        )
        .join('')}</tbody></table></div>`;
    const totals = () =>
      `<div class="totals"><div class="total-info"><table class="cart-total"><tbody><tr class="order-subtotal"><td class="cart-total-left"><label>Sub-Total:</label></td><td class="cart-total-right"><span class="value-summary">${money(cart.subtotal())}</span></td></tr><tr class="shipping-cost"><td class="cart-total-left"><label>Shipping:</label>${shipping() === undefined ? '' : ` <span class="selected-shipping-method">(${shippings[session.get('delivery')!]!.title})</span>`}</td><td class="cart-total-right">${shipping() === undefined ? '<span>Calculated during checkout</span>' : `<span class="value-summary">${money(shipping()!)}</span>`}</td></tr><tr class="tax-value"><td class="cart-total-left"><label>Tax:</label></td><td class="cart-total-right"><span class="value-summary">$0.00</span></td></tr><tr class="order-total"><td class="cart-total-left"><label>Total:</label></td><td class="cart-total-right">${shipping() === undefined ? '<span>Calculated during checkout</span>' : `<span class="value-summary"><strong>${money(cart.subtotal() + shipping()!)}</strong></span>`}</td></tr></tbody></table></div></div>`;
    const product = (Object.keys(slug) as ProductId[]).find((id) => slug[id] === path);
    if (method === 'GET' && product !== undefined) {
      const related = (['set', 'tray'] as const).map(
        (id) =>
          `<div class="item-box"><div class="product-item" data-productid="${goods[id].number}"><div class="picture"><a href="${slug[id]}"><img width="90" height="90" alt="${goods[id].title}"></a></div><div class="details"><h2 class="product-title"><a href="${slug[id]}">${goods[id].title}</a></h2><div class="add-info"><div class="prices"><span class="price actual-price">${money(goods[id].price)}</span></div><div class="buttons"><button type="button" class="button-2 product-box-add-to-cart-button" data-productid="${goods[id].number}">Add to cart</button><button type="button" class="button-2 add-to-compare-list-button" title="Add to compare list">Add to compare list</button></div></div></div></div></div>`,
      );
      return whole(
        goods[product].title,
        `<div class="page product-details-page"><form method="post" id="product-details-form" action="${path}"><div data-productid="${goods[product].number}"><div class="product-name"><h1>${goods[product].title}</h1></div><div class="product-reviews-overview"><a href="#r">Be the first to review this product</a></div><div class="sku"><span class="label">SKU:</span> <span class="value">HM_12</span></div><div class="delivery"><div class="estimate-shipping"><a href="#" onclick="return false">Ship to <i>Please select the address</i></a></div></div>${
          product === 'mug'
            ? `<div class="attributes"><dl><dt><label class="text-prompt"> Size </label><span class="required">*</span></dt><dd><ul class="option-list">${Object.keys(
                sizes,
              )
                .map(
                  (size, at) =>
                    `<li><input id="attr_${at}" type="radio" name="product_attribute_9" value="${size}"><label for="attr_${at}">${size}${sizes[size]! > 0 ? ' [+$4.00]' : ''}</label></li>`,
                )
                .join('')}</ul></dd></dl></div>`
            : ''
        }<div class="prices"><div class="product-price"><span id="price-value">${money(goods[product].price)}</span></div></div><div class="add-to-cart"><div class="add-to-cart-panel"><label class="qty-label" for="qty">Qty:</label><input id="qty" class="qty-input" type="text" name="addtocart_12.EnteredQuantity" value="1"><button type="button" id="add-to-cart-button-12" class="button-1 add-to-cart-button" data-productid="${goods[product].number}">Add to cart</button></div></div><div class="overview-buttons"><button type="button" class="button-2 add-to-wishlist-button">Add to wishlist</button><button type="button" class="button-2 email-a-friend-button">Email a friend</button></div></div></form><div class="also-purchased-products-grid"><div class="title"><strong>Customers who bought this item also bought</strong></div><div class="item-grid">${related.join('')}</div></div></div>`,
        productScript,
      );
    }
    const billing = [...form].filter(([name]) => name.startsWith('BillingNewAddress.'));
    switch (`${method} ${path}`) {
      case 'POST /addproducttocart/details': {
        const id = idOf(form.get('id')!);
        if (id === 'mug' && !form.get('product_attribute_9'))
          return { json: { error: 'Please select Size', count: cart.count() } };
        cart.add(
          id,
          id === 'mug' ? form.get('product_attribute_9')! : undefined,
          id === 'mug' ? Number(form.get('addtocart_12.EnteredQuantity') ?? 1) : 1,
        );
        return { json: { count: cart.count() } };
      }
      case 'POST /cart': {
        const gone = form.getAll('removefromcart').map(Number);
        const count = cart.lines().length;
        for (let at = 0; at < count; at += 1)
          if (form.has(`itemquantity${at}`)) cart.set(at, Number(form.get(`itemquantity${at}`)));
        for (const at of gone.toSorted((a, b) => b - a)) cart.set(at, 0);
        if (form.has('checkout')) return { to: '/login/checkoutasguest?returnUrl=%2Fcart' };
        return { to: '/cart' };
      }
      case 'GET /cart':
        return whole(
          'Shopping Cart',
          `<div class="page shopping-cart-page"><div class="page-title"><h1>Shopping cart</h1></div>${cart.count() === 0 ? '<div class="no-data">Your Shopping Cart is empty!</div>' : `<form method="post" action="/cart" id="shopping-cart-form">${rows(true)}<div class="cart-options"><div class="common-buttons"><button type="submit" name="updatecart" id="updatecart" class="button-2 update-cart-button">Update shopping cart</button><button type="submit" name="continueshopping" class="button-2 continue-shopping-button">Continue shopping</button></div></div><div class="cart-footer"><div class="deals"><div class="coupon-box"><div class="title"><strong>Discount Code</strong></div><input name="discountcouponcode" type="text" class="discount-coupon-code" aria-label="Enter discount coupon code"><button type="submit" name="applydiscountcouponcode" class="button-2 apply-discount-coupon-code-button">Apply coupon</button></div><div class="giftcard-box"><div class="title"><strong>Gift Cards</strong></div><input name="giftcardcouponcode" type="text" aria-label="Enter gift card code"><button type="submit" name="applygiftcardcouponcode" class="button-2">Add gift card</button></div></div>${totals()}<div class="terms-of-service"><input id="termsofservice" type="checkbox" name="termsofservice"><label for="termsofservice">I agree with the terms of service and I adhere to them unconditionally</label> <span class="read" style="cursor:pointer">(read)</span></div><div class="checkout-buttons"><button type="submit" id="checkout" name="checkout" value="checkout" class="button-1 checkout-button" onclick="if (!document.getElementById('termsofservice').checked) { alert('Please accept the terms of service before the next step.'); return false; }">Checkout</button></div></div></form>`}</div>`,
        );
      case 'GET /login/checkoutasguest':
        return whole(
          'Login',
          `<div class="page login-page"><div class="page-title"><h1>Welcome, Please Sign In!</h1></div><div class="customer-blocks"><div class="new-wrapper checkout-as-guest-or-register-block"><div class="title"><strong>Checkout as a guest or register</strong></div><div class="text">Register with us for future convenience</div><div class="buttons"><button type="button" class="button-1 checkout-as-guest-button" onclick="location = '/onepagecheckout'">Checkout as Guest</button><button type="button" class="button-1 register-button" onclick="location = '/register'">Register</button></div></div><div class="returning-wrapper"><form method="post" action="/login"><div class="title"><strong>Returning Customer</strong></div><div class="inputs"><label for="Email">Email:</label><input class="email" type="email" id="Email" name="Email"></div><div class="inputs"><label for="Password">Password:</label><input class="password" type="password" id="Password" name="Password"></div><div class="inputs reversed"><input type="checkbox" name="RememberMe" id="RememberMe"><label for="RememberMe">Remember me?</label><span class="forgot-password"><a href="/passwordrecovery">Forgot password?</a></span></div><div class="buttons"><button type="submit" class="button-1 login-button">Log in</button></div></form></div></div></div>`,
        );
      case 'GET /onepagecheckout':
        return whole('Checkout', checkout, checkoutScript);
      case 'POST /checkout/billing': {
        const missing = [
          'FirstName',
          'LastName',
          'Email',
          'CountryId',
          'StateProvinceId',
          'City',
          'Address1',
          'ZipPostalCode',
          'PhoneNumber',
        ]
          .map((name) => `BillingNewAddress.${name}`)
          .filter((name) => !form.get(name));
        if (missing.length > 0) return { json: { errors: missing } };
        for (const [name, value] of billing) session.set(name, value);
        return {
          json: {
            html: `<div class="section shipping-method"><ul class="method-list">${Object.entries(
              shippings,
            )
              .map(
                ([id, one], at) =>
                  `<li><div class="method-name"><input id="shippingoption_${at}" type="radio" name="shippingoption" value="${id}"${at === 0 ? ' checked' : ''}><label for="shippingoption_${at}">${one.title} (${money(one.price)})</label></div><div class="method-description">By land</div></li>`,
              )
              .join('')}</ul></div>${buttons('shipping_method')}`,
          },
        };
      }
      case 'POST /checkout/shipping_method':
        session.set('delivery', form.get('shippingoption')!);
        return {
          json: {
            html: `<div class="section payment-method"><ul class="method-list" id="payment-method-block">${Object.entries(
              ways,
            )
              .map(
                ([id, title], at) =>
                  `<li><div class="method-name"><div class="payment-logo"><label for="paymentmethod_${at}"><img width="30" height="20" alt="${title}"></label></div><div class="payment-details"><input id="paymentmethod_${at}" type="radio" name="paymentmethod" value="${id}"${at === 0 ? ' checked' : ''}><label for="paymentmethod_${at}">${title}</label><div class="payment-description">Pay by ${title}</div></div></div></li>`,
              )
              .join('')}</ul></div>${buttons('payment_method')}`,
          },
        };
      case 'POST /checkout/payment_method':
        session.set('way', form.get('paymentmethod')!);
        return {
          json: {
            html: `<div class="section payment-info"><div class="info"><p>${ways[session.get('way')!]}: the details are sent with the order.</p></div></div>${buttons('payment_info')}`,
          },
        };
      case 'POST /checkout/payment_info':
        return {
          json: {
            html: `<div class="section order-summary"><div class="order-review-data"><ul class="billing-info"><li class="title"><strong>Billing Address</strong></li><li class="name">${session.get('BillingNewAddress.FirstName')} ${session.get('BillingNewAddress.LastName')}</li><li class="address1">${session.get('BillingNewAddress.Address1')}</li><li class="city-state-zip">San Francisco, California, 94105</li><li class="payment-method-info title"><strong>Payment</strong></li><li class="payment-method">Payment Method: ${ways[session.get('way')!]}</li></ul><ul class="shipping-info"><li class="title"><strong>Shipping Address</strong></li><li class="address1">${session.get('BillingNewAddress.Address1')}</li><li class="shipping-method">Shipping Method: ${shippings[session.get('delivery')!]!.title}</li></ul></div>${rows(false)}<div class="cart-footer">${totals()}</div></div>${buttons('confirm_order', 'Confirm')}`,
          },
        };
      case 'POST /checkout/OpcConfirmOrder':
        place(orders, cart, {
          delivery: session.get('delivery')!,
          way: session.get('way')!,
          email: session.get('BillingNewAddress.Email'),
          address: session.get('BillingNewAddress.Address1'),
        });
        return { json: { to: '/checkout/completed/' } };
      case 'GET /checkout/completed/':
        return whole(
          'Checkout',
          `<div class="page checkout-page order-completed-page"><div class="page-title"><h1>Thank you</h1></div><div class="page-body"><div class="section order-completed"><div class="title"><strong>Your order has been successfully processed!</strong></div><div class="details"><div class="order-number"><strong>Order number: ${7000 + orders.length}</strong></div><div class="details-link"><a href="/orderdetails/1">Click here for order details.</a></div></div></div></div></div>`,
        );
      default:
        return undefined;
    }
  };

export const nopCommerce: Skin = { platform: 'nopCommerce', path: slug.mug, currency: 'USD', open };
