import { testConfig } from '../../../../../test/harness/config.ts';
import { createMovableClock } from '../../../../lib/clock.ts';
import { createLogger } from '../../../../lib/log/log.ts';
import { Secret } from '../../../../lib/sealing/secret.ts';
import { createStore } from '../../../../store/pool.ts';
import { createRowMacs } from '../../../../store/row-mac.ts';
import { type KillSetup, killPointOf } from '../../../testing/kills/kill-point.ts';
import { recordOutcomes } from '../../../testing/outcomes.ts';
import { solanaNetwork } from '../../config/networks.ts';
import { createSolanaRpc } from '../../rpc/rpc.ts';
import { signWith } from '../../testing/custody.ts';
import { createSigningAccount } from '../keys.ts';
import { runRelay } from '../run.ts';

/** A worker process that kills itself at a named point: `worker.ts <json>`. */
export interface WorkerSetup extends KillSetup {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly feePayerSeeds: readonly string[];
  /** Of wallets that are keys, by their ids. */
  readonly walletSeeds: Readonly<Record<string, string>>;
  readonly leaseMs: number;
  readonly walletProgram?: string;
  /** How far its clock is ahead of the machine's. */
  readonly clockAheadMs?: number;
}

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const store = createStore({
  url: setup.databaseUrl,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
  poolSize: 4,
  applicationName: 'solana-test-worker',
});
const rpc = createSolanaRpc({ url: setup.rpcUrl, timeoutMs: 10_000 });
const clock = createMovableClock();
clock.moveTo(setup.clockAheadMs ?? 0);
await runRelay({
  store,
  clock,
  log: createLogger({ level: 'silent', process: 'test' }),
  chain: 'solana',
  connect: async () => ({ network: solanaNetwork('development'), rpc }),
  feePayers: setup.feePayerSeeds.map((seed) => createSigningAccount(new Secret(bytesOf(seed)))),
  settings: { ...testConfig().solana.relay, leaseMs: setup.leaseMs },
  walletProgram: setup.walletProgram,
  bounds: { projectDayMaxMinor: 10n ** 12n, ownerDayMaxMinor: 10n ** 12n },
  settle: recordOutcomes,
  signBuilt: signWith(
    new Map(Object.entries(setup.walletSeeds).map(([id, seed]) => [id, bytesOf(seed)])),
  ),
  workerName: `worker-${process.pid}`,
  killPoint: killPointOf(setup),
});
process.stdout.write('running\n');
