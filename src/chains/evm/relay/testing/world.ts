import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { toHex } from 'viem';
import {
  generatePrivateKey,
  type PrivateKeyAccount,
  privateKeyToAccount,
  privateKeyToAddress,
} from 'viem/accounts';
import {
  addresses,
  hashOperation,
  type Operation,
  type OperationCall,
} from '../../../../../contracts/index.ts';
import {
  aWallet,
  farFuture,
  mint,
  sign,
  type TestWallet,
  transferCall,
} from '../../../../../contracts/test/chain.ts';
import { startTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { programArgs } from '../../../../../test/harness/programs.ts';
import type { Running } from '../../../family.ts';
import type { Hex } from '../../abi/words.ts';
import type { SignedDelegation } from '../../wallet/delegation.ts';
import { executedTopic } from '../queue/outcomes.ts';
import { enqueueOperations } from '../queue/queue.ts';
import type { KillPoint, RelayItem } from '../types.ts';
import { chainName, type RelayTestChain } from './chain.ts';
import {
  createOutcomes,
  type RelaySetup,
  readOutcomes,
  startTestRelay,
  type ToldOutcome,
} from './relay.ts';
import type { WorkerSetup } from './worker.ts';

/** A database, executors of their own and a recipient of their own on a shared local chain. */
export interface World {
  readonly chain: RelayTestChain;
  readonly database: TestDatabase;
  readonly executorKeys: readonly Hex[];
  readonly executors: readonly Hex[];
  readonly recipient: Hex;
  readonly items: RelayItem[];
  /** The relay in this process. */
  start(setup?: Partial<RelaySetup>): Promise<Running>;
  /** The relay in a process of its own. */
  spawnWorker(setup?: Partial<RelaySetup>, kill?: { at: KillPoint; count?: number }): ChildProcess;
  enqueue(items: readonly RelayItem[]): Promise<void>;
  /** Waits until every enqueued operation has an outcome; answers the last one of each. */
  settled(timeoutMs?: number): Promise<Map<string, ToldOutcome>>;
  close(): Promise<void>;
}

export async function aWorld(
  chain: RelayTestChain,
  options: { executors?: number; balanceWei?: bigint } = {},
): Promise<World> {
  const database = await startTestDatabase();
  await createOutcomes(database.store);
  const executorKeys = Array.from({ length: options.executors ?? 1 }, () => toHex(randomBytes(32)));
  const executors = executorKeys.map((key) => privateKeyToAddress(key).toLowerCase() as Hex);
  for (const executor of executors)
    await chain.setBalance(executor, options.balanceWei ?? 10n ** 20n);
  // Balances set from outside are of no block: a reorganisation would take them.
  await chain.call('anvil_mine', ['0x4']);
  const running: Running[] = [];
  const children: ChildProcess[] = [];
  const items: RelayItem[] = [];
  const setupOf = (setup: Partial<RelaySetup> = {}): RelaySetup => ({
    rpcUrl: chain.url,
    executorKeys,
    workerName: `worker-${randomUUID().slice(0, 8)}`,
    ...setup,
  });
  const world: World = {
    chain,
    database,
    executorKeys,
    executors,
    items,
    recipient: toHex(randomBytes(20)),
    start: async (setup) => {
      const relay = await startTestRelay(database.store, setupOf(setup));
      running.push(relay);
      return relay;
    },
    spawnWorker: (setup, kill) => {
      const worker: WorkerSetup = {
        databaseUrl: database.url,
        relay: setupOf(setup),
        killAt: kill?.at,
        killAtCount: kill?.count,
      };
      const script = programArgs('src/chains/evm/relay/testing/worker.ts');
      const child = spawn(process.execPath, [...script, JSON.stringify(worker)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      return child;
    },
    enqueue: async (more) => {
      items.push(...more);
      await database.store.transaction((tx) => enqueueOperations(tx, more));
    },
    settled: async (timeoutMs = 40_000) => {
      const endAt = Date.now() + timeoutMs;
      for (;;) {
        const last = new Map(
          (await readOutcomes(database.store)).map((outcome) => [outcome.operationId, outcome]),
        );
        const open = items.filter((item) => !last.has(item.operationId));
        if (open.length === 0) return last;
        if (Date.now() > endAt)
          throw new Error(
            `${open.length} of ${items.length} operations have no outcome: ${await describeOpen(database)}`,
          );
        await delay(20);
      }
    },
    close: async () => {
      await Promise.all(running.map((relay) => relay.stop()));
      await Promise.all(children.map(endChild));
      await database.close();
    },
  };
  return world;
}

async function describeOpen({ store }: TestDatabase): Promise<string> {
  const operations = await store.query({
    text: "select operation_id, status, tries, refusals, unknowns, send_id, run_at - now() as due, claim_token from evm_operations where status <> 'settled' limit 3",
  });
  const sends = await store.query({
    text: "select id, account, nonce, kind, status, cancelled, bumps, mined_block from evm_sends where status <> 'final' order by nonce limit 10",
  });
  const accounts = await store.query({
    text: 'select address, role, next_nonce, lease_owner, lease_until - now() as lease, fence, alarm from evm_accounts',
  });
  return JSON.stringify({
    operations: operations.rows,
    sends: sends.rows,
    accounts: accounts.rows,
  });
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export async function waitForEnd(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (!hasEnded(child)) await new Promise((resolve) => child.once('exit', resolve));
  return child.signalCode;
}

/** Resolves when the worker's relay runs, or when the worker has ended before. */
export async function waitForStart(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  await Promise.race([
    new Promise((resolve) => child.stdout!.once('data', resolve)),
    waitForEnd(child),
  ]);
}

async function endChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGKILL');
  await waitForEnd(child);
}

let nonceCount = BigInt(Date.now()) << 64n;

/** A signed operation; without `calls`, a transfer of one token unit to the world's recipient. */
export async function anItem(
  world: World,
  wallet: TestWallet,
  fields: Partial<Operation> & {
    readonly gasLimit?: bigint;
    readonly projectId?: string;
    readonly signature?: Hex;
  } = {},
): Promise<RelayItem> {
  const { gasLimit, projectId, signature, ...operation } = fields;
  const calls: readonly OperationCall[] = [transferCall(world.chain.token, world.recipient, 1n)];
  const op: Operation = {
    wallet: wallet.address,
    calls,
    nonce: ++nonceCount,
    epoch: 0n,
    validAfter: 0,
    validUntil: farFuture,
    callGas: 90_000n,
    ...operation,
  };
  return {
    operationId: randomUUID(),
    subject: 'transaction',
    projectId: projectId ?? defaultProject,
    chain: chainName,
    operationHash: hashOperation(world.chain.chainId, op),
    validUntil: new Date(op.validUntil * 1000),
    gasLimit: gasLimit ?? 550_000n,
    op,
    signature: signature ?? (await sign(world.chain, wallet, op)),
    deployment: wallet.deployment,
  };
}

const defaultProject = '00000000-0000-4000-8000-000000000001';

export async function someWallets(
  chain: RelayTestChain,
  count: number,
  deployed = true,
): Promise<TestWallet[]> {
  const wallets: TestWallet[] = [];
  for (let index = 0; index < count; index++) wallets.push(await aWallet(chain, { deployed }));
  return wallets;
}

/** How often the chain executed each operation, by hash. */
export async function countExecutions(
  chain: RelayTestChain,
  items: readonly RelayItem[],
): Promise<Map<Hex, string[]>> {
  const logs = (await chain.call('eth_getLogs', [
    {
      address: addresses.walletModule,
      fromBlock: '0x0',
      toBlock: 'latest',
      topics: [executedTopic, null, items.map((item) => item.operationHash)],
    },
  ])) as { topics: Hex[]; transactionHash: string }[];
  const executions = new Map<Hex, string[]>(items.map((item) => [item.operationHash, []]));
  for (const log of logs) executions.get(log.topics[2]!)!.push(log.transactionHash);
  return executions;
}

/** An account of a key with tokens, which has never sent a transaction nor delegated to code. */
export interface TestAccount extends TestWallet {
  readonly key: PrivateKeyAccount;
}

export async function someAccounts(chain: RelayTestChain, count: number): Promise<TestAccount[]> {
  const accounts: TestAccount[] = [];
  for (let index = 0; index < count; index++) {
    const key = privateKeyToAccount(generatePrivateKey());
    await mint(chain, key.address, 1_000_000n);
    accounts.push({ key, address: key.address, owners: [key], threshold: 1n, deployment: '0x' });
  }
  return accounts;
}

/** What the account's key signs so that our code runs there. */
export async function delegationOf(
  { key }: Pick<TestAccount, 'key'>,
  {
    chainId,
    nonce = 0,
    contract = addresses.delegatedAccount,
  }: { chainId: number; nonce?: number; contract?: Hex },
): Promise<SignedDelegation> {
  const { r, s, yParity } = await key.signAuthorization({
    contractAddress: contract,
    chainId,
    nonce,
  });
  const word = (hex: string) => hex.slice(2).padStart(64, '0');
  return {
    chainId,
    nonce: BigInt(nonce),
    signature: `0x${word(r)}${word(s)}${(27 + yParity!).toString(16)}`,
  };
}

/** {@link anItem} of an account's first operation. */
export async function aFirstItem(
  world: World,
  account: TestAccount,
  fields: Parameters<typeof anItem>[2] = {},
): Promise<RelayItem> {
  const delegation = await delegationOf(account, { chainId: world.chain.chainId });
  return { ...(await anItem(world, account, fields)), delegation };
}
