import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallAnswer } from '../../../test/harness/http.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { postEntries, readBalances } from '../../ledger/index.ts';
import { sandboxCards } from '../../providers/card/index.ts';
import { type OfframpWorld, startOfframpWorld } from '../orders/offramp-test-kit.ts';
import { aBuyer, createOnramp, payByCard, untilState } from '../orders/onramp-kit.ts';
import { fundTreasury, withdrawFromTreasury } from '../treasury/index.ts';
import { reconcileAll, reconcileCommand, reconcileProject, selectOpenDifferences } from './index.ts';

// Everything moves on real local chains; what is planted goes past all code of ours.

const chain = 'base-sepolia';
let world: OfframpWorld;

beforeAll(async () => {
  world = await startOfframpWorld();
  const { ctx } = world.stack;
  await fundTreasury(ctx, { projectId: world.projectId, chain, token: 'usdc', amount: '10000' });
  const funded = await world.stack.call('POST', `/v1-alpha2/wallets/${world.payer}/balances`, {
    body: { amount: 5_000, token: 'usdxm', chain },
  });
  expect([funded.status, funded.text]).toEqual([201, expect.any(String)]);
  await eventually('the treasury is funded', async () => (await posted('usdc')) === 10_000_000_000n);
}, 180_000);
afterAll(() => world?.close());

const query = async (text: string, values: readonly unknown[] = []) => (await world.stack.ctx.store.query({ text, values })).rows;
const inVault = (text: string, values: readonly unknown[]) => world.stack.vault!.store.query({ text, values });
const run = (options: { full?: boolean; pauseMs?: number } = {}) =>
  reconcileProject(world.stack.ctx, world.projectId, { full: true, pauseMs: 500, ...options });
const problems = async () => (await run()).differences.map(({ problem }) => problem);

async function posted(symbol: string): Promise<bigint> {
  const token = await world.stack.tokenAddress(chain, symbol);
  const balances = await readBalances(world.stack.ctx.store, {
    projectId: world.projectId,
    account: `chain:${chain}:treasury`,
    limit: 100,
  });
  return balances.find(({ asset }) => asset === `${chain}:${token.toLowerCase()}`)?.postedMinor ?? 0n;
}

/** Pays an offramp order from alice's wallet, on the chain. */
async function payOfframp(): Promise<string> {
  const order = await world.order({ amount: '100', rail: 'rtp' });
  const view = await world.view(order.id);
  const paid: CallAnswer = await world.stack.call('POST', `/2025-06-09/wallets/${world.payer}/transactions`, {
    body: { params: { chain, calls: [{ transaction: view.payment.preparation.serializedTransaction }] } },
  });
  expect([paid.status, paid.text]).toEqual([201, expect.any(String)]);
  return order.id;
}

async function offramp(): Promise<string> {
  const id = await payOfframp();
  await world.until(id, 'payout_final');
  return id;
}

async function onramp(): Promise<string> {
  const { address } = await aBuyer(world.stack);
  const { id } = await createOnramp(world.stack, { address });
  await payByCard(world.stack, id, sandboxCards.approved.number);
  await untilState(world.stack, id, 'delivered');
  return id;
}

/** Sends a token out of the treasury, or into it, as if somebody else had its key. */
async function moveTokens(from: string, to: string, amountMinor: bigint) {
  const { stack } = world;
  await stack.setNativeBalance(chain, from, 10n ** 18n);
  await stack.chainCall(chain, 'anvil_impersonateAccount', [from]);
  const data = `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${amountMinor.toString(16).padStart(64, '0')}`;
  const token = await stack.tokenAddress(chain, 'usdxm');
  const hash = await stack.chainCall<string>(chain, 'eth_sendTransaction', [{ from, to: token, data }]);
  await eventually('it is mined', async () => (await stack.chainCall(chain, 'eth_getTransactionReceipt', [hash])) !== null);
  await stack.setNativeBalance(chain, from, 0n);
  return hash;
}

describe('after real orders', () => {
  it('chain, ledger, bank and acquirer agree, however they ended', async () => {
    await offramp();
    await onramp();
    const declined = await createOnramp(world.stack, { address: (await aBuyer(world.stack)).address });
    await payByCard(world.stack, declined.id, sandboxCards.declined.number).catch(() => undefined);
    const turn = await run();
    expect(turn).toMatchObject({ differences: [], skipped: [] });
    expect(turn.compared).toBeGreaterThan(10);
  }, 120_000);
});
