import type { Handler, PageRequest } from '../../../src/runner/engine/testing/test-shop-kit.ts';

/**
 * A shop with one catalogue and one book, whose pages each skin writes as its platform does.
 * Amounts in cents.
 */
export interface Skin {
  readonly platform: string;
  /** Where the mug is. */
  readonly path: string;
  readonly currency: string;
  readonly open: (setting?: Setting) => Handler;
}

export interface Setting {
  /** What lies in the cart before anybody has added anything. */
  readonly left?: readonly Line[];
}

export type ProductId = 'mug' | 'set' | 'tray';
export interface Line {
  readonly id: ProductId;
  readonly size?: string;
  readonly n: number;
}

export const goods: Readonly<
  Record<ProductId, { readonly number: string; readonly title: string; readonly price: number }>
> = {
  mug: { number: '12', title: 'Harbour Mug', price: 2400 },
  set: { number: '13', title: 'Harbour Mug Set', price: 5200 },
  tray: { number: '14', title: 'Oak Tray', price: 3100 },
};
export const sizes: Readonly<Record<string, number>> = { Small: 0, Large: 400 };
export const shippings: Readonly<
  Record<string, { readonly title: string; readonly price: number }>
> = {
  flat: { title: 'Flat rate', price: 500 },
  express: { title: 'Express', price: 1500 },
};
export const ways: Readonly<Record<string, string>> = {
  bank: 'Direct bank transfer',
  cod: 'Cash on delivery',
};

export const idOf = (number: string): ProductId =>
  (Object.keys(goods) as ProductId[]).find((id) => goods[id].number === number || id === number)!;
export const priceOf = ({ id, size }: Pick<Line, 'id' | 'size'>): number =>
  goods[id].price + (size === undefined ? 0 : (sizes[size] ?? 0));
export const money = (cents: number, sign = '$'): string => `${sign}${(cents / 100).toFixed(2)}`;
const nameOf = ({ id, size }: Line) =>
  size === undefined ? goods[id].title : `${goods[id].title} (${size})`;

type Session = PageRequest['session'];

/** The cart of one visitor. */
export const cartOf = (session: Session, { left = [] }: Setting = {}) => {
  const lines = (): Line[] =>
    session.has('cart') ? (JSON.parse(session.get('cart')!) as Line[]) : [...left];
  const keep = (next: readonly Line[]) =>
    void session.set('cart', JSON.stringify(next.filter(({ n }) => n > 0)));
  return {
    lines,
    count: () => lines().reduce((sum, { n }) => sum + n, 0),
    subtotal: () => lines().reduce((sum, line) => sum + line.n * priceOf(line), 0),
    add: (id: ProductId, size: string | undefined, n: number) => {
      const same = lines().find((line) => line.id === id && line.size === size);
      const added: Line = { id, ...(size !== undefined && { size }), n };
      keep(
        same === undefined
          ? [...lines(), added]
          : lines().map((line) =>
              line.id === id && line.size === size ? { ...line, n: line.n + n } : line,
            ),
      );
    },
    set: (index: number, n: number) =>
      keep(lines().map((line, at) => (at === index ? { ...line, n } : line))),
    empty: () => keep([]),
  };
};

export interface Placed {
  readonly delivery: string;
  readonly way: string;
  readonly email: string | undefined;
  readonly address: string | undefined;
  readonly more?: Record<string, string>;
}

/** Books an order of what lies in the cart; its number. */
export function place(
  orders: Record<string, string>[],
  cart: ReturnType<typeof cartOf>,
  { delivery, way, email, address, more }: Placed,
): string {
  const total = cart.subtotal() + (shippings[delivery]?.price ?? Number.NaN);
  const lines = cart.lines().map((line) => `${line.n} × ${nameOf(line)}`);
  orders.push({
    lines: lines.join(' + '),
    total: String(total),
    delivery,
    way,
    email: email ?? '',
    address: address ?? '',
    ...more,
  });
  cart.empty();
  return String(7000 + orders.length);
}

/** A page in which a script draws what the shop's data say. */
export const page = (title: string, body: string, script = '', head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>body{font:15px sans-serif;margin:0}main,header,footer{padding:8px 24px}.screen-reader-text,.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}[hidden]{display:none!important}.row{display:flex;gap:8px;align-items:center}</style>${head}</head><body>${body}${script === '' ? '' : `<script>${helpers}${script}</script>`}</body></html>`;

const helpers = `
const $ = (selector, root = document) => root.querySelector(selector);
const post = (path, body, method = 'POST') => fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) => answer.json());
const get = (path) => fetch(path).then((answer) => answer.json());
const cash = (cents, sign = '$') => sign + (cents / 100).toFixed(2);
`;

export const json = (body: string): Record<string, unknown> =>
  JSON.parse(body || '{}') as Record<string, unknown>;
export const countries =
  '<option value="">Select…</option><option value="DE">Germany</option><option value="US">United States (US)</option>';
export const states =
  '<option value="">Select…</option><option value="CA">California</option><option value="NY">New York</option>';
