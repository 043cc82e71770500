import { type Logger, pino } from 'pino';
import type { EvmConfig } from '../../../../config/config.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { Secret } from '../../../../lib/sealing/secret.ts';
import type { Db, Store, Tx } from '../../../../store/types.ts';
import type { OperationOutcome, Running } from '../../../family.ts';
import type { Hex } from '../../abi/words.ts';
import { type EvmNetwork, findEvmNetwork } from '../../config/networks.ts';
import type { SpendingBounds } from '../../config/spending-bounds.ts';
import { createRpc } from '../../rpc/rpc.ts';
import { runRelay } from '../run.ts';
import type { KillPoint } from '../types.ts';
import { chainName } from './chain.ts';

/** What a test relay is started with; plain JSON, so that a child process can be given it. */
export interface RelaySetup {
  readonly rpcUrl: string;
  readonly secondRpcUrl?: string;
  readonly executorKeys: readonly Hex[];
  readonly treasuryKey?: Hex;
  readonly workerName: string;
  readonly relay?: Partial<Omit<EvmConfig['relay'], 'executorBalanceMinWei'>> & {
    readonly executorBalanceMinWei?: string;
  };
  readonly rpcTimeoutMs?: number;
  readonly logLevel?: string;
  /** Other than those of the network, in wei. */
  readonly bounds?: Partial<Record<keyof SpendingBounds, string>>;
  /** Finality in blocks. */
  readonly finalBlocks?: number;
  /** The areas fail on outcomes of this operation. */
  readonly poisonId?: string;
}

const relayDefaults = {
  batchSizeMax: 20,
  flushAfterMs: 20,
  inFlightMax: 4,
  bumpAfterMs: 2_000,
  executorBalanceMinWei: 0n,
  leaseMs: 1_500,
};

/** Starts the relay of one local chain; outcomes go to the table of {@link createOutcomes}. */
export function startTestRelay(
  store: Store,
  setup: RelaySetup,
  killPoint?: (point: KillPoint) => void,
): Promise<Running> {
  const deps = testRelayDeps(store, setup);
  const { secondRpcUrl: url } = setup;
  const second = url === undefined ? undefined : createRpc({ url, timeoutMs: 2_000 });
  const secondRpc = async () => second;
  const { rpc, network } = deps;
  return runRelay({ ...deps, rpc: () => rpc, secondRpc, network: () => network, killPoint });
}

/** What the relay of one local chain runs with. */
export function testRelayDeps(store: Store, setup: RelaySetup) {
  const { executorBalanceMinWei, ...relay } = setup.relay ?? {};
  const config: EvmConfig = {
    rpcUrls: new Map([[chainName, setup.rpcUrl]]),
    executorKeys: setup.executorKeys.map((key) => new Secret(key)),
    treasuryKey: setup.treasuryKey && new Secret(setup.treasuryKey),
    relay: {
      ...relayDefaults,
      ...relay,
      ...(executorBalanceMinWei === undefined
        ? {}
        : { executorBalanceMinWei: BigInt(executorBalanceMinWei) }),
    },
    watcher: { pollMs: 1_000, blockRangeMax: 1_000 },
    rpcTimeoutMs: setup.rpcTimeoutMs ?? 5_000,
  };
  const base = findEvmNetwork(chainName)!;
  const bounds = Object.fromEntries(
    Object.entries(setup.bounds ?? {}).map(([name, wei]) => [name, BigInt(wei)]),
  );
  const network: EvmNetwork = {
    ...base,
    bounds: { ...base.bounds, ...bounds },
    finality: { kind: 'depth', blocks: setup.finalBlocks ?? 3 },
  };
  return {
    store,
    clock: systemClock,
    log: createTestLog(setup.logLevel),
    config,
    rpc: createRpc({ url: setup.rpcUrl, timeoutMs: config.rpcTimeoutMs }),
    network,
    settle: (tx: Tx, outcomes: readonly OperationOutcome[]) => {
      if (outcomes.some((outcome) => outcome.operationId === setup.poisonId))
        throw new Error('An area failed.');
      return recordOutcomes(tx, outcomes);
    },
    workerName: setup.workerName,
  };
}

function createTestLog(level = 'silent'): Logger {
  return pino({ level, base: { pid: process.pid } });
}

/** Every telling of an outcome is a row, so that a second telling shows. */
export async function createOutcomes(db: Db): Promise<void> {
  await db.query({
    text: 'create table test_outcomes (seq bigint generated always as identity, operation_id uuid not null, status text not null, outcome jsonb not null)',
  });
}

async function recordOutcomes(tx: Tx, outcomes: readonly OperationOutcome[]): Promise<void> {
  await tx.query({
    text: 'insert into test_outcomes (operation_id, status, outcome) select * from unnest($1::uuid[], $2::text[], $3::jsonb[])',
    values: [
      outcomes.map((outcome) => outcome.operationId),
      outcomes.map((outcome) => outcome.status),
      outcomes.map((outcome) =>
        JSON.stringify(outcome, (_, value: unknown) =>
          typeof value === 'bigint' ? value.toString() : value,
        ),
      ),
    ],
  });
}

export type ToldOutcome = OperationOutcome & { readonly seq: number };

/** All tellings, oldest first. */
export async function readOutcomes(db: Db): Promise<ToldOutcome[]> {
  const { rows } = await db.query<{ seq: string; outcome: OperationOutcome }>({
    text: 'select seq, outcome from test_outcomes order by seq',
  });
  return rows.map((row) => ({ ...row.outcome, seq: Number(row.seq) }));
}
