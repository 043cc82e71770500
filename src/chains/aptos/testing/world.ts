import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ed25519 } from '@noble/curves/ed25519.js';
import { readAssetName } from '../../../../devnet/aptos/ledger/assets.ts';
import { startAptosChain } from '../../../../devnet/aptos/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { runLateRelay } from '../../family/late/run.ts';
import type { LateRelayDeps } from '../../family/late/types.ts';
import type {
  FamilyWallet,
  LateSignInput,
  OperationOutcome,
  PreparedOperation,
  Running,
} from '../../family.ts';
import { aptosNetwork } from '../config/networks.ts';
import { createAptosNetwork, createFeePayer, onChainOf } from '../operation/network.ts';
import { aptosTransferParams } from '../operation/params.ts';
import { prepareAptosOperation } from '../operation/prepare.ts';
import { signedBytes } from '../operation/stored.ts';
import { submitAptosOperations } from '../operation/submit.ts';
import { connectNode } from '../rpc/node.ts';
import { readAsset } from '../tokens/assets.ts';
import { createAptosTokens } from '../tokens/tokens.ts';
import { readAmount } from '../tokens/views.ts';
import { planAptosWallet } from '../wallet/plan.ts';

export interface TestWallet extends FamilyWallet {
  readonly seed: Uint8Array;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export const projectId = '00000000-0000-4000-8000-000000000001';
export const usd = `0x${'5d'.repeat(32)}`;
export const newAddress = () => `0x${randomBytes(32).toString('hex')}`;
const fundedOctas = 10_000_000_000n;
export const bounds = {
  projectDayMaxMinor: 10n * fundedOctas,
  ownerDayMaxMinor: 10n * fundedOctas,
};

/**
 * As custody signs: with the key of the wallet, what the operation and the built bytes give
 * together.
 */
export function signWith(seeds: ReadonlyMap<string, Uint8Array>) {
  return async ({ walletId, operation, built }: LateSignInput) =>
    ed25519.sign(signedBytes(operation, built), seeds.get(walletId)!);
}

/** A local chain, a database and wallets that are keys, with the relay as it is asked for. */
export async function openWorld() {
  const [chain, database] = await Promise.all([startAptosChain(), startTestDatabase()]);
  chain.addAsset(usd, { name: 'Test USD', symbol: 'USDXM', decimals: 6 });
  const feePayerSeeds = [0, 1].map(() => new Uint8Array(randomBytes(32)));
  const feePayers = feePayerSeeds.map((seed) => createFeePayer(new Secret(seed)));
  for (const { address } of feePayers) chain.give(readAssetName('0xa'), address, fundedOctas);
  const network = aptosNetwork('development', { testTokenAddress: usd });
  const node = await connectNode({
    network,
    url: chain.url,
    setting: 'APTOS_RPC_URL',
    timeoutMs: 5_000,
  });
  const connect = async () => node;
  const tokens = createAptosTokens(network, connect);
  const ceilings = testConfig().aptos.relay;
  const seeds = new Map<string, Uint8Array>();
  const outcomes: OperationOutcome[] = [];
  const running: Running[] = [];
  const late = createAptosNetwork({ connect, feePayers, now: () => systemClock.now() });

  const world = {
    chain,
    database,
    node,
    network,
    late,
    feePayers,
    feePayerSeeds,
    seeds: seeds as ReadonlyMap<string, Uint8Array>,
    outcomes,
    deps: (rest: Partial<LateRelayDeps> = {}): LateRelayDeps => ({
      store: database.store,
      clock: systemClock,
      log: createLogger({ level: (process.env.TEST_LOG ?? 'silent') as 'silent', process: 'test' }),
      chain: 'aptos',
      network: late,
      onChainOf: (txId) => onChainOf(network, txId),
      settings: ceilings,
      bounds,
      kind: 'fees',
      unit: 'octas',
      workerName: 'test',
      settleOperations: async (tx, told) => tx.afterCommit(() => void outcomes.push(...told)),
      signBuilt: signWith(seeds),
      ...rest,
    }),
    async start(rest: Partial<LateRelayDeps> = {}): Promise<Running> {
      const relay = await runLateRelay(world.deps(rest));
      running.push(relay);
      return relay;
    },
    aWallet(amount = 0n): TestWallet {
      const seed = new Uint8Array(randomBytes(32));
      const { address, setup } = planAptosWallet({
        type: 'mpc',
        publicKey: ed25519.getPublicKey(seed),
      });
      if (amount > 0n) chain.give(usd, address, amount);
      const adminSigner = { type: 'api-key', locator: `api-key:${address}`, address } as const;
      const wallet: TestWallet = {
        id: randomUUID(),
        type: 'mpc',
        address,
        setup,
        adminSigner,
        seed,
      };
      seeds.set(wallet.id, seed);
      return wallet;
    },
    async prepareTransfer(
      wallet: FamilyWallet,
      amountMinor: bigint,
      recipientAddress: string,
    ): Promise<PreparedOperation> {
      const transfer = {
        wallet,
        chain: 'aptos',
        token: await tokens.resolve({ symbol: 'usdxm' }),
        amountMinor,
        recipientAddress,
      };
      const input = {
        wallet,
        params: aptosTransferParams(network, transfer),
        signer: wallet.adminSigner,
        now: new Date(),
        transfer,
      };
      return prepareAptosOperation({ connect, tokens, ceilings }, input);
    },
    async submit(
      wallet: TestWallet,
      { operation }: Pick<PreparedOperation, 'operation'>,
      owner?: string,
    ): Promise<string> {
      const operationId = randomUUID();
      const stored = JSON.parse(JSON.stringify(operation)) as JsonObject;
      const own = owner === undefined ? wallet : { ...wallet, owner };
      const input = {
        operationId,
        subject: 'transaction',
        projectId,
        wallet: own,
        chain: 'aptos',
        operation: stored,
        approvals: [],
      };
      await database.store.transaction((tx) => submitAptosOperations(tx, [input]));
      return operationId;
    },
    async amountOf(address: string, asset = usd): Promise<bigint> {
      return (await readAmount(node, address, readAsset(asset))) ?? 0n;
    },
    async outcomeOf(operationId: string): Promise<OperationOutcome> {
      const find = () => outcomes.find((one) => one.operationId === operationId);
      await world.until(() => find() !== undefined, `an outcome of ${operationId}`);
      return find()!;
    },
    async until(
      check: () => boolean | Promise<boolean>,
      what: string,
      waitMaxMs = 30_000,
    ): Promise<void> {
      for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(25))
        if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
    },
    async close(): Promise<void> {
      await Promise.all(running.map((one) => one.stop()));
      await Promise.all([chain.stop(), database.close()]);
    },
  };
  return world;
}
