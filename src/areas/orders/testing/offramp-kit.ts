import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { CallAnswer } from '../../../../test/harness/http.ts';
import { type Stack, startStack } from '../../../../test/harness/stack.ts';
import type { ChainEntrances, ResolvedToken } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import { readBalances } from '../../../ledger/index.ts';
import { aUsBody } from '../../../vault/testing/methods-kit.ts';
import { chainEntrances } from '../../chain-entrances.ts';
import { requireTreasury, treasuryCommand } from '../../treasury/index.ts';
import { payoutOf } from '../legs/payout/fact.ts';
import { selectRefundsOfOrder } from '../legs/refund/store.ts';
import { type OrderSettingsInput, writeOwnSettings } from '../pricing/index.ts';
import { selectMoves, selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

export const depositChain = 'base-sepolia';
export const otherChain = 'ethereum-sepolia';

/** A deposit as a watcher would tell of it. */
export interface ToldDeposit {
  readonly memo?: string | undefined;
  readonly amountMinor: bigint;
  readonly sender?: string;
  readonly chain?: string;
  readonly token?: ResolvedToken;
  /** How long before now its block is. */
  readonly agoMs?: number;
}

export interface Told {
  readonly height: bigint;
  readonly txId: string;
  /** By the network's rule it stays. */
  finalize(): Promise<void>;
  /** A reorganisation removes its block. */
  retract(): Promise<void>;
  /** Another block has it. */
  again(): Promise<void>;
}

export interface OfframpWorld {
  readonly stack: Stack;
  readonly projectId: string;
  readonly treasury: string;
  /** Wallet of alice, canonical. */
  readonly payer: string;
  readonly token: ResolvedToken;
  settings(settings: OrderSettingsInput): Promise<void>;
  /** A bank account of alice; what the sandbox bank does is written in its number. */
  account(accountNumber?: string): Promise<string>;
  /** Creates an order through the API, and checks that it waits for its deposit. */
  order(input?: {
    readonly amount?: string;
    readonly accountNumber?: string;
    readonly rail?: string;
  }): Promise<OrderRecord>;
  read(orderId: string): Promise<OrderRecord>;
  view(orderId: string): Promise<CallAnswer['body']>;
  deposit(deposit: ToldDeposit): Promise<Told>;
  /** Waits until the order is in one of the states. */
  until(orderId: string, ...states: string[]): Promise<OrderRecord>;
  /** Waits until the bank has the payout of the order. */
  submitted(orderId: string): Promise<OrderRecord>;
  /** `<reason> <status> <amount>` of each refund, once none is under way. */
  refunds(orderId: string): Promise<string[]>;
  /** The order owes nobody anything. */
  expectCleared(orderId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The whole service, whose treasury has money; deposits are told by the test, so that their blocks
 * can be taken back.
 */
export async function startOfframpWorld(
  options: { /** Runs instead of the worker. */ readonly run?: (ctx: Ctx) => Promise<void> } = {},
): Promise<OfframpWorld> {
  const stack = await startStack({ vault: true, worker: options.run === undefined });
  const { ctx } = stack;
  await options.run?.(ctx);
  const { projectId } = stack.api;
  const family = ctx.chains.familyOfChain(depositChain);
  const entrances: ChainEntrances = chainEntrances(ctx, family);
  const { address: treasury } = await requireTreasury(ctx, { projectId, chainType: 'evm' });
  const token = await family.resolveToken(depositChain, { symbol: 'usdxm' });
  const settings = (own: OrderSettingsInput) =>
    writeOwnSettings(ctx, { projectId, settings: { kycRequired: false, ...own } });
  await settings({});
  await treasuryCommand(async () => ctx, {
    argv: ['fund', '--chain', depositChain, '--token', 'usdxm', '--amount', '100000'],
    print: () => undefined,
    projectOf: async () => projectId,
  });
  const wallet = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:alice',
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  expect([wallet.status, wallet.text]).toEqual([201, expect.any(String)]);
  const payer = family.canonicalAddress(wallet.body.address);
  const methods = new Map<string, string>();
  let height = 1_000_000_000n;

  async function account(accountNumber = '000123456789') {
    const known = methods.get(accountNumber);
    if (known !== undefined) return known;
    const made = await stack.vault!.call('POST', '/unstable/payment-methods', {
      key: stack.api.serverKey,
      body: aUsBody({}, { accountNumber }),
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    methods.set(accountNumber, made.body.paymentMethodId);
    return made.body.paymentMethodId as string;
  }
  const read = async (orderId: string) =>
    (await selectOrder(ctx.store, { by: 'id', id: orderId }))!;
  const world: OfframpWorld = {
    stack,
    projectId,
    treasury,
    payer,
    token,
    settings,
    account,
    async order({ amount = '100', accountNumber, rail } = {}) {
      const body = {
        recipient: {
          paymentMethodId: await account(accountNumber),
          ...(rail !== undefined && { rail }),
        },
        payment: {
          method: depositChain,
          currency: 'usdxm',
          payerAddress: payer,
          receiptEmail: 'alice@example.com',
        },
        lineItems: {
          currencyLocator: 'fiat:usd',
          executionParameters: { mode: 'exact-in', amount },
        },
      };
      const created = await stack.call('POST', '/2022-06-09/orders', { body });
      expect([created.status, created.text]).toEqual([201, expect.any(String)]);
      const order = await read(created.body.order.orderId);
      expect(order.state).toBe('awaiting_deposit');
      return order;
    },
    read,
    view: async (orderId) => (await stack.call('GET', `/2022-06-09/orders/${orderId}`)).body,
    async deposit({
      memo,
      amountMinor,
      sender = payer,
      chain = depositChain,
      token: paid = token,
      agoMs = 0,
    }) {
      height += 10n;
      const at = height;
      const id = `test:${randomBytes(8).toString('hex')}`;
      const txId = `0x${randomBytes(32).toString('hex')}`;
      const tell = () =>
        ctx.store.transaction((tx) =>
          entrances.recordTransfers(tx, [
            {
              id,
              chain,
              token: { ...paid, chain },
              amountMinor,
              sender,
              recipient: treasury,
              txId,
              at: new Date(ctx.clock.now().getTime() - agoMs),
              height: at,
              succeeded: true,
              ...(memo !== undefined && { memo }),
            },
          ]),
        );
      await tell();
      return {
        height: at,
        txId,
        finalize: () => ctx.store.transaction((tx) => entrances.finalizeTransfers(tx, chain, at)),
        retract: () => ctx.store.transaction((tx) => entrances.retractTransfers(tx, chain, at)),
        again: tell,
      };
    },
    async until(orderId, ...states) {
      await eventually(states.join(' or '), async () =>
        states.includes((await read(orderId)).state),
      ).catch(async (error: unknown) => {
        const moves = (await selectMoves(ctx.store, orderId)).map(
          ({ event, to, note }) => `${event} → ${to} ${note ?? ''}`,
        );
        throw new Error(`${String(error)}\n${moves.join('\n')}`);
      });
      return read(orderId);
    },
    async submitted(orderId) {
      await eventually(
        'the bank has it',
        async () => payoutOf(await read(orderId))?.submittedAt !== undefined,
      );
      return read(orderId);
    },
    async refunds(orderId) {
      const open = async () =>
        (await selectRefundsOfOrder(ctx.store, orderId)).filter(
          ({ status }) => status === 'pending' || status === 'sent',
        );
      await eventually('refunds are final', async () => (await open()).length === 0);
      const refunds = await selectRefundsOfOrder(ctx.store, orderId);
      return refunds
        .map(({ reason, status, amountMinor }) => `${reason} ${status} ${amountMinor}`)
        .toSorted();
    },
    async expectCleared(orderId) {
      const balances = await readBalances(ctx.store, {
        projectId,
        account: `order:${orderId}:clearing`,
        limit: 100,
      });
      expect(
        balances.filter(
          ({ postedMinor, pendingMinor }) => postedMinor !== 0n || pendingMinor !== 0n,
        ),
      ).toEqual([]);
    },
    close: () => stack.close(),
  };
  return world;
}
