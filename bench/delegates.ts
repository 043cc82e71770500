import { setTimeout as delay } from 'node:timers/promises';
import {
  createDeviceKey,
  createPurser,
  deviceSigner,
  externalWalletSigner,
  type Purser,
  type PurserSigner,
} from '@purser/sdk';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { prepareGenesis, startAnvil } from '../devnet/index.ts';
import { createRpc, type RpcClient } from '../src/chains/evm/rpc/rpc.ts';
import { makeProductionSecrets, planMainNetwork } from '../test/harness/production.ts';
import { createSender, mintCall, readTokenBalance, signNext, waitForReceipt } from './chain.ts';
import { type BenchOptions, type Measure, median } from './measure.ts';
import { type BenchService, startBenchService } from './service.ts';

const chain = 'base';
const walletsPerKind = 20;
const callers = 16;
const recipient: Address = '0x2222222222222222222222222222222222222222';
const confirmMaxMs = 120_000;

interface SignerKind {
  readonly name: string;
  /** Config of a new wallet, the signer that acts (none: the admin), and who approves. */
  aWallet(): Promise<{
    readonly config: Record<string, unknown>;
    readonly signer?: string;
    readonly approvers: readonly PurserSigner[];
  }>;
}

const aKey = () => externalWalletSigner(privateKeyToAccount(generatePrivateKey()));

const kinds: readonly SignerKind[] = [
  {
    name: 'api-key admin',
    aWallet: async () => ({ config: { adminSigner: { type: 'api-key' } }, approvers: [] }),
  },
  { name: 'ECDSA delegate', aWallet: async () => withDelegate(aKey()) },
  {
    name: 'P-256 delegate',
    aWallet: async () => withDelegate(await deviceSigner(await createDeviceKey())),
  },
  {
    name: '2 of 3 quorum',
    aWallet: async () => {
      const members = [aKey(), aKey(), aKey()];
      const quorum = { type: 'quorum', threshold: 2, members: members.map(({ input }) => input) };
      return { config: { recoveryMethods: [quorum] }, approvers: members.slice(0, 2) };
    },
  },
];

function withDelegate(delegate: PurserSigner) {
  const config = {
    adminSigner: { type: 'api-key' },
    delegatedSigners: [{ signer: delegate.input }],
  };
  return { config, signer: delegate.locator, approvers: [delegate] };
}

/**
 * Sponsored transfers per second by who signs, from the first request to the last confirmation, in
 * turn on one service. The signing happens in the process that measures, so the figures include the
 * callers' own work.
 */
export async function benchDelegates(options: BenchOptions): Promise<Measure[]> {
  const transfers = options.quick ? 100 : 600;
  const rounds = options.quick ? 1 : 3;
  const secrets = makeProductionSecrets(2);
  const minter = createSender();
  const plan = planMainNetwork(chain, secrets, [minter.account.address]);
  const node = await startAnvil({ chainId: plan.chainId, log: () => undefined });
  const rpc = createRpc({ url: node.url, timeoutMs: 60_000 });
  let service: BenchService | undefined;
  try {
    await prepareGenesis(node.url, plan.genesis);
    service = await startBenchService({ options, secrets, rpcUrls: { [chain]: node.url } });
    const purser = createPurser({ baseUrl: await service.startApi(), apiKey: service.serverKey });
    await service.startWorker();
    const token = plan.network.tokens.find(({ symbol }) => symbol === 'usdc')!.address as Address;
    const run: Run = { purser, rpc, service, token };

    const wallets = new Map<string, Actor[]>();
    for (const kind of kinds)
      wallets.set(
        kind.name,
        await Promise.all(Array.from({ length: walletsPerKind }, () => anActor(purser, kind))),
      );
    for (const { address } of [...wallets.values()].flat()) {
      const data = mintCall(address as Address, 10n ** 9n);
      const raw: Hex = await signNext({
        chainId: plan.chainId,
        sender: minter,
        to: token,
        data,
        gas: 200_000n,
      });
      await waitForReceipt(rpc, (await rpc.request('eth_sendRawTransaction', [raw])) as Hex);
    }
    const rates = new Map<string, number[]>(kinds.map(({ name }) => [name, []]));
    for (const { name } of kinds) await transferAll(run, wallets.get(name)!, walletsPerKind);
    for (let round = 1; round <= rounds; round++) {
      options.progress(`delegates: round ${round} of ${rounds}`);
      for (const { name } of kinds)
        rates.get(name)!.push(await transferAll(run, wallets.get(name)!, transfers));
    }
    return describe(rates);
  } finally {
    await service?.close();
    rpc.close();
    await node.stop();
  }
}

interface Run {
  readonly purser: Purser;
  readonly rpc: RpcClient;
  readonly service: BenchService;
  readonly token: Address;
}

interface Actor {
  readonly address: string;
  readonly signer?: string;
  readonly approvers: readonly PurserSigner[];
}

async function anActor(purser: Purser, kind: SignerKind): Promise<Actor> {
  const { config, ...acting } = await kind.aWallet();
  const { address } = await purser.createWallet({ chainType: 'evm', config });
  return { address, ...acting };
}

/**
 * Transfers per second: created and approved by so many callers at once, until each is confirmed
 * and has arrived.
 */
async function transferAll(
  { purser, rpc, service, token }: Run,
  actors: readonly Actor[],
  count: number,
): Promise<number> {
  const before = await readTokenBalance(rpc, token, recipient);
  const startMs = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let index = next++; index < count; index = next++)
        await transferOnce(purser, actors[index % actors.length]!);
    }),
  );
  for (const endAt = Date.now() + confirmMaxMs; ; await delay(20)) {
    const { rows } = await service.store.query<{ status: string }>({
      text: `select status from transactions where status <> 'success'`,
    });
    if (rows.length === 0) break;
    if (Date.now() > endAt || rows.some(({ status }) => status === 'failed'))
      throw new Error(`transfers failed: ${JSON.stringify(rows)}`);
  }
  const seconds = (performance.now() - startMs) / 1_000;
  const arrived = (await readTokenBalance(rpc, token, recipient)) - before;
  if (arrived !== BigInt(count)) throw new Error(`${arrived} of ${count} transfers have arrived`);
  return count / seconds;
}

async function transferOnce(purser: Purser, { address, signer, approvers }: Actor): Promise<void> {
  const body = { recipient, amount: '0.000001', ...(signer === undefined ? {} : { signer }) };
  const created = await purser.createTransfer(address, `${chain}:usdc`, body);
  await purser.approveTransaction(address, created, { signers: approvers });
}

function describe(rates: ReadonlyMap<string, readonly number[]>): Measure[] {
  const admin = rates.get('api-key admin')!;
  return [...rates].map(([name, of]) => ({
    name: `transfers by ${name}`,
    value: median(of),
    unit: '/s',
    beside: { what: 'by the api-key admin, same callers', value: median(admin), unit: '/s' },
    ratio: median(of.map((rate, round) => rate / admin[round]!)),
  }));
}
