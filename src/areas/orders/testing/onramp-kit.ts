import { expect } from 'vitest';
import { type Stack, type StackOptions, startStack } from '../../../../test/harness/stack.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import { readBalances } from '../../../ledger/index.ts';
import { aCard } from '../../../providers/card/test-kit.ts';
import { fundTreasury } from '../../treasury/index.ts';
import { aPerson } from '../../users/test-kit.ts';
import { selectMoves, selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

export const onrampChain = 'base-sepolia';

/** A whole service whose project can sell tokens. */
export async function startOnrampStack(
  options: StackOptions & { readonly treasury?: string } = {},
): Promise<Stack> {
  const stack = await startStack(options);
  const amount = options.treasury ?? '10000';
  if (amount !== '0')
    await fundTreasury(stack.ctx, {
      projectId: stack.api.projectId,
      chain: onrampChain,
      token: 'usdc',
      amount,
    });
  return stack;
}

let count = 0;

/** A user's wallet; the user is verified unless said otherwise. */
export async function aBuyer(
  stack: Stack,
  input: {
    readonly verified?: boolean;
    readonly name?: string;
    readonly walletType?: 'smart' | 'mpc';
  } = {},
) {
  const locator = `userId:buyer${++count}`;
  const created = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: input.walletType ?? 'smart',
      owner: locator,
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  await acceptPolicy(stack, locator);
  if (input.verified !== false) await verify(stack, locator, input.name);
  return { locator, address: created.body.address as string };
}

const userPath = (locator: string, below = '') =>
  `/2025-06-09/users/${encodeURIComponent(locator)}${below}`;

export async function acceptPolicy(stack: Stack, locator: string) {
  const acceptedAt = new Date(stack.ctx.clock.now().getTime() - 1_000).toISOString();
  await stack.call('PUT', userPath(locator, '/legal-documents'), {
    body: { type: 'svc-privacy-policy', acceptedAt },
  });
}

/** Supplies what the light check needs, and starts it; a first name may steer the company. */
export async function startVerification(stack: Stack, locator: string, firstName?: string) {
  const { userDetails } = aPerson({ ...(firstName !== undefined && { firstName }) });
  await stack.call('PUT', userPath(locator), { body: { userDetails } });
  const answer = await stack.call('PUT', userPath(locator, '/identity-verification'));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
}

async function verify(stack: Stack, locator: string, firstName?: string) {
  await startVerification(stack, locator, firstName);
  await eventually(`${locator} is verified`, async () => {
    const { body } = await stack.call('GET', userPath(locator, '/identity-verification'));
    return body.eligibility.some(
      (entry: any) => entry.type === 'onramp-light' && entry.status === 'verified',
    );
  });
}

export interface OnrampInput {
  readonly address?: string;
  readonly amount?: string;
  readonly mode?: 'exact-in' | 'exact-out';
  /** `null`: none. */
  readonly receiptEmail?: string | null;
  readonly currency?: string;
  readonly slippageBps?: string;
}

export function onrampBody({
  address,
  amount = '20',
  mode = 'exact-in',
  receiptEmail,
  currency,
  slippageBps,
}: OnrampInput) {
  return {
    recipient: address === undefined ? {} : { walletAddress: address },
    payment: {
      method: 'card',
      ...(currency !== undefined && { currency }),
      ...(receiptEmail !== null && { receiptEmail: receiptEmail ?? 'buyer@example.com' }),
    },
    lineItems: [
      {
        tokenLocator: `${onrampChain}:usdc`,
        executionParameters: {
          mode,
          amount,
          ...(slippageBps !== undefined && { maxSlippageBps: slippageBps }),
        },
      },
    ],
  };
}

export async function createOnramp(stack: Stack, input: OnrampInput) {
  const answer = await stack.call('POST', '/2022-06-09/orders', { body: onrampBody(input) });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return {
    id: answer.body.order.orderId as string,
    clientSecret: answer.body.clientSecret as string,
    order: answer.body.order,
  };
}

export async function readOrder(stack: Stack, id: string) {
  return (await stack.call('GET', `/2022-06-09/orders/${id}`)).body;
}

/** The order as kept. */
export async function orderRecord(stack: Stack, id: string): Promise<OrderRecord> {
  return (await selectOrder(stack.ctx.store, { by: 'id', id }))!;
}

/** The order's payment as its acquirer has it. */
export async function cardPaymentOf(stack: Stack, id: string) {
  const { cardReference } = await orderRecord(stack, id);
  return (await stack.ctx.providers.card!.findPayment(cardReference!.split('/')[1]!))!;
}

/** What has happened to the order, in its order. */
export async function orderEvents(stack: Stack, id: string): Promise<string[]> {
  return (await selectMoves(stack.ctx.store, id)).map(({ event }) => event);
}

/** Waits until nobody works on the order: whoever does next sees its state as it is now. */
export async function untilFlowRests(stack: Stack, id: string): Promise<void> {
  await eventually(`nobody works on order ${id}`, async () => {
    const { rowCount } = await stack.ctx.store.query({
      text: `select 1 from flows where kind = 'order-onramp' and key = $1 and lease_until is null`,
      values: [id],
    });
    return rowCount === 1;
  });
}

/** Waits for an internal state, and answers with the order as callers see it. */
export async function untilState(stack: Stack, id: string, state: OrderRecord['state']) {
  await eventually(`order ${id} is ${state}`, async () => {
    const order = await orderRecord(stack, id);
    return order.state === state;
  }).catch(async (error: unknown) => {
    const order = await orderRecord(stack, id);
    const moves = (await selectMoves(stack.ctx.store, id)).map(
      ({ event, to, note }) => `${event} → ${to} ${note ?? ''}`,
    );
    throw new Error(
      `${String(error)}; it is ${order.state} (${order.attention ?? ''}): ${moves.join(', ')}`,
    );
  });
  return readOrder(stack, id);
}

/** The payer enters a card on the sandbox's page. */
export async function payByCard(stack: Stack, id: string, number: string) {
  const { sandbox } = stack.ctx.providers.card!;
  return sandbox!.pay({ ...(await paymentKeys(stack, id)), card: aCard(number) });
}

export async function answerChallenge(stack: Stack, id: string, answer: 'approve' | 'fail') {
  return stack.ctx.providers.card!.sandbox!.answerChallenge({
    ...(await paymentKeys(stack, id)),
    answer,
  });
}

async function paymentKeys(stack: Stack, id: string) {
  const { cardReference, facts } = await orderRecord(stack, id);
  const { clientSecret } = facts.preparation!.card as { clientSecret: string };
  return { reference: cardReference!.split('/')[1]!, clientSecret };
}

/** What an order's clearing account holds, by asset; nothing when all is 0. */
export async function clearingBalances(stack: Stack, id: string): Promise<Record<string, bigint>> {
  const balances = await readBalances(stack.ctx.store, {
    projectId: stack.api.projectId,
    account: `order:${id}:clearing`,
    limit: 100,
  });
  return Object.fromEntries(
    balances
      .filter(({ postedMinor }) => postedMinor !== 0n)
      .map(({ asset, postedMinor }) => [asset, postedMinor]),
  );
}

export async function accountBalance(
  stack: Stack,
  account: string,
  asset: string,
): Promise<bigint> {
  const balances = await readBalances(stack.ctx.store, {
    projectId: stack.api.projectId,
    account,
    limit: 100,
  });
  return balances.find((balance) => balance.asset === asset)?.postedMinor ?? 0n;
}
