/** Parameters in which platforms name the page, where all have one file: OpenCart, AbanteCart, Zen Cart, PrestaShop. */
const routeNames = ['route', 'rt', 'main_page', 'controller', 'fc'];
const isRoute = (value: string) => /^[\w./-]{2,80}$/.test(value);

/**
 * The path by which a shop knows a page: behind the number sign (`/#/cart`), in the query (`index.php?route=checkout/cart`), else that of
 * the address. Empty where it is no address.
 */
export function pathOf(address: string): string {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  const hash = routeIn(url.hash);
  if (hash !== undefined) return hash;
  const route = routeNames.map((name) => url.searchParams.get(name)).find((value) => value !== null && isRoute(value));
  const bare = url.pathname.replace(/index\.\w+$/, '');
  return route === undefined || route === null ? url.pathname : `${bare.replace(/\/$/, '')}/${route.replace(/^\//, '')}`;
}

/** The path of a page behind the number sign, as `#/cart` and `#!/cart` have it. */
const routeIn = (hash: string): string | undefined => /^#!?(\/[^?#]*)/.exec(hash)?.[1];

/** An address without what only moves within its page. */
export const pageOf = (address: string): string => {
  const [bare = '', hash = ''] = address.split('#');
  return `${bare}${routeIn(`#${hash}`) ?? ''}`;
};
