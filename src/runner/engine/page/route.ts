/**
 * Parameters in which platforms name the page, where all have one file: OpenCart, AbanteCart, Zen
 * Cart, PrestaShop.
 */
const routeNames = ['route', 'rt', 'main_page', 'controller', 'fc'];
const isRoute = (value: string) => /^[\w./-]{2,80}$/.test(value);

/**
 * The path by which a shop knows a page: behind the number sign (`/#/cart`), in the query
 * (`index.php?route=checkout/cart`), else that of the address. Empty where it is no address.
 */
export function pathOf(address: string): string {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  const hash = routeIn(url.hash);
  if (hash !== undefined) return hash;
  const route = routeNames
    .map((name) => url.searchParams.get(name))
    .find((value) => value !== null && isRoute(value));
  const bare = url.pathname.replace(/index\.\w+$/, '');
  return route === undefined || route === null
    ? url.pathname
    : `${bare.replace(/\/$/, '')}/${route.replace(/^\//, '')}`;
}

/** The path of a page behind the number sign, as `#/cart` and `#!/cart` have it. */
const routeIn = (hash: string): string | undefined => /^#!?(\/[^?#]*)/.exec(hash)?.[1];

/** An address without what only moves within its page. */
export const pageOf = (address: string): string => {
  const [bare = '', hash = ''] = address.split('#');
  return `${bare}${routeIn(`#${hash}`) ?? ''}`;
};

/** Parameters that say which order a page shows, by its number. */
const orderNames = ['order', 'order_id', 'orderId', 'order_number', 'orderNumber', 'id_order'];

/**
 * An address that leads a person back to its page: what names the page and the order is kept of its
 * query, tokens and what tracks are not. Empty where it is no address.
 */
export function linkTo(address: string): string {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  const kept = [...url.searchParams].filter(
    ([name, value]) =>
      (routeNames.includes(name) && isRoute(value)) ||
      (orderNames.includes(name) && /^[A-Z]{0,5}-?\d{1,12}$/i.test(value)),
  );
  const query = kept
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`)
    .join('&');
  return `${url.origin}${url.pathname}${query === '' ? '' : `?${query}`}${routeIn(url.hash) === undefined ? '' : `#${routeIn(url.hash)}`}`;
}
