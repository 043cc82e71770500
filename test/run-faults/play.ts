import { setTimeout as delay } from 'node:timers/promises';
import { decideCheckout } from '../../src/areas/agent-checkouts/decisions/decisions.ts';
import { buyers } from '../../src/runner/engine/testing/fixture-shops.ts';
import { persist } from '../faults/database.ts';
import { type PendingAction, usualAnswer } from '../harness/checkout-world.ts';
import type { CallAnswer } from '../harness/http.ts';
import type { RunPlan } from './plan.ts';
import type { RunFaultWorld } from './world.ts';

const path = '/unstable/agent-checkouts';
const endMaxMs = 150_000;
const pollMs = 60;
const ends = ['succeeded', 'failed', 'cancelled'];

/** How a purchase ended, and what is true. */
export interface Played {
  readonly plan: RunPlan;
  /** False when the run ended before the step at which something was to be killed. */
  readonly isKilled: boolean;
  readonly status: string;
  readonly outcome: string;
  readonly reason: string | undefined;
  readonly orders: number;
  readonly authorisations: number;
  /** What the run and the shop do not agree about; empty when all is well. */
  readonly wrong: readonly string[];
}

interface Row {
  readonly step: string;
  readonly outcome: string | null;
  readonly armed: boolean;
}

/** Buys once while something is killed, and compares what is said with what is true. */
export async function playPlan(world: RunFaultWorld, plan: RunPlan): Promise<Played> {
  const user = `user-${plan.seed}`;
  const shop = world.shops.shop(plan.shop);
  const email = `${user}@example.com`;
  const as = async (method: string, below: string, body?: object): Promise<CallAnswer> => {
    const jwt = await world.api.userJwt(user);
    return persist(async () => {
      const answer = await world.api.call(method, `${path}${below}`, {
        key: world.api.clientKey,
        jwt,
        ...(body && { body }),
      });
      if (answer.status >= 500) throw new Error(answer.text);
      return answer;
    });
  };
  const item = itemOf(world, plan);
  const profile = await as('POST', '/buyer-profiles', profileOf(plan, email));
  const wish = {
    target: {
      kind: 'direct_url',
      url: item.url,
      ...(item.request !== '' && { request: item.request }),
    },
    constraints: {
      maxCost: { amount: shop.currency === 'JPY' ? '90000' : '900', currency: shop.currency },
    },
    buyerProfileId: profile.body.id,
  };
  const { status, body, text } = await as('POST', '', wish);
  if (status !== 200) throw new Error(`The checkout was refused: ${text}`);
  const id: string = body.id;
  const readRow = () => persist(() => rowOf(world, id));
  const read = async () => (await as('GET', `/${id}`)).body;
  const countOrders = () => world.shops.countOrders(plan.shop, { email });
  const killing = killAtStep(world, plan, id);
  const view = await follow({
    plan,
    read,
    as: (action, values) => as('POST', `/${id}/actions/${action}`, values),
    countOrders,
  });
  killing.stop();
  const isKilled = await killing.done;
  const row = await readRow();
  const orders = await countOrders();
  const authorisations = await countAuthorisations(world, plan, id);
  const wrong = [
    ...(orders > 1 ? [`the shop has ${orders} orders`] : []),
    ...(authorisations > 1 ? [`${authorisations} cards were charged`] : []),
    ...disagreements(view, row, orders),
    ...(row.outcome === 'unknown' ? await checkLock({ world, id, wish, as, orders }) : []),
  ];
  return {
    plan,
    isKilled,
    status: view.status,
    outcome: row.outcome ?? 'none',
    reason: view.failure && `${view.failure.reason}: ${view.failure.message}`,
    orders,
    authorisations,
    wrong,
  };
}

function disagreements(view: CallAnswer['body'], row: Row, orders: number): string[] {
  if (view.status === 'succeeded')
    return orders === 1 ? [] : ['it succeeded, and the shop has no order'];
  if (row.outcome === 'unknown')
    return row.armed ? [] : ['its outcome is unknown, and it never had the permit'];
  if (orders > 0) return [`it ended as ${view.status}, not placed, and the shop has an order`];
  return [];
}

/** While nobody knows, the same is not bought again; once somebody has decided it may be. */
async function checkLock(input: {
  readonly world: RunFaultWorld;
  readonly id: string;
  readonly wish: object;
  readonly as: (method: string, below: string, body?: object) => Promise<CallAnswer>;
  readonly orders: number;
}): Promise<string[]> {
  const { world, id, as, wish } = input;
  const wrong: string[] = [];
  if ((await as('POST', '', wish)).status !== 409)
    wrong.push('the same could be bought again although nobody knows what became of it');
  await decideCheckout(world.ctx, {
    projectId: world.api.projectId,
    checkoutId: id,
    outcome: input.orders > 0 ? 'placed' : 'not-placed',
    by: 'test',
    note: 'looked at the shop',
  });
  const again = await as('POST', '', wish);
  if (again.status !== 200) wrong.push(`decided, and yet refused: ${again.text}`);
  else await as('DELETE', `/${again.body.id}`);
  return wrong;
}

interface Following {
  readonly plan: RunPlan;
  readonly read: () => Promise<CallAnswer['body']>;
  readonly as: (actionId: string, body: object) => Promise<CallAnswer>;
  readonly countOrders: () => Promise<number>;
}

/**
 * Answers as a user does, until the checkout has ended. Who does not know what became of an order
 * says nothing and declines.
 */
async function follow({ plan, read, as, countOrders }: Following): Promise<CallAnswer['body']> {
  const answered = new Set<string>();
  for (const endAt = Date.now() + endMaxMs; ; await delay(pollMs)) {
    const view = await read();
    if (ends.includes(view.status)) return view;
    if (Date.now() > endAt) throw new Error(`The checkout has not ended: ${JSON.stringify(view)}`);
    const pending = view.pendingUserAction as PendingAction | undefined;
    if (!pending || answered.has(pending.id)) continue;
    answered.add(pending.id);
    const isOutcome = 'outcome' in pending.responseSchema.properties;
    const values = isOutcome
      ? { outcome: (await countOrders()) > 0 ? 'placed' : 'not-placed' }
      : usualAnswer(pending);
    await as(
      pending.id,
      isOutcome && !plan.doesUserKnow ? { action: 'decline' } : { action: 'submit', values },
    );
  }
}

/** Kills once the step is in the log. `stop` when the run has ended without it. */
function killAtStep(
  world: RunFaultWorld,
  plan: RunPlan,
  id: string,
): { readonly done: Promise<boolean>; stop(): void } {
  let isOver = false;
  const done = (async () => {
    for (; !isOver; await delay(20)) {
      const { rows } = await persist(() =>
        world.ctx.store.query<{ id: string }>({
          text: 'select checkout_id as id from agent_checkout_steps where checkout_id = $1 and step = $2 limit 1',
          values: [id, plan.step],
        }),
      );
      if (rows.length === 0) continue;
      await delay(plan.delayMs);
      await world.kill(plan.victim);
      return true;
    }
    return false;
  })();
  return { done, stop: () => (isOver = true) };
}

async function rowOf(world: RunFaultWorld, id: string): Promise<Row> {
  const { rows } = await world.ctx.store.query<Row>({
    text: 'select step, outcome, armed_at is not null as armed from agent_checkouts where id = $1',
    values: [id],
  });
  return rows[0]!;
}

/** Amounts above zero that the issuer has let through for this checkout. */
async function countAuthorisations(
  world: RunFaultWorld,
  plan: RunPlan,
  id: string,
): Promise<number> {
  const orders = await world.shops.readOrders(plan.shop, {
    email: `user-${plan.seed}@example.com`,
  });
  const sessions = new Set(orders.map(({ sessionId }) => sessionId));
  const atShop = (await world.shops.readAuthorisations(plan.shop)).filter(
    (one) => sessions.has(one.sessionId) && one.amountMinor > 0n,
  );
  const { rows } = await persist(() =>
    world.ctx.store.query<{ count: number }>({
      text: 'select count(*)::int as count from agent_checkout_cards where checkout_id = $1',
      values: [id],
    }),
  );
  return Math.max(atShop.length, rows[0]!.count > 1 ? rows[0]!.count : 0);
}

function itemOf(
  world: RunFaultWorld,
  plan: RunPlan,
): { readonly url: string; readonly request: string } {
  const shop = world.shops.shop(plan.shop);
  if (plan.product !== '')
    return {
      url: shop.productUrl(plan.product, plan.mean === undefined ? undefined : { mean: plan.mean }),
      request: plan.request,
    };
  const product = shop.products.at(-1)!;
  const request = product.options
    .map((option) => option.values.find((value) => value.soldOut !== true)!.label)
    .join(', ');
  return { url: shop.productUrl(product.id), request };
}

function profileOf(plan: RunPlan, email: string): object {
  const { firstName: first, lastName: last, phone, shipping } = buyers[plan.shop];
  const { administrativeAreaCode, ...place } = shipping!;
  return {
    name: { first, last },
    contact: { email, phone },
    shipping: { ...place, ...(administrativeAreaCode !== undefined && { administrativeAreaCode }) },
  };
}
