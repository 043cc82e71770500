import type { Handler } from '../../../src/runner/engine/testing/test-shop-kit.ts';
import {
  cartOf,
  countries,
  goods,
  idOf,
  type ProductId,
  page,
  place,
  priceOf,
  type Setting,
  type Skin,
  shippings,
  sizes,
} from './store.ts';

const slug: Readonly<Record<ProductId, string>> = {
  mug: '/Harbour-Mug/HM01',
  set: '/Harbour-Mug-Set/HM02',
  tray: '/Oak-Tray/OT01',
};
const ways: Readonly<Record<string, string>> = {
  invoice: 'Invoice',
  cod: 'Cash on delivery',
  prepayment: 'Paid in advance',
};
const money = (cents: number) => `€${(cents / 100).toFixed(2)}*`;

const script = `
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('.buy-widget')) return;
  event.preventDefault();
  await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const html = await fetch('/checkout/offcanvas').then((answer) => answer.text());
  document.body.insertAdjacentHTML('beforeend', '<div class="offcanvas offcanvas-end cart-offcanvas show" tabindex="-1" role="dialog" aria-modal="true" style="position:fixed;right:0;top:0;bottom:0;width:420px;background:#fff;overflow:auto">' + html + '</div><div class="offcanvas-backdrop fade show" style="position:fixed;inset:0;background:#0004"></div>');
  document.body.append($('.cart-offcanvas'));
  $('.js-offcanvas-close').onclick = () => { $('.cart-offcanvas').remove(); $('.offcanvas-backdrop').remove(); };
});
document.addEventListener('change', (event) => { const form = event.target.closest('[data-form-auto-submit]'); if (form) form.submit(); });`;

/**
 * Storefront of Shopware: a cart that slides in, an address before a page that has everything else,
 * forms that send themselves.
 */
const open =
  (setting: Setting = {}): Handler =>
  ({ method, path, form, session }, orders) => {
    const cart = cartOf(session, setting);
    const delivery = () => session.get('delivery') ?? 'flat';
    const way = () => session.get('way') ?? 'invoice';
    const whole = (title: string, inner: string) => ({
      html: page(
        title,
        `<header class="header-main"><a class="header-logo-main-link" href="/"><img width="80" height="20" alt="Demostore"></a><form action="/search" class="header-search-form"><input type="search" name="search" placeholder="Enter search term..." aria-label="Enter search term..."><button type="submit" aria-label="Search"><span class="icon"><svg width="16" height="16"></svg></span></button></form><div class="account-menu"><button class="btn account-menu-btn header-actions-btn" type="button" aria-label="Your account"><span class="icon icon-avatar"><svg width="16" height="16"></svg></span></button></div><div class="header-cart"><a class="btn header-cart-btn header-actions-btn" href="/checkout/cart" title="Shopping cart" aria-label="Shopping cart"><span class="header-cart-icon"><svg width="16" height="16"></svg></span>${cart.count() > 0 ? `<span class="badge header-cart-badge">${cart.lines().length}</span>` : ''}<span class="header-cart-total">${money(cart.subtotal())}</span></a></div></header><main class="content-main">${inner}</main><footer class="footer-main"><p class="footer-vat">* All prices incl. VAT plus <a href="/shipping">shipping costs</a> and possible delivery charges, if not stated otherwise.</p></footer>`,
        script,
      ),
    });
    const rows = (canChange: boolean) =>
      `<ul class="list-unstyled line-item-list">${cart
        .lines()
        .map(
          (line, at) =>
            `<li class="line-item line-item-product${canChange ? ' is-offcanvas' : ''}"><div class="line-item-row row"><div class="line-item-info"><a href="${slug[line.id]}" class="line-item-img-link" title="${goods[line.id].title}"><img width="60" height="60" alt="${goods[line.id].title}"></a><div class="line-item-details"><a href="${slug[line.id]}" class="line-item-label" title="${goods[line.id].title}">${goods[line.id].title}</a>${line.size ? `<div class="line-item-characteristics"><div class="line-item-variants"><span class="line-item-variants-properties-name">Size:</span> <span class="line-item-variants-properties-value">${line.size}</span></div></div>` : ''}<div class="line-item-product-number">Product number: ${goods[line.id].number}.${at + 1}</div><div class="line-item-delivery-date">Delivery period: 2026-12-02 - 2026-12-04</div></div></div><div class="line-item-quantity">${canChange ? `<form method="post" action="/checkout/line-item/change-quantity/${at}" data-form-auto-submit="true" class="line-item-quantity-group quantity-selector-group input-group"><button type="button" class="btn btn-outline-light btn-minus js-btn-minus" aria-label="Decrease quantity by 1."><svg width="10" height="10"></svg></button><input type="number" name="quantity" class="form-control js-quantity-selector quantity-selector-group-input" min="1" max="100" value="${line.n}" aria-label="Quantity"><button type="button" class="btn btn-outline-light btn-plus js-btn-plus" aria-label="Increase quantity by 1."><svg width="10" height="10"></svg></button></form>` : `<span class="line-item-quantity-label">Quantity</span> ${line.n}`}</div><div class="line-item-unit-price"><span class="line-item-unit-price-value">${money(priceOf(line))}</span></div><div class="line-item-total-price"><span class="line-item-total-price-value">${money(priceOf(line) * line.n)}</span></div><div class="line-item-remove"><form action="/checkout/line-item/delete/${at}" method="post"><button type="submit" class="btn btn-light btn-sm line-item-remove-button" title="Remove product from shopping cart" aria-label="Remove ${goods[line.id].title} from shopping cart"><span class="icon icon-x icon-sm"><svg width="12" height="12"></svg></span></button></form></div></div></li>`,
        )
        .join('')}</ul>`;
    const summary = () => {
      const total = cart.subtotal() + shippings[delivery()]!.price;
      return `<div class="checkout-aside-summary"><h2 class="checkout-aside-summary-header">Summary</h2><dl class="row checkout-aside-summary-list" style="display:grid;grid-template-columns:200px 100px"><dt class="checkout-aside-summary-label">Total</dt><dd class="checkout-aside-summary-value">${money(cart.subtotal())}</dd><dt class="checkout-aside-summary-label">Shipping costs</dt><dd class="checkout-aside-summary-value">+ ${money(shippings[delivery()]!.price)}</dd><dt class="checkout-aside-summary-label summary-total">Grand total</dt><dd class="checkout-aside-summary-value summary-total">${money(total)}</dd><dt class="checkout-aside-summary-label summary-net">Net total</dt><dd class="checkout-aside-summary-value summary-net">${money(Math.round(total / 1.19))}</dd><dt class="checkout-aside-summary-label summary-tax">plus 19% VAT</dt><dd class="checkout-aside-summary-value summary-tax">${money(total - Math.round(total / 1.19))}</dd></dl></div>`;
    };
    const product = (Object.keys(slug) as ProductId[]).find((id) => slug[id] === path);
    if (method === 'GET' && product !== undefined) {
      const size = form.get('size') ?? 'Small';
      const price = priceOf({ id: product, ...(product === 'mug' && { size }) });
      const configurator = `<div class="product-detail-configurator"><form>${`<fieldset class="product-detail-configurator-group"><legend class="product-detail-configurator-group-title">Select Size</legend><div class="product-detail-configurator-options">${Object.keys(
        sizes,
      )
        .map(
          (one) =>
            `<div class="product-detail-configurator-option"><input type="radio" name="size" value="${one}" class="product-detail-configurator-option-input is-combinable" id="size-${one}" onchange="location = '${path}?size=${one}'"${one === size ? ' checked' : ''} style="position:absolute;opacity:0"><label class="product-detail-configurator-option-label is-combinable is-display-text" for="size-${one}" title="${one}">${one}</label></div>`,
        )
        .join('')}</div></fieldset>`}</form></div>`;
      const others = (['set', 'tray'] as const).map(
        (id) =>
          `<div class="card product-box box-standard"><div class="card-body"><a href="${slug[id]}" class="product-image-link"><img width="90" height="90" alt="${goods[id].title}"></a><div class="product-info"><a href="${slug[id]}" class="product-name" title="${goods[id].title}">${goods[id].title}</a><div class="product-price-info"><span class="product-price">${money(goods[id].price)}</span></div><div class="product-action"><form action="/checkout/line-item/add" method="post" class="buy-widget"><input type="hidden" name="id" value="${goods[id].number}"><input type="hidden" name="quantity" value="1"><button class="btn btn-buy" title="Add to shopping cart"><span class="icon"><svg width="12" height="12"></svg></span></button></form></div></div></div></div>`,
      );
      return whole(
        goods[product].title,
        `<div class="product-detail-headline"><h1 class="product-detail-name" itemprop="name">${goods[product].title}</h1></div><div class="product-detail-buy"><meta itemprop="priceCurrency" content="EUR"><div class="product-detail-price-container"><p class="product-detail-price">${money(price)}</p></div><div class="product-detail-tax-container"><p class="product-detail-tax"><button class="btn btn-link-inline product-detail-tax-link" type="button">Prices incl. VAT plus shipping costs</button></p></div><div class="product-detail-delivery-information"><p class="delivery-information delivery-available"><span class="delivery-status-indicator"></span> Available, delivery time: 1-3 days</p></div>${product === 'mug' ? configurator : ''}<form class="buy-widget" action="/checkout/line-item/add" method="post" data-add-to-cart="true"><div class="row g-2 buy-widget-container"><div class="quantity-selector-group input-group"><button type="button" class="btn btn-minus js-btn-minus" aria-label="Decrease quantity by 1." onclick="qty.value = Math.max(1, qty.value - 1)"><svg width="10" height="10"></svg></button><input type="number" id="qty" name="quantity" class="form-control js-quantity-selector" min="1" max="100" step="1" value="1" aria-label="Quantity"><button type="button" class="btn btn-plus js-btn-plus" aria-label="Increase quantity by 1." onclick="qty.value = Number(qty.value) + 1"><svg width="10" height="10"></svg></button></div><input type="hidden" name="id" value="${goods[product].number}">${product === 'mug' ? `<input type="hidden" name="size" value="${size}">` : ''}<button class="btn btn-primary btn-buy" title="Add to shopping cart">Add to shopping cart</button></div></form><div class="product-detail-ordernumber-container"><span class="product-detail-ordernumber-label">Product number:</span> <span class="product-detail-ordernumber">HM01.1</span></div></div><div class="product-detail-cross-selling"><h2>Accessories</h2><div class="row">${others.join('')}</div></div>`,
      );
    }
    const changed = /^\/checkout\/line-item\/(change-quantity|delete)\/(\d+)$/.exec(path);
    if (method === 'POST' && changed !== null) {
      cart.set(Number(changed[2]), changed[1] === 'delete' ? 0 : Number(form.get('quantity')));
      return { to: '/checkout/cart' };
    }
    switch (`${method} ${path}`) {
      case 'POST /checkout/line-item/add':
        cart.add(
          idOf(form.get('id')!),
          form.get('size') ?? undefined,
          Number(form.get('quantity') ?? 1),
        );
        return { html: 'ok' };
      case 'GET /checkout/offcanvas':
        return {
          html: `<div class="offcanvas-header"><button class="btn btn-light btn-block offcanvas-close js-offcanvas-close"><span class="icon"><svg width="10" height="10"></svg></span> Continue shopping</button></div><div class="offcanvas-body"><div class="offcanvas-cart"><h3 class="h4">Shopping cart</h3><div role="alert" class="alert alert-success"><div class="alert-content">1 product has been added to the shopping cart.</div></div>${rows(true)}<div class="offcanvas-summary"><dl><dt>Subtotal</dt><dd>${money(cart.subtotal())}</dd></dl></div><div class="offcanvas-cart-actions"><a href="/checkout/confirm" class="btn begin-checkout-btn btn-primary" title="Proceed to checkout">Proceed to checkout</a><a class="btn btn-link" href="/checkout/cart" title="Display shopping cart">Display shopping cart</a></div></div></div>`,
        };
      case 'GET /checkout/cart':
        return whole(
          'Shopping cart',
          cart.count() === 0
            ? '<h1 class="cart-main-header">Shopping cart</h1><div role="alert" class="alert alert-info">Your shopping cart is empty.</div>'
            : `<h1 class="cart-main-header">Shopping cart</h1><div class="card checkout-product-table">${rows(true)}</div><form action="/checkout/promotion/add" method="post" class="cart-add-promotion"><input type="text" name="code" placeholder="Enter promo code..." aria-label="Promo code"><button type="submit" aria-label="Redeem promo code"><svg width="12" height="12"></svg></button></form><div class="checkout-aside">${summary()}<div class="checkout-aside-action d-grid"><a href="/checkout/confirm" class="btn btn-primary btn-lg begin-checkout-btn" title="Go to checkout">Go to checkout</a></div></div>`,
        );
      case 'GET /checkout/confirm': {
        if (!session.has('email')) return { to: '/checkout/register' };
        const radios = (
          name: string,
          entries: readonly (readonly [string, string])[],
          chosen: string,
        ) =>
          `<form action="/checkout/configure" method="post" data-form-auto-submit="true"><div class="${name}s">${entries.map(([id, title]) => `<div class="${name}"><div class="form-check ${name}-radio"><input type="radio" id="${name}${id}" name="${name}Id" value="${id}" class="form-check-input ${name}-input"${id === chosen ? ' checked' : ''}><label class="${name}-label" for="${name}${id}"><div class="${name}-description"><strong>${title}</strong></div></label></div></div>`).join('')}</div></form>`;
        return whole(
          'Complete order',
          `<div class="checkout-main"><h1 class="confirm-main-header">Complete order</h1><div class="confirm-tos"><div class="card checkout-card"><h2 class="card-title">Terms and conditions and cancellation policy</h2><p>Please note our <a href="/revocation">cancellation policy</a>.</p><div class="form-check"><input type="checkbox" class="checkout-confirm-tos-checkbox form-check-input" required id="tos" name="tos" form="confirmOrderForm"><label for="tos" class="checkout-confirm-tos-label custom-control-label">I have read and accepted the <a href="/terms">general terms and conditions</a>.</label></div></div></div><div class="confirm-address row"><div class="card confirm-address-shipping"><h2 class="card-title">Shipping address</h2><div class="address"><p class="address-name">${session.get('name')}</p>${session.get('street')}<br>94105 San Francisco<br>United States</div><div class="card-actions"><a href="/widgets/account/address-book" class="btn btn-light" title="Change shipping address">Change shipping address</a></div></div><div class="card confirm-address-billing"><h2 class="card-title">Billing address</h2><p>Same as shipping address</p><div class="card-actions"><a href="/widgets/account/address-book" class="btn btn-light" title="Change billing address">Change billing address</a></div></div></div><div class="confirm-payment-shipping row"><div class="card confirm-payment"><h2 class="card-title">Payment method</h2>${radios('payment-method', Object.entries(ways), way())}</div><div class="card confirm-shipping"><h2 class="card-title">Shipping method</h2>${radios(
            'shipping-method',
            Object.entries(shippings).map(([id, one]) => [id, one.title] as const),
            delivery(),
          )}</div></div><div class="confirm-product card checkout-product-table">${rows(false).replaceAll(/<div class="line-item-remove">.*?<\/form><\/div>/gs, '')}</div></div><aside class="checkout-aside">${summary()}<div class="checkout-aside-action"><form id="confirmOrderForm" action="/checkout/order" method="post"></form><button id="confirmFormSubmit" class="btn btn-primary btn-lg" form="confirmOrderForm" type="submit">Submit order</button></div></aside>`,
        );
      }
      case 'GET /checkout/register':
        return whole(
          'Checkout',
          `<div class="register-login-collapse"><div class="card"><p>Already a customer? <a href="#loginCollapse" role="button" aria-expanded="false" onclick="document.getElementById('loginCollapse').hidden = false; return false">Log in here</a></p><div id="loginCollapse" hidden><form class="login-form" action="/account/login" method="post"><label for="loginMail">Your email address</label><input type="email" id="loginMail" name="username"><label for="loginPassword">Your password</label><input type="password" id="loginPassword" name="password"><button type="submit" class="btn btn-primary">Log in</button></form></div></div></div><div class="card register-card"><h1 class="card-title">Your details</h1><form action="/account/register" class="register-form" method="post"><div class="register-personal"><label for="personalSalutation">Salutation</label><select id="personalSalutation" name="salutationId" class="form-select"><option value="" selected>Enter salutation...</option><option value="1">Mr.</option><option value="2">Mrs.</option><option value="3">Not specified</option></select><label for="first">First name*</label><input id="first" name="firstName" required autocomplete="section-personal given-name" placeholder="Enter first name..."><label for="last">Last name*</label><input id="last" name="lastName" required autocomplete="section-personal family-name" placeholder="Enter last name..."><div class="form-check register-guest-control"><input type="checkbox" class="form-check-input" id="personalGuest" name="createCustomerAccount"><label for="personalGuest">Create a customer account.</label></div><label for="personalMail">Email address*</label><input type="email" id="personalMail" name="email" required autocomplete="section-personal email" placeholder="Enter email address..."></div><div class="register-address register-billing"><h2 class="card-title">Your address</h2><label for="street">Street address*</label><input id="street" name="street" required placeholder="Enter street address..."><label for="zip">Postal code*</label><input id="zip" name="zipcode" placeholder="Enter postal code..."><label for="city">City*</label><input id="city" name="city" required placeholder="Enter city..."><label for="country">Country*</label><select id="country" name="countryId" required>${countries}</select></div><div class="form-check register-different-shipping"><input type="checkbox" class="form-check-input" name="differentShippingAddress" value="1" id="differentShippingAddress"><label for="differentShippingAddress">Shipping and billing address do not match.</label></div><p class="register-required-info">Fields marked with asterisks (*) are required.</p><div class="form-text privacy-notice">By selecting continue you confirm that you have read our <a href="/privacy">data protection information</a>.</div><div class="register-submit"><button type="submit" class="btn btn-primary btn-lg">Continue</button></div></form></div>${summary()}`,
        );
      case 'POST /account/register':
        session.set('email', form.get('email') ?? '');
        session.set('name', `${form.get('firstName')} ${form.get('lastName')}`);
        session.set('street', form.get('street') ?? '');
        if (form.has('createCustomerAccount')) session.set('account', 'yes');
        return { to: '/checkout/confirm' };
      case 'POST /checkout/configure':
        if (form.has('payment-methodId')) session.set('way', form.get('payment-methodId')!);
        if (form.has('shipping-methodId')) session.set('delivery', form.get('shipping-methodId')!);
        return { to: '/checkout/confirm' };
      case 'POST /checkout/order':
        if (!form.has('tos')) return { to: '/checkout/confirm' };
        place(orders, cart, {
          delivery: delivery(),
          way: way(),
          email: session.get('email'),
          address: session.get('street'),
          more: session.has('account') ? { account: 'yes' } : {},
        });
        return { to: '/checkout/finish' };
      case 'GET /checkout/finish':
        return whole(
          'Your order',
          `<div class="finish-header"><h1 class="finish-title">Thank you for your order with Demostore!</h1><p class="finish-ordernumber">Your order number: #${7000 + orders.length}</p></div><div class="finish-info"><p><strong>Selected payment method:</strong> ${ways[orders.at(-1)!['way']!]}</p></div>`,
        );
      default:
        return undefined;
    }
  };

export const shopwareSix: Skin = { platform: 'Shopware 6', path: slug.mug, currency: 'EUR', open };
