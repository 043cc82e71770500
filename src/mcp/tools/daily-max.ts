import { z } from 'zod';
import { formatAmount, parseDecimalAmount } from '../../lib/amount.ts';
import { ask, type ToolCtx, ToolRefusal } from '../tool.ts';

const dayMs = 24 * 60 * 60_000;
const pageSize = 100;
const pagesMax = 20;
/** Digits behind the point of the finest currency; the interface takes no more. */
const scale = 4;

const moneyView = z.object({ amount: z.string(), currency: z.string() });
const spentView = z.object({
  data: z.array(
    z.object({
      createdAt: z.string(),
      status: z.string(),
      constraints: z.object({ maxCost: moneyView }),
      metadata: z.object({ mcpCall: z.string().optional() }).optional(),
      receipt: z.object({ total: moneyView.optional() }).optional(),
      failure: z.object({ message: z.string().optional() }).optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
type Checkout = z.output<typeof spentView>['data'][number];

const last = new WeakMap<ToolCtx, Promise<unknown>>();

/** Creates a checkout within the limit of this server. With one, they are created one after another: each counts for the next. */
export function withinDailyMax<T>(
  ctx: ToolCtx,
  input: { readonly maxCost: z.output<typeof moneyView>; readonly key: string },
  create: () => Promise<T>,
): Promise<T> {
  if (!ctx.checkoutDailyMax) return create();
  const created = (last.get(ctx) ?? Promise.resolve()).then(async () => {
    await checkDailyMax(ctx, input);
    return create();
  });
  last.set(
    ctx,
    created.catch(() => undefined),
  );
  return created;
}

/**
 * What the user's checkouts of the last 24 hours cost, or may cost, stays with the new one below the limit of this server. It is read
 * from the service, so that a restart forgets nothing. @throws ToolRefusal
 */
async function checkDailyMax(ctx: ToolCtx, input: { readonly maxCost: z.output<typeof moneyView>; readonly key: string }): Promise<void> {
  const limit = ctx.checkoutDailyMax;
  if (!limit) return;
  const { amount, currency } = input.maxCost;
  if (currency !== limit.currency)
    throw new ToolRefusal(`This agent may spend ${limit.amount} ${limit.currency} a day, and nothing in ${currency}.`);
  const checkouts = await readLastDay(ctx);
  // The same call again makes no second checkout.
  if (checkouts.some(({ metadata }) => metadata?.mcpCall === input.key)) return;
  const spent = checkouts.reduce((sum, checkout) => sum + costOf(checkout, currency), 0n);
  const max = parseDecimalAmount(limit.amount, scale);
  if (spent + parseDecimalAmount(amount, scale) <= max) return;
  const left = spent >= max ? 0n : max - spent;
  throw new ToolRefusal(
    `This agent may spend ${limit.amount} ${currency} in 24 hours; ${formatAmount(left, scale)} ${currency} are left. Nothing was bought. Ask for a lower maxCost, or wait.`,
  );
}

async function readLastDay(ctx: ToolCtx): Promise<Checkout[]> {
  const from = ctx.now().getTime() - dayMs;
  const found: Checkout[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const query: URLSearchParams = new URLSearchParams({ limit: String(pageSize), ...(cursor !== null && { cursor }) });
    const { data } = await ask(ctx, { method: 'GET', path: `/unstable/agent-checkouts?${query}` }, spentView);
    // Newest first.
    const young = data.data.filter(({ createdAt }) => Date.parse(createdAt) > from);
    found.push(...young);
    cursor = data.nextCursor;
    if (cursor === null || young.length < data.data.length) return found;
  }
  throw new ToolRefusal('There are too many checkouts of the last 24 hours to add up: nothing more is bought today.');
}

/** What it cost, or the most that it may. Only a failure that leaves open whether something was bought counts like a purchase. */
function costOf({ status, constraints, receipt, failure }: Checkout, currency: string): bigint {
  if (status === 'cancelled' || (status === 'failed' && !/not known/.test(failure?.message ?? ''))) return 0n;
  const cost = receipt?.total ?? constraints.maxCost;
  return cost.currency === currency ? parseDecimalAmount(cost.amount, scale) : 0n;
}
