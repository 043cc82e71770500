import { setTimeout as delay } from 'node:timers/promises';
import { bcs } from '@mysten/sui/bcs';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { pino } from 'pino';
import { type SuiChainOptions, startSuiChain } from '../../../../devnet/sui/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import type { SuiConfig } from '../../../config/config.ts';
import { watchChain } from '../../family/following/index.ts';
import type { SeenOperation, SeenTransfer } from '../../family.ts';
import { suiCoinType, suiNetwork } from '../config/networks.ts';
import { createConnections } from '../rpc/connections.ts';
import { createSuiTokens } from '../tokens/tokens.ts';
import { runWatcher, type WatcherDeps } from '../watcher/index.ts';
import { startLyingNode } from './lying-node.ts';

export type Bed = Awaited<ReturnType<typeof startBed>>;

export const usd = normalizeStructTag('0xabc::usdxm::USDXM');
export const mist = 1_000_000_000n;
const waitMaxMs = 20_000;
let count = 0x10_000;

/** An id or an address of nobody and nothing. */
export const newSuiAddress = () => normalizeSuiAddress((0xbad_0000_0000 + ++count).toString(16));

/**
 * A local chain behind a node that may lie, a database, and what watches, reads and pays on Sui.
 */
export async function startBed(
  settings: Partial<SuiConfig> = {},
  chainOptions: SuiChainOptions = {},
) {
  const [chain, database] = await Promise.all([startSuiChain(chainOptions), startTestDatabase()]);
  const node = await startLyingNode(chain.url);
  const [payer, treasury] = [new Ed25519Keypair(), new Ed25519Keypair()];
  chain.addCurrency({
    type: usd,
    decimals: 6,
    symbol: 'USDXM',
    name: 'Test USD',
    minter: treasury.toSuiAddress(),
  });
  const config = testConfig({
    sui: { ...testConfig().sui, rpcUrl: node.url, testCoinType: usd, ...settings },
  });
  const log = pino({ level: 'silent' });
  const network = suiNetwork('development', { testCoinType: usd });
  const connect = (overrides: Partial<SuiConfig> = {}) =>
    createConnections({
      network,
      rpcUrl: node.url,
      rpcTimeoutMs: 5_000,
      ...overrides,
      log,
      onFirstUse: (name) => watchChain(database.store, name),
    });
  const connections = connect();
  const tokens = createSuiTokens(connections);
  const client = new SuiGrpcClient({ network: 'localnet', baseUrl: chain.url });
  const own = new Set<string>();
  const taking = new Set<string>();
  const told = { transfers: [] as SeenTransfer[], operations: [] as SeenOperation[], final: 0n };
  const pick = (from: ReadonlySet<string>) => async (_: unknown, asked: readonly string[]) =>
    new Set(asked.filter((one) => from.has(one)));
  const watcherDeps: WatcherDeps = {
    store: database.store,
    log,
    chain: 'sui',
    connect: connections.connect,
    tokens,
    entrances: {
      ownAddresses: pick(own),
      depositAddresses: pick(taking),
      recordTransfers: async (_, transfers) => void told.transfers.push(...transfers),
      recordOperations: async (_, operations) => void told.operations.push(...operations),
      finalizeTransfers: async (_, _chain, height) => void (told.final = height),
    },
    checkpointsMax: 5,
    pollMs: 20,
    workerName: 'test',
  };

  function give(owner: string, type: string, amount: bigint): string {
    const id = newSuiAddress();
    chain.fund(id, owner, { type, amount });
    return id;
  }

  /** As a wallet does it: signs what it was given, and broadcasts it. @returns its digest */
  async function execute(bytes: Uint8Array, by: Ed25519Keypair = payer): Promise<string> {
    const { signature } = await by.signTransaction(bytes);
    const done = await client.executeTransaction({ transaction: bytes, signatures: [signature] });
    return (done.Transaction ?? done.FailedTransaction).digest;
  }

  /** Of the payer. */
  async function send(
    fill: (tx: Transaction) => void,
    by: Ed25519Keypair = payer,
  ): Promise<string> {
    const tx = new Transaction();
    fill(tx);
    tx.setSender(by.toSuiAddress());
    // With all of this given nothing is simulated, so that what fails is sent, too.
    const { objects } = await client.listCoins({ owner: by.toSuiAddress() });
    const coins = objects.toSorted((one, other) =>
      BigInt(one.balance) < BigInt(other.balance) ? 1 : -1,
    );
    tx.setGasPayment(coins.slice(0, 1));
    tx.setGasBudget(20_000_000);
    tx.setGasPrice(1_000);
    tx.setExpiration({ None: true });
    return execute(await tx.build({ client }), by);
  }

  async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(20))
      if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
  }

  give(payer.toSuiAddress(), suiCoinType, 1_000n * mist);
  give(payer.toSuiAddress(), usd, 1_000_000n);
  return {
    chain,
    client,
    config,
    connect,
    connections,
    database,
    log,
    node,
    own,
    payer,
    store: database.store,
    taking,
    told,
    tokens,
    treasury,
    watcherDeps,
    execute,
    give,
    send,
    until,
    /** The payer's SUI. */
    paySui: (to: string, amount: bigint, more: (tx: Transaction) => void = () => undefined) =>
      send((tx) => {
        tx.transferObjects([tx.splitCoins(tx.gas, [amount])], to);
        more(tx);
      }),
    /** The payer's dollars. */
    async payUsd(
      to: string,
      amount: bigint,
      more: (tx: Transaction) => void = () => undefined,
    ): Promise<string> {
      const { objects } = await client.listCoins({ owner: payer.toSuiAddress(), coinType: usd });
      const [coin] = objects.filter(({ balance }) => BigInt(balance) >= amount);
      return send((tx) => {
        tx.transferObjects([tx.splitCoins(tx.object(coin!.objectId), [amount])], to);
        more(tx);
      });
    },
    /** A memo as payers' transactions carry it. */
    memo: (tx: Transaction, text: string) =>
      void tx.moveCall({
        target: '0x1::string::utf8',
        arguments: [tx.pure(bcs.String.serialize(text))],
      }),
    /** A watcher, from the chain's first use on. */
    watch: (overrides: Partial<WatcherDeps> = {}) => runWatcher({ ...watcherDeps, ...overrides }),
    /** Of a transaction, once the watcher told of it. */
    async transfersOf(txId: string, number = 1): Promise<readonly SeenTransfer[]> {
      const found = () => told.transfers.filter((transfer) => transfer.txId === txId);
      await until(() => found().length >= number, `${number} transfers of ${txId}`);
      return found();
    },
    async close() {
      connections.close();
      node.close();
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}
