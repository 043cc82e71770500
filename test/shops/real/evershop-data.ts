import type { Purchases } from './cases.ts';

// What EverShop is told beside its own demonstration data, how its orders are read, and what is
// bought in it.

/** Delivery within one country, and cash on delivery: it has neither at first. */
export const everShopSetUp = `
  insert into setting (name, value, is_json) values ('codPaymentStatus', '1', false);
  with zone as (insert into shipping_zone (name) values ('All') returning shipping_zone_id),
    country as (insert into shipping_zone_country (zone_id, country) select shipping_zone_id, 'US' from zone),
    provider as (
      insert into shipping_zone_provider (zone_id, provider_code, is_enabled, sort_order, config)
      select shipping_zone_id, 'core', true, 0, '{}' from zone
    ),
    method as (insert into core_shipping_method (name) values ('Standard') returning core_shipping_method_id)
  insert into core_shipping_method_rate (method_id, zone_id, cost)
  select core_shipping_method_id, shipping_zone_id, 5 from method, zone`;

export const everShopOrders = `
  select json_build_object(
    'number', o.order_number, 'total', round(o.grand_total, 2)::text, 'email', o.customer_email, 'paying', o.payment_method_name,
    'address', (
      select concat_ws(', ', full_name, address_1, city, postcode, country) from order_address a
      where a.order_address_id = o.shipping_address_id
    ),
    'lines', (
      select json_agg(json_build_object('title', product_name, 'quantity', qty, 'unit', round(final_price, 2)::text)) from order_item
      where order_item_order_id = o.order_id
    )
  ) as one from "order" o order by o.order_id limit 1000`;

const name = { first: 'Mara', last: 'Lindqvist' };
export const everShopAccount = {
  full_name: `${name.first} ${name.last}`,
  email: 'mara@example.com',
  password: 'Heather-Moor-77',
};

const request = 'Pay cash on delivery.';
const paying = 'Cash';

const wishes = [
  {
    name: 'guest',
    page: '/ceramic-coffee-cup-white',
    maxCost: '30.00',
    request,
    title: 'Ceramic Coffee Cup',
    variant: 'White',
  },
  {
    name: 'variant',
    page: '/ceramic-coffee-cup-white',
    maxCost: '30.00',
    request: `In black. ${request}`,
    title: 'Ceramic Coffee Cup',
    variant: 'Black',
  },
  {
    name: 'quantity 2',
    page: '/desk-pen-holder-black',
    maxCost: '40.00',
    request: `Two. ${request}`,
    title: 'Desk Pen Holder',
    variant: 'Black',
    quantity: 2,
  },
  { name: 'limit', page: '/modern-ceramic-vase-white', maxCost: '26.00', request },
  {
    name: 'cancel',
    page: '/ceramic-candy-bowl-white',
    maxCost: '40.00',
    request,
    title: 'Ceramic Candy Bowl',
    variant: 'White',
    cancel: 'approval' as const,
  },
  {
    name: 'kill',
    page: '/stainless-steel-thermos-black',
    maxCost: '50.00',
    request,
    title: 'Stainless Steel Thermos',
    variant: 'Black',
    kill: { at: 'cart' },
  },
  {
    name: 'login',
    page: '/modern-ceramic-vase-black',
    maxCost: '40.00',
    request: `Use my account. ${request}`,
    title: 'Modern Ceramic Vase',
    variant: 'Black',
    login: { username: everShopAccount.email, password: everShopAccount.password },
  },
];

export const everShopCases: Purchases = {
  currency: 'USD',
  buyer: {
    name,
    contact: { email: everShopAccount.email, phone: '+14155550123' },
    shipping: {
      addressLines: ['12 Harbour Street'],
      locality: 'Oakland',
      administrativeAreaCode: 'US-CA',
      postalCode: '94607',
      countryCode: 'US',
    },
  },
  cases: wishes.map(({ title, variant, quantity = 1, ...wish }) => ({
    ...wish,
    way: 'cod',
    ...(title !== undefined && {
      order: { lines: [{ title, variant: [variant], quantity }], paying },
    }),
  })),
};
