import pino from 'pino';
import { recordTransfers, retractTransfers } from '../../src/areas/activity/index.ts';
import {
  type DepositListener,
  finalizeDeposits,
  recordDeposits,
  retractDeposits,
} from '../../src/areas/deposits/index.ts';
import {
  insertWallets,
  selectOwnAddresses,
  selectTreasuryAddresses,
} from '../../src/areas/wallets/index.ts';
import type { EvmNetwork } from '../../src/chains/evm/config/networks.ts';
import type { RpcClient } from '../../src/chains/evm/rpc/rpc.ts';
import { runWatcher, type WatcherEntrances } from '../../src/chains/evm/watcher/index.ts';
import type { ChainFamily, SeenTransfer } from '../../src/chains/family.ts';
import { createChains } from '../../src/chains/registry.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemIds } from '../../src/lib/id.ts';
import type { Store, Tx } from '../../src/store/types.ts';

const log = pino({ level: 'silent' });

/**
 * The part of the family that recording needs; everything else is not there and must not be called.
 */
export function recordingFamily(networks: readonly EvmNetwork[]): ChainFamily {
  return {
    chainType: 'evm',
    networks,
    canonicalAddress: (address: string) => address.toLowerCase(),
  } as unknown as ChainFamily;
}

/** Who listens to deposits, in the transaction in which they change. */
export type DepositListeners = (tx: Tx) => DepositListener;

const nobody: DepositListeners = () => async () => undefined;

/** Writes each change of a deposit into a table of its own, as lasting as what it tells of. */
export const recordDepositChanges: DepositListeners = (tx) => async (changes) => {
  for (const { deposit, change } of changes)
    await tx.query({
      text: 'insert into test_deposit_changes (deposit_id, change, was_final) values ($1, $2, $3)',
      values: [deposit.id, change, deposit.wasFinal],
    });
};

/**
 * The entrances of activity, wallets and deposits, as the composition root gives them to a family;
 * nobody listens to deposits.
 */
export function realEntrances(
  networks: readonly EvmNetwork[],
  onDeposits: DepositListeners = nobody,
): WatcherEntrances {
  const ctx = {
    chains: createChains([recordingFamily(networks)]),
    ids: systemIds,
    clock: systemClock,
    log,
  };
  return {
    ownAddresses: (tx, addresses) => selectOwnAddresses(tx, 'evm', addresses),
    depositAddresses: (tx, addresses) => selectTreasuryAddresses(tx, 'evm', addresses),
    recordTransfers: async (tx, transfers) => {
      await recordTransfers(ctx, tx, transfers);
      await recordDeposits(ctx, tx, transfers, onDeposits(tx));
    },
    recordOperations: async () => undefined,
    finalizeTransfers: (tx, chain, height) =>
      finalizeDeposits(ctx, tx, chain, height, onDeposits(tx)),
    retractTransfers: async (tx, chain, fromHeight) => {
      await retractTransfers(ctx, tx, chain, fromHeight);
      await retractDeposits(ctx, tx, chain, fromHeight, onDeposits(tx));
    },
  };
}

export interface TestWatcherOptions {
  readonly store: Store;
  readonly networks: readonly EvmNetwork[];
  readonly rpc: (chain: string) => RpcClient;
  readonly secondRpc?: (chain: string) => Promise<RpcClient | undefined>;
  readonly entrances?: Partial<WatcherEntrances>;
  readonly blockRangeMax?: number;
  readonly leaseMs?: number;
  readonly followAll?: boolean;
  readonly startHeights?: ReadonlyMap<string, bigint>;
}

export function runTestWatcher(options: TestWatcherOptions) {
  return runWatcher({
    store: options.store,
    log,
    config: {
      watcher: {
        pollMs: 20,
        blockRangeMax: options.blockRangeMax ?? 100,
        ...(options.startHeights ? { startHeights: options.startHeights } : {}),
      },
    },
    rpc: options.rpc,
    secondRpc: options.secondRpc,
    networks: options.networks,
    entrances: { ...realEntrances(options.networks), ...options.entrances },
    workerName: 'test',
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    ...(options.followAll === undefined ? {} : { followAll: options.followAll }),
  });
}

/** A wallet row; what the wallets area would store. */
export async function insertTestWallet(
  store: Store,
  input: { address: string; projectId?: string; owner?: string; purpose?: 'treasury' },
): Promise<{ id: string; projectId: string }> {
  const id = systemIds.uuid();
  const projectId = input.projectId ?? systemIds.uuid();
  const { address, owner, purpose } = input;
  await insertWallets(store, [
    {
      id,
      projectId,
      chainType: 'evm',
      type: 'smart',
      address,
      addressKey: address.toLowerCase(),
      ...(owner === undefined ? {} : { owner, ownerKey: owner }),
      ...(purpose === undefined ? {} : { purpose }),
      adminSigner: { type: 'api-key', locator: 'api-key' },
      setup: {},
      createdAt: new Date(),
    },
  ]);
  return { id, projectId };
}

export interface ActivityRow {
  direction: 'in' | 'out';
  seen_id: string;
  token_symbol: string | null;
  amount_minor: string;
  sender: string;
  recipient: string;
  tx_id: string;
  height: string;
  transaction_id: string | null;
  retracted: boolean;
}

export async function readActivity(store: Store, walletId: string): Promise<ActivityRow[]> {
  const { rows } = await store.query<ActivityRow>({
    text: 'select * from wallet_transfers where wallet_id = $1 and not retracted order by completed_at, nr',
    values: [walletId],
  });
  return rows;
}

/** Types and amounts of the events of a project, in the order of writing. */
export async function readEventTypes(store: Store, projectId: string): Promise<string[]> {
  const { rows } = await store.query<{ type: string; amount: string }>({
    text: `select type, data->'token'->>'rawAmount' as amount from outbox where project_id = $1 order by written`,
    values: [projectId],
  });
  return rows.map((row) => `${row.type} ${row.amount}`);
}

/** Asks again until it is so. @throws Error after 20 s, with what was there last */
export async function eventually<T>(
  read: () => Promise<T>,
  isSo: (value: T) => boolean,
): Promise<T> {
  for (const endAt = Date.now() + 20_000; ; ) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > endAt)
      throw new Error(
        `It did not become so within 20 s: ${JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? field.toString() : field))}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits until the watcher has read everything the node has. */
export async function caughtUp(store: Store, chain: string, height: bigint): Promise<void> {
  await eventually(
    async () =>
      (
        await store.query<{ next_height: string | null }>({
          text: 'select next_height from evm_watched_chains where chain = $1',
          values: [chain],
        })
      ).rows[0]?.next_height,
    (next) => next !== undefined && next !== null && BigInt(next) > height,
  );
}

export function describeTransfer(transfer: SeenTransfer): string {
  return `${transfer.sender} → ${transfer.recipient}: ${transfer.amountMinor} ${transfer.token.symbol ?? transfer.token.locator}`;
}
