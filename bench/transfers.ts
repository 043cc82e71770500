import { setTimeout as delay } from 'node:timers/promises';
import type { Address, Hex } from 'viem';
import { prepareGenesis, startAnvil } from '../devnet/index.ts';
import { createRpc, type RpcClient } from '../src/chains/evm/rpc/rpc.ts';
import { makeProductionSecrets, planMainNetwork } from '../test/harness/production.ts';
import {
  type BenchSender,
  type BenchWallet,
  createSender,
  mintCall,
  planBenchWallet,
  readTokenBalance,
  sendAndWait,
  signBatch,
  signNext,
  transferCall,
  waitForReceipt,
} from './chain.ts';
import { cpuOfOne, readCpu } from './cpu.ts';
import { type LoadProcess, startHttpLoad } from './load.ts';
import type { HttpLoad, HttpLoadResult } from './load-http.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { type BenchService, startBenchService } from './service.ts';
import { describeTransfers, type TransferRound } from './transfer-report.ts';

const chain = 'base';
const walletCount = 200;
const callers = 48;
const batchSize = 50;
/**
 * Of the pre-signed transactions, at once: enough to keep the node busy, and in order of their
 * nonces.
 */
const broadcastsAtOnce = 8;
const recipient: Address = '0x2222222222222222222222222222222222222222';
const confirmMaxMs = 120_000;

/**
 * Sponsored ERC-20 transfers from HTTP request to confirmed in the database, beside pre-signed
 * batches alone and beside one transaction per transfer, all through the same node: once with a
 * block for each transaction, once with a block each second.
 */
export async function benchTransfers(options: BenchOptions): Promise<Measure[]> {
  return [
    ...(await benchOnNode(options, { name: 'sponsored transfers', singles: 200 })),
    ...(await benchOnNode(options, {
      name: 'sponsored transfers, 1 s blocks',
      blockTimeS: 1,
      singles: 4,
    })),
  ];
}

interface NodeKind {
  readonly name: string;
  readonly blockTimeS?: number;
  /** Transactions of one transfer each that are timed. */
  readonly singles: number;
}

async function benchOnNode(options: BenchOptions, kind: NodeKind): Promise<Measure[]> {
  const transfers = options.quick ? 400 : 2_000;
  const rounds = options.quick ? 1 : 3;
  const secrets = makeProductionSecrets(4);
  const minter = createSender();
  const sender = createSender();
  const plan = planMainNetwork(chain, secrets, [minter.account.address, sender.account.address]);
  const node = await startAnvil({
    chainId: plan.chainId,
    blockTimeS: kind.blockTimeS,
    log: () => undefined,
  });
  const rpc = createRpc({ url: node.url, timeoutMs: 60_000 });
  const http = startHttpLoad();
  let service: BenchService | undefined;
  try {
    await prepareGenesis(node.url, plan.genesis);
    service = await startBenchService({ options, secrets, rpcUrls: { [chain]: node.url } });
    const token = plan.network.tokens.find(({ symbol }) => symbol === 'usdc')!.address as Address;
    const common: ChainParts = { rpc, chainId: plan.chainId, token, sender, minter };
    const baseUrl = await service.startApi();
    await service.startWorker();
    const run: ServiceParts = {
      service,
      http,
      rpc,
      token,
      load: { baseUrls: [baseUrl], apiKey: service.serverKey, connections: callers, seconds: 0 },
    };

    options.progress(
      `${kind.name}: ${walletCount} wallets, each with money and deployed by its first transfer`,
    );
    const addresses = await createWallets(run);
    const own = Array.from({ length: walletCount }, (_, index) => planBenchWallet(index));
    await mintTo(common, [
      ...addresses,
      ...own.map(({ address }) => address),
      sender.account.address,
    ]);
    await transferOnce(run, addresses, walletCount);
    await deployWallets(common, own);
    await sendSingles(common, 2);

    options.progress(`${kind.name}: a round to warm up`);
    await transferOnce(run, addresses, transfers);

    const results: TransferRound[] = [];
    for (let round = 1; round <= rounds; round++) {
      options.progress(`${kind.name}: round ${round} of ${rounds}`);
      await waitForWatcher(service, rpc);
      const idle = readCpu();
      const served = await transferOnce(run, addresses, transfers);
      await waitForWatcher(service, rpc);
      const servedCpu = cpuOfOne(idle, readCpu(), transfers);
      service.pause();
      const { rate: batches, nodeCpuMs } = await sendBatches(common, own, transfers);
      const singles = await sendSingles(common, kind.singles);
      service.resume();
      results.push({ served, batches, singles, servedCpu, nodeCpuMs });
    }
    return describeTransfers(kind.name, results);
  } finally {
    http.close();
    await service?.close();
    rpc.close();
    await node.stop();
  }
}

interface ServiceParts {
  readonly service: BenchService;
  readonly http: LoadProcess<HttpLoad, HttpLoadResult>;
  readonly rpc: RpcClient;
  readonly token: Address;
  readonly load: Omit<HttpLoad, 'request'>;
}

async function createWallets({ service, load }: ServiceParts): Promise<string[]> {
  return Promise.all(
    Array.from({ length: walletCount }, async (_, index) => {
      const response = await fetch(`${load.baseUrls[0]}/2025-06-09/wallets`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': service.serverKey },
        body: JSON.stringify({
          chainType: 'evm',
          type: 'smart',
          owner: `userId:bench-${index}`,
          config: { adminSigner: { type: 'api-key' } },
        }),
      });
      if (response.status !== 201)
        throw new Error(`create wallet: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { address: string }).address;
    }),
  );
}

/**
 * Transfers per second, from the first request until the last one is confirmed in the database and
 * has arrived on the chain.
 */
async function transferOnce(
  { service, http, rpc, token, load }: ServiceParts,
  addresses: readonly string[],
  count: number,
): Promise<number> {
  const before = await readTokenBalance(rpc, token, recipient);
  const { startedAtMs } = await http.run({
    ...load,
    amount: count,
    request: { kind: 'transfer', addresses, token: `${chain}:usdc`, recipient, amount: '0.000001' },
  });
  for (const endAt = Date.now() + confirmMaxMs; ; await delay(20)) {
    const { rows } = await service.store.query<{ status: string; count: number }>({
      text: `select status, count(*)::int as count from transactions where created_at >= $1 and status <> 'success' group by status`,
      values: [new Date(startedAtMs - 1_000)],
    });
    if (rows.length === 0) break;
    if (Date.now() > endAt || rows.some((row) => row.status === 'failed'))
      throw new Error(`transfers that are not confirmed: ${JSON.stringify(rows)}`);
  }
  const seconds = (Date.now() - startedAtMs) / 1_000;
  const arrived = (await readTokenBalance(rpc, token, recipient)) - before;
  if (arrived !== BigInt(count)) throw new Error(`${arrived} of ${count} transfers have arrived`);
  return count / seconds;
}

interface ChainParts {
  readonly rpc: RpcClient;
  readonly chainId: number;
  readonly token: Address;
  readonly sender: BenchSender;
  readonly minter: BenchSender;
}

async function mintTo(
  { rpc, chainId, token, minter }: ChainParts,
  holders: readonly string[],
): Promise<void> {
  const signed: Hex[] = [];
  for (const holder of holders)
    signed.push(
      await signNext({
        chainId,
        sender: minter,
        to: token,
        data: mintCall(holder as Address, 10n ** 9n),
        gas: 200_000n,
      }),
    );
  await sendTogether(rpc, signed);
}

async function deployWallets(
  { rpc, ...parts }: ChainParts,
  wallets: readonly BenchWallet[],
): Promise<void> {
  const signed: Hex[] = [];
  for (let index = 0; index < wallets.length; index += 20)
    signed.push(
      await signBatch({
        ...parts,
        wallets: wallets.slice(index, index + 20),
        recipient,
        amountMinor: 1n,
        deploy: true,
      }),
    );
  await sendTogether(rpc, signed);
}

/** Sends in order, a few in each request, and waits for every receipt. */
async function sendTogether(rpc: RpcClient, signed: readonly Hex[]): Promise<void> {
  const hashes: Hex[] = [];
  for (let index = 0; index < signed.length; index += broadcastsAtOnce) {
    const sent = await rpc.batch(
      signed
        .slice(index, index + broadcastsAtOnce)
        .map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
    );
    for (const result of sent) {
      if (!result.ok) throw result.error;
      hashes.push(result.value as Hex);
    }
  }
  for (const hash of hashes) await waitForReceipt(rpc, hash);
}

/**
 * Operations per second of batches that were signed beforehand: what the node allows, and the CPU
 * that each takes of it.
 */
async function sendBatches(
  { rpc, ...parts }: ChainParts,
  wallets: readonly BenchWallet[],
  count: number,
): Promise<{ rate: number; nodeCpuMs: number }> {
  const before = await readTokenBalance(rpc, parts.token, recipient);
  const batches: Hex[] = [];
  for (let index = 0; index < count; index += batchSize) {
    const from = index % wallets.length;
    batches.push(
      await signBatch({
        ...parts,
        wallets: wallets.slice(from, from + batchSize),
        recipient,
        amountMinor: 1n,
        deploy: false,
      }),
    );
  }
  const idle = readCpu();
  const startMs = performance.now();
  await sendTogether(rpc, batches);
  const seconds = (performance.now() - startMs) / 1_000;
  const cpu = cpuOfOne(idle, readCpu(), count);
  const arrived = (await readTokenBalance(rpc, parts.token, recipient)) - before;
  if (arrived !== BigInt(count))
    throw new Error(`${arrived} of ${count} pre-signed operations were executed`);
  return { rate: count / seconds, nodeCpuMs: cpu.get('node') ?? 0 };
}

/** Transfers per second of a plain account that waits for each receipt before it sends the next. */
async function sendSingles(
  { rpc, chainId, token, sender }: ChainParts,
  count: number,
): Promise<number> {
  const signed: Hex[] = [];
  for (let index = 0; index < count; index++)
    signed.push(
      await signNext({
        chainId,
        sender,
        to: token,
        data: transferCall(recipient, 1n),
        gas: 100_000n,
      }),
    );
  const startMs = performance.now();
  for (const raw of signed) await sendAndWait(rpc, raw);
  return count / ((performance.now() - startMs) / 1_000);
}

/**
 * Until the watcher has read every block: what it has still to do shall not count in the next
 * round.
 */
async function waitForWatcher(service: BenchService, rpc: RpcClient): Promise<void> {
  const head = BigInt((await rpc.request('eth_blockNumber')) as Hex);
  for (const endAt = Date.now() + confirmMaxMs; ; await delay(50)) {
    const { rows } = await service.store.query<{ next_height: string | null }>({
      text: 'select next_height from evm_watched_chains where chain = $1',
      values: [chain],
    });
    const next = rows[0]?.next_height;
    if (next !== null && next !== undefined && BigInt(next) > head) return;
    if (Date.now() > endAt) throw new Error(`the watcher has read up to ${next} of ${head}`);
  }
}
