import { setTimeout as delay } from 'node:timers/promises';
import type { CallAnswer } from '../harness/http.ts';
import type { Client } from './client.ts';
import type { Plan } from './plan.ts';
import type { Stray } from './strays.ts';
import type { FaultWorld } from './world.ts';

/** An order as its payer made it. */
export interface MadeOrder {
  readonly plan: Plan;
  readonly orderId: string;
  /** The payer's, and that of who receives tokens. */
  readonly wallet: string;
  /** The acquirer's id. */
  readonly intentId?: string;
  /** Smallest units that the payer sent, without what a reorganisation has taken for good. */
  sentMinor: bigint;
  /** A deposit that went astray. */
  stray?: Stray;
  /** What the payer does once the quote is over. */
  later?: () => Promise<void>;
}

const lookMs = 300;
const patienceMs = 400_000;
/** A payer asks for the money back as soon as the order is delivered, if that is soon. */
const soonMs = 6_000;

export const userOf = (plan: Plan) => `userId:seed-${plan.seed}`;
/** The same whenever the call is repeated. */
export const keyOf = (plan: Plan, what: string) => `fault-seed-${plan.seed}-${what}`;

/** The body of an answer. @throws Error when it has another status */
export function must(answer: Pick<CallAnswer, 'status' | 'text' | 'body'>, status: number): any {
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
  return answer.body;
}

export async function makeWallet(client: Client, plan: Plan): Promise<string> {
  const body = {
    chainType: 'evm',
    type: 'smart',
    owner: userOf(plan),
    config: { adminSigner: { type: 'api-key' } },
  };
  const answer = await client.call('POST', '/2025-06-09/wallets', {
    key: keyOf(plan, 'wallet'),
    body,
  });
  return must(answer, answer.status === 200 ? 200 : 201).address;
}

export async function createOrder(client: Client, plan: Plan, body: object): Promise<any> {
  return must(
    await client.call('POST', '/2022-06-09/orders', { key: keyOf(plan, 'order'), body }),
    201,
  ).order;
}

async function readOrder(client: Client, orderId: string): Promise<any> {
  return must(await client.call('GET', `/2022-06-09/orders/${orderId}`), 200);
}

/** The order, once its payer may pay, or never will. */
export async function untilPayable(client: Client, orderId: string): Promise<any> {
  for (const endAt = Date.now() + patienceMs; ; await delay(lookMs)) {
    const order = await readOrder(client, orderId);
    if (order.payment.status === 'awaiting-payment' && order.payment.preparation) return order;
    if (order.quote.status === 'expired' || Date.now() > endAt)
      throw new Error(`nobody may pay the order: ${JSON.stringify(order.payment)}`);
  }
}

/**
 * What a payer of any kind does beside paying: gets onto a sanctions list before, and off it later;
 * asks for the money back.
 */
export async function playBeside(
  world: FaultWorld,
  client: Client,
  { made, pay }: { readonly made: MadeOrder; readonly pay: () => Promise<void> },
): Promise<MadeOrder> {
  const { plan, wallet } = made;
  if (plan.listed !== 'no') world.sanctions.add(wallet);
  await pay();
  const hasAsked = plan.asksBack && (await askBack(world, client, { made, withinMs: soonMs }));
  const { later } = made;
  made.later = async () => {
    if (plan.listed === 'by mistake') world.sanctions.remove(wallet);
    await later?.();
    if (plan.asksBack && !hasAsked) await askBack(world, client, { made, withinMs: 0 });
  };
  return made;
}

/**
 * Two times at once: one request is made, whoever is killed.
 * @returns false when there is nothing to ask back yet
 */
async function askBack(
  world: FaultWorld,
  client: Client,
  { made, withinMs }: { readonly made: MadeOrder; readonly withinMs: number },
): Promise<boolean> {
  const { plan, orderId } = made;
  for (const endAt = Date.now() + withinMs; ; await delay(lookMs)) {
    if ((await readOrder(client, orderId)).lineItems[0].delivery.status === 'completed') break;
    if (Date.now() >= endAt) return false;
  }
  const body = { lineItem: 0, reason: 'the payer has thought better of it' };
  const ask = (what: string) =>
    client.call('POST', `/unstable/orders/${orderId}/refunds`, { key: keyOf(plan, what), body });
  const answers = await Promise.all([ask('refund'), ask('refund-too')]);
  for (const answer of answers)
    if (answer.status !== 201 && answer.body.code !== 'refund-not-allowed')
      throw new Error(`a refund was asked for: ${answer.text}`);
  const made1 = answers.filter(({ status }) => status === 201).length;
  if (made1 > 1) throw new Error('two refunds of one line item were accepted');
  if (made1 === 1) world.tally.add('a delivered order was asked back');
  return true;
}
