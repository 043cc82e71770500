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
  mug: '/shop/harbour-mug-12',
  set: '/shop/harbour-mug-set-13',
  tray: '/shop/oak-tray-14',
};
const ways: Readonly<Record<string, string>> = { wire: 'Wire Transfer', cod: 'Pay on delivery' };
const oe = (cents: number) => `<span class="oe_currency_value">${(cents / 100).toFixed(2)}</span>`;
const monetary = (cents: number) =>
  `<span class="monetary_field" style="white-space:nowrap">$ ${oe(cents)}</span>`;

const script = `
document.addEventListener('click', async (event) => {
  const one = event.target.closest('a,button');
  if (!one) return;
  if (one.matches('.js_add_cart_json')) { event.preventDefault(); const field = one.parentElement.querySelector('input'); field.value = Math.max(one.closest('.o_cart_product') ? 0 : 1, Number(field.value) + (one.querySelector('.fa-plus') ? 1 : -1)); field.dispatchEvent(new Event('change', { bubbles: true })); }
  if (one.id === 'add_to_cart') { event.preventDefault(); const size = document.querySelector('[name=ptal-1]:checked'); const { count } = await post('/shop/cart/update_json', { id: one.dataset.id, size: size ? size.value : undefined, n: $('[name=add_qty]').value }); $('.my_cart_quantity').textContent = count; $('.my_cart_quantity').hidden = false; $('.o_notifications').innerHTML = '<div class="toast o_cart_notification show" role="alert"><div class="toast-header"><strong>Item(s) added to your cart</strong><button type="button" class="btn-close" aria-label="Close"></button></div><div class="toast-body"><div class="row"><span>' + $('[name=add_qty]').value + ' x Harbour Mug' + (size ? ' (' + size.value + ')' : '') + '</span></div><a role="button" class="w-100 btn btn-primary" href="/shop/cart">View cart</a></div></div>'; }
  if (one.matches('.js_delete_product')) { event.preventDefault(); await post('/shop/cart/set', { at: one.dataset.at, n: 0 }); location.reload(); }
});
document.addEventListener('change', async (event) => {
  const one = event.target;
  if (one.matches('.js_quantity')) { await post('/shop/cart/set', { at: one.dataset.at, n: Number(one.value) }); location.reload(); }
  if (one.name === 'ptal-1') $('.oe_price').innerHTML = '$ <span class="oe_currency_value">' + (one.value === 'Large' ? '28.00' : '24.00') + '</span>';
  if (one.name === 'o_delivery_radio') { const { total, shipping } = await post('/shop/set_delivery_method', { way: one.value }); $('#order_delivery .oe_currency_value').textContent = shipping; $('#order_total .oe_currency_value').textContent = total; $('[name=website_sale_main_button]').classList.remove('disabled'); }
  if (one.name === 'o_payment_radio' || one.id === 'website_sale_tc_checkbox') { const button = $('[name=o_payment_submit_button]'); button.disabled = !document.querySelector('[name=o_payment_radio]:checked') || !$('#website_sale_tc_checkbox').checked; for (const box of document.querySelectorAll('[name=o_payment_inline_form]')) box.hidden = !box.parentElement.querySelector('input:checked'); }
});
const pay = $('[name=o_payment_submit_button]');
if (pay) pay.onclick = async () => { pay.disabled = true; const { to } = await post('/shop/payment/transaction', { way: document.querySelector('[name=o_payment_radio]:checked').value }); location = to; };`;

/**
 * Website sale of Odoo: links that are buttons, one address form, a page of addresses and
 * deliveries, a page of payments.
 */
const open =
  (setting: Setting = {}): Handler =>
  ({ method, path, form, session, body }, orders) => {
    const cart = cartOf(session, setting);
    const shipping = () => shippings[session.get('delivery') ?? '']?.price;
    const whole = (title: string, inner: string) => ({
      html: page(
        `${title} | My Website`,
        `<div class="o_notifications" style="position:fixed;right:8px;top:60px;width:300px;background:#fff"></div><header id="top"><nav class="navbar"><a class="navbar-brand" href="/">My Website</a><a href="/shop" class="nav-link">Shop</a><a href="/contactus" class="nav-link">Contact us</a><form method="get" class="o_searchbar_form" action="/website/search"><input type="search" name="search" placeholder="Search..."><button type="submit" aria-label="Search" title="Search" class="btn"><i class="oi oi-search"></i></button></form><ul><li class="o_wsale_my_cart"><a href="/shop/cart" aria-label="eCommerce cart" class="o_navlink"><i class="fa fa-shopping-cart fa-stack"></i><sup class="my_cart_quantity badge"${cart.count() === 0 ? ' hidden' : ''} data-order-id="">${cart.count()}</sup></a></li><li><a href="/web/login" class="o_nav_link_btn">Sign in</a></li></ul></nav></header><main>${inner}</main><footer><div class="s_newsletter_block"><input type="email" name="email" placeholder="johnsmith@example.com"><a role="button" href="#" class="btn btn-primary js_subscribe_btn">Subscribe</a></div></footer>`,
        script,
      ),
    });
    const totals = () =>
      `<div class="o_total_card card"><table class="table" id="cart_total"><tbody><tr id="order_delivery"><td>Delivery</td><td class="text-end">${shipping() === undefined ? '<span class="monetary_field">$ <span class="oe_currency_value">-</span></span>' : monetary(shipping()!)}</td></tr><tr id="order_total_untaxed"><td>Subtotal</td><td class="text-end">${monetary(cart.subtotal())}</td></tr><tr id="order_total_taxes"><td>Taxes</td><td class="text-end">${monetary(0)}</td></tr><tr id="order_total"><td><strong>Total</strong></td><td class="text-end"><strong>${monetary(cart.subtotal() + (shipping() ?? 0))}</strong></td></tr></tbody></table></div>`;
    const folded = () =>
      `<div class="o_wsale_accordion accordion"><button class="accordion-button collapsed" type="button" aria-expanded="false"><b>Order summary</b><span class="fw-bold">${cart.count()} item(s) - ${money(cart.subtotal())}</span></button></div>`;
    const product = (Object.keys(slug) as ProductId[]).find((id) => slug[id] === path);
    if (method === 'GET' && product !== undefined) {
      const variants = `<ul class="list-unstyled js_add_cart_variants"><li class="variant_attribute"><strong class="attribute_name">Size</strong><ul class="btn-group-toggle list-inline list-unstyled o_wsale_product_attribute">${Object.keys(
        sizes,
      )
        .map(
          (size, at) =>
            `<li class="o_variant_pills btn btn-primary js_attribute_value${at === 0 ? ' active' : ''}"><input type="radio" class="js_variant_change" id="v${at}" name="ptal-1" value="${size}"${at === 0 ? ' checked' : ''} style="opacity:.01"><label class="radio_input_value o_variant_pills_input_value" for="v${at}"><span>${size}</span>${sizes[size]! > 0 ? `<span class="badge"><span class="sign_badge_price_extra">+</span> <span class="variant_price_extra">$ ${oe(sizes[size]!)}</span></span>` : ''}</label></li>`,
        )
        .join('')}</ul></li></ul>`;
      return whole(
        goods[product].title,
        `<section id="product_detail" class="oe_website_sale"><nav class="o_breadcrumb"><a href="/shop">All Products</a> / ${goods[product].title}</nav><div id="product_details"><h1 itemprop="name">${goods[product].title}</h1><a href="#o_product_page_reviews" class="o_product_page_reviews_link">(0 review)</a><form action="/shop/cart/update" method="POST"><div class="js_product js_main_product">${product === 'mug' ? variants : ''}<div class="product_price"><h3 class="css_editable_mode_hidden"><span class="oe_price" style="white-space:nowrap">$ ${oe(goods[product].price)}</span></h3></div><div id="o_wsale_cta_wrapper"><div class="css_quantity input-group"><a class="btn btn-link js_add_cart_json" aria-label="Remove one" title="Remove one" href="#"><i class="fa fa-minus"></i></a><input type="text" class="form-control quantity text-center" data-min="1" name="add_qty" value="1"><a class="btn btn-link float_left js_add_cart_json" aria-label="Add one" title="Add one" href="#"><i class="fa fa-plus"></i></a></div><div id="add_to_cart_wrap"><a role="button" id="add_to_cart" href="#" class="btn btn-primary js_check_product a-submit" data-id="${goods[product].number}"><i class="fa fa-shopping-cart"></i> Add to cart</a></div></div></div></form><p class="text-muted"><a href="/terms">Terms and Conditions</a><br>30-day money-back guarantee<br>Shipping: 2-3 Business Days</p></div></section>`,
      );
    }
    const sent = body.startsWith('{') ? json(body) : {};
    switch (`${method} ${path}`) {
      case 'POST /shop/cart/update_json':
        cart.add(
          idOf(String(sent['id'])),
          sent['size'] === undefined ? undefined : String(sent['size']),
          Number(sent['n']),
        );
        return { json: { count: cart.count() } };
      case 'POST /shop/cart/set':
        cart.set(Number(sent['at']), Number(sent['n']));
        return { json: {} };
      case 'GET /shop/cart': {
        const rows = cart
          .lines()
          .map(
            (line, at) =>
              `<div class="o_cart_product d-flex row"><img class="o_image_64_max" width="60" height="60" alt="${goods[line.id].title}"><div class="flex-grow-1"><div><a href="${slug[line.id]}" class="text-break"><h6 class="d-inline">${goods[line.id].title}${line.size ? ` (${line.size})` : ''}</h6></a></div><div class="o_wsale_cart_line_button_container"><a href="#" class="js_delete_product" aria-label="Remove from cart" title="Remove from cart" data-at="${at}"><small><i class="fa fa-trash-o"></i> Remove</small></a></div></div><div class="d-flex flex-column"><div class="css_quantity input-group"><a href="#" class="btn btn-link js_add_cart_json" aria-label="Remove one" title="Remove one"><i class="fa fa-minus"></i></a><input type="text" class="js_quantity quantity form-control" data-at="${at}" value="${line.n}"><a href="#" class="btn btn-link js_add_cart_json" aria-label="Add one" title="Add one"><i class="fa fa-plus"></i></a></div><div class="text-muted"><small name="website_sale_cart_line_price">${monetary(priceOf(line) * line.n)}</small></div></div></div>`,
          );
        return whole(
          'Shop - Shopping Cart',
          cart.count() === 0
            ? '<h3>Your cart is empty!</h3>'
            : `<div class="o_wizard"><span>Order</span> <span>Address</span> <span>Payment</span></div><h3>Order overview</h3><div id="cart_products" class="js_cart_lines">${rows.join('')}</div>${totals()}<form method="post" action="/shop/pricelist" class="coupon_form"><input name="promo" placeholder="Discount code or gift card..."><a href="#" role="button" class="btn btn-secondary a-submit">Apply</a></form><div class="o_cta_navigation_container"><a href="/shop" class="btn btn-link"><i class="fa fa-chevron-left"></i> Continue shopping</a><a role="button" name="website_sale_main_button" class="btn btn-primary" href="/shop/checkout?try_skip_step=true">Checkout <i class="fa fa-arrow-right"></i></a></div>`,
        );
      }
      case 'GET /shop/checkout':
        if (!session.has('street')) return { to: '/shop/address' };
        return whole(
          'Shop - Checkout',
          `${folded()}<div id="shop_checkout"><h3>Delivery address</h3><div id="delivery_address_row"><div class="card bg-primary border js_change_address" name="address_card"><div class="card-body"><div class="o_address"><b>${session.get('name')}</b><br>${session.get('street')}<br>San Francisco CA 94105<br>United States</div></div><div class="card-footer"><a href="/shop/address?partner_id=7" class="btn btn-link"><i class="fa fa-pencil"></i> Edit</a></div></div><a class="o_add_address card no-decoration" href="/shop/address?address_type=delivery"><i class="fa fa-plus"></i> Add address</a></div><div class="form-check form-switch"><label id="use_delivery_as_billing_label"><input type="checkbox" id="use_delivery_as_billing" class="form-check-input" checked> <h5 style="display:inline">Billing<br><small>Same as delivery address</small></h5></label></div><div id="o_delivery_form"><h4>Choose a delivery method</h4><ul class="list-group" id="o_delivery_methods">${Object.entries(
            shippings,
          )
            .map(
              ([id, one]) =>
                `<li class="list-group-item o_delivery_carrier_select" name="o_delivery_method"><div class="form-check"><input type="radio" name="o_delivery_radio" class="form-check-input" id="o_delivery_${id}" value="${id}"><label class="form-check-label" for="o_delivery_${id}">${one.title}</label></div><span class="o_wsale_delivery_price_badge float-end">${monetary(one.price)}</span></li>`,
            )
            .join(
              '',
            )}</ul></div></div>${totals()}<div class="o_cta_navigation_container"><a class="btn btn-link" href="/shop/cart"><i class="fa fa-angle-left"></i> Back to cart</a><a role="button" name="website_sale_main_button" class="btn btn-primary disabled" href="/shop/payment" onclick="return !this.classList.contains('disabled')">Confirm <i class="fa fa-arrow-right"></i></a></div>`,
        );
      case 'GET /shop/address': {
        const field = (name: string, label: string, more = '') =>
          `<div id="div_${name}" class="col-lg-12 mb-2"><label class="col-form-label" for="o_${name}">${label}</label><input type="text" name="${name}" class="form-control" id="o_${name}" ${more}></div>`;
        return whole(
          'Address',
          `<form class="address_autoformat checkout_autoformat" action="/shop/address/submit" method="post"><h3>Fill in your address</h3><p><small>Already have an account? <a href="/web/login?redirect=/shop/checkout">Sign in</a></small></p>${field('name', 'Your name', 'required')}${field('email', 'Email', 'required')}${field('phone', 'Phone', 'required')}${field('company_name', 'Company Name').replace('</label>', ' <small>(optional)</small></label>')}${field('street', 'Street and Number', 'required')}${field('street2', 'Apartment, suite, etc.')}${field('city', 'City', 'required')}${field('zip', 'Zip Code', 'required')}<div id="div_country"><label for="o_country_id">Country</label><select name="country_id" id="o_country_id" class="form-select" required>${countries}</select></div><div id="div_state"><label for="o_state_id">State / Province</label><select name="state_id" id="o_state_id" class="form-select">${states}</select></div><div class="form-check"><input type="checkbox" id="use_same" name="use_delivery_as_billing" checked> <label for="use_same">Use as billing address too</label></div><div id="errors"></div><div class="d-flex"><a role="button" class="btn btn-link" href="/shop/cart"><i class="fa fa-angle-left"></i> Discard</a><button type="submit" name="website_sale_main_button" class="btn btn-primary" id="save_address">Save address</button></div></form>${folded()}`,
        );
      }
      case 'POST /shop/address/submit':
        for (const key of ['name', 'email', 'street']) session.set(key, form.get(key) ?? '');
        return { to: '/shop/checkout' };
      case 'POST /shop/set_delivery_method':
        session.set('delivery', String(sent['way']));
        return {
          json: {
            shipping: (shipping()! / 100).toFixed(2),
            total: ((cart.subtotal() + shipping()!) / 100).toFixed(2),
          },
        };
      case 'GET /shop/payment':
        if (shipping() === undefined) return { to: '/shop/checkout' };
        return whole(
          'Shop - Select Payment Method',
          `${folded()}<div id="address_on_payment"><b>Delivery &amp; Billing: </b><span>${session.get('street')}, San Francisco CA 94105, United States</span> <a href="/shop/checkout">Edit</a></div><div id="payment_method" class="o_not_editable"><h4>Confirm order</h4><form id="o_payment_form" onsubmit="return false"><h5>Choose a payment method</h5><ul id="o_payment_methods" class="list-group">${Object.entries(
            ways,
          )
            .map(
              ([id, title]) =>
                `<li name="o_payment_option" class="list-group-item o_outline"><div class="o_payment_option_label d-flex"><input name="o_payment_radio" type="radio" id="o_payment_method_${id}" class="form-check-input" value="${id}"><label for="o_payment_method_${id}">${title}</label></div><div name="o_payment_inline_form" hidden><p>${id === 'wire' ? 'Please transfer the money.' : 'Pay the driver.'}</p></div></li>`,
            )
            .join(
              '',
            )}</ul></form></div><div class="oe_accept_terms form-check"><input type="checkbox" id="website_sale_tc_checkbox" class="form-check-input"><label for="website_sale_tc_checkbox">I agree to the <a target="_blank" href="/terms">terms &amp; conditions</a></label></div>${totals()}<div name="o_website_sale_free_cart"></div><button name="o_payment_submit_button" type="button" class="btn btn-primary w-100" disabled>Pay now</button>`,
        );
      case 'POST /shop/payment/transaction':
        place(orders, cart, {
          delivery: session.get('delivery')!,
          way: String(sent['way']),
          email: session.get('email'),
          address: session.get('street'),
        });
        return { json: { to: '/shop/confirmation' } };
      case 'GET /shop/confirmation':
        return whole(
          'Shop - Confirmed',
          `<h4 class="oe_website_sale_tx_status"><span>Thank you for your order.</span></h4><h3>Order <em>S0${7000 + orders.length}</em></h3><div class="alert alert-success">Your payment has been successfully processed.</div>`,
        );
      default:
        return undefined;
    }
  };

export const odoo: Skin = { platform: 'Odoo', path: slug.mug, currency: 'USD', open };
