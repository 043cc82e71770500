import type { Purchases, ShopCase, ShopOrders } from './cases.ts';

export type Order = ShopOrders[number];

export interface Ended {
  readonly status: string;
  readonly receipt?: {
    readonly total?: { readonly amount: string };
    readonly merchantOrderId?: string;
  };
  readonly failure?: { readonly reason: string; readonly message: string };
}

export type CaseVerdict =
  | 'bought right'
  | 'refused rightly'
  | 'wrong'
  | 'untrue'
  | 'question'
  | 'not bought';

export interface CompareInput {
  readonly wish: ShopCase;
  readonly buyer: Purchases['buyer'];
  /** Orders that the shop had not before. */
  readonly orders: readonly Order[];
  readonly view: Ended;
  /** A question that the user could not answer. */
  readonly stuckAt: string | undefined;
}

/** A purchase beside the shop's own books. @returns the verdict, and why */
export function compare(input: CompareInput): {
  readonly verdict: CaseVerdict;
  readonly why: string;
} {
  const { wish, orders, view, stuckAt } = input;
  const wrong = differences(input);
  if (wrong.length > 0) return { verdict: 'wrong', why: wrong.join('; ') };
  const untrue = untruths(input);
  if (untrue.length > 0) return { verdict: 'untrue', why: untrue.join('; ') };
  const end = view.failure ? `${view.failure.reason}: ${view.failure.message}` : view.status;
  if (orders.length > 0) return { verdict: 'bought right', why: '' };
  if (wish.order === undefined || wish.cancel) return { verdict: 'refused rightly', why: end };
  return stuckAt === undefined
    ? { verdict: 'not bought', why: end }
    : { verdict: 'question', why: stuckAt };
}

const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

function differences({ wish, buyer, orders }: CompareInput): string[] {
  const [order] = orders;
  if (!order) return [];
  if (orders.length > 1)
    return [
      `the shop has ${orders.length} new orders: ${orders.map(({ number }) => number).join(', ')}`,
    ];
  const shown = order.lines.map(({ title, quantity }) => `${quantity} × ${title}`).join(' + ');
  // A user who stops it may come too late: then the order is there, and has to be right.
  if (!wish.order) return [`nothing was to be bought; the shop has ${shown}`];
  const wrong: string[] = [];
  const isLine = (
    line: Order['lines'][number],
    { title, variant, quantity, unit }: (typeof wish.order.lines)[number],
  ) =>
    has(line.title, title) &&
    variant.every((value) => has(`${line.title} ${JSON.stringify(line)}`, value)) &&
    line.quantity === quantity &&
    (unit === undefined || line.unit === undefined || Number(line.unit) === Number(unit));
  const isSame =
    order.lines.length === wish.order.lines.length &&
    wish.order.lines.every((wished) => order.lines.some((line) => isLine(line, wished)));
  if (!isSame)
    wrong.push(
      `ordered: ${shown}; wished: ${wish.order.lines.map(({ title, variant, quantity }) => `${quantity} × ${[title, ...variant].join(' ')}`).join(' + ')}`,
    );
  if (Number(order.total) > Number(wish.maxCost))
    wrong.push(`${order.total} is above the limit of ${wish.maxCost}`);
  if (
    order.email !== undefined &&
    !has(
      order.email,
      wish.login?.username.includes('@') ? wish.login.username : buyer.contact.email,
    )
  )
    wrong.push(`e-mail address: ${order.email}`);
  const { addressLines, locality, postalCode } = buyer.shipping;
  if (order.address !== undefined && !wish.login)
    for (const part of [buyer.name.last, addressLines[0]!, locality, postalCode])
      if (!has(order.address, part))
        wrong.push(`“${part}” is not in the address: ${order.address}`);
  if (
    wish.order.paying !== undefined &&
    order.paying !== undefined &&
    !has(order.paying, wish.order.paying)
  )
    wrong.push(`paid by ${order.paying}, wished: ${wish.order.paying}`);
  return wrong;
}

function untruths({ orders, view }: CompareInput): string[] {
  const [order] = orders;
  const message = view.failure?.message ?? '';
  if (view.status === 'succeeded' && !order)
    return ['it says bought, and the shop has no new order'];
  if (view.status !== 'succeeded' && order && !/not known/i.test(message))
    return [`it says “${message || view.status}”, and the shop has order ${order.number}`];
  if (!order || view.status !== 'succeeded') return [];
  const { total, merchantOrderId } = view.receipt ?? {};
  return [
    ...(total && Number(total.amount) !== Number(order.total)
      ? [`the receipt says ${total.amount}, the order ${order.total}`]
      : []),
    ...(merchantOrderId &&
    !has(order.number, merchantOrderId) &&
    !has(merchantOrderId, order.number)
      ? [`the receipt says order ${merchantOrderId}, the shop ${order.number}`]
      : []),
  ];
}
