import { setTimeout as delay } from 'node:timers/promises';
import { Asset, type Keypair, nativeToScVal, Operation } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { addressValue } from '../../../../contracts/stellar/index.ts';
import { startStellarChain } from '../../../../devnet/stellar/local.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { watchChain } from '../../family/following/index.ts';
import type { Running, SeenOperation, SeenTransfer } from '../../family.ts';
import { stellarNetwork } from '../config/networks.ts';
import { createConnections } from '../rpc/connections.ts';
import { createStellarTokens } from '../tokens/tokens.ts';
import { runWatcher, type WatcherDeps } from '../watcher/index.ts';
import { connectClient } from './client.ts';
import { startLyingNode } from './lying-node.ts';

export type Bed = Awaited<ReturnType<typeof startBed>>;

const waitMaxMs = 20_000;

/**
 * A local chain with the test token, a database, and what watches and reads; of wallets of ours it
 * knows what it is told.
 */
export async function startBed() {
  const [chain, database] = await Promise.all([
    startStellarChain({ ledgerMs: 3_600_000 }),
    startTestDatabase(),
  ]);
  const [node, client] = [await startLyingNode(chain.url), connectClient(chain.url)];
  const issuer = await client.newAccount();
  const asset = new Asset('USDXM', issuer.publicKey());
  await client.deployAsset(issuer, Asset.native());
  const contract = await client.deployAsset(issuer, asset);
  const network = stellarNetwork('development', { testTokenContract: contract });
  const log = pino({ level: 'silent' });
  const { store } = database;
  const nodes = { rpcUrl: node.url, rpcTimeoutMs: 5_000, log };
  const connections = createConnections({
    network,
    ...nodes,
    onFirstUse: (name) => watchChain(store, name),
  });
  const tokens = createStellarTokens(connections);
  const own = new Set<string>();
  const taking = new Set<string>();
  const told = { transfers: [] as SeenTransfer[], operations: [] as SeenOperation[], final: 0n };
  const operationIds = new Map<string, string>();
  const pick = (from: ReadonlySet<string>) => async (_: unknown, asked: readonly string[]) =>
    new Set(asked.filter((one) => from.has(one)));
  const watcherDeps: WatcherDeps = {
    store,
    log,
    chain: 'stellar',
    connect: connections.connect,
    tokens,
    selectOperationIds: async (_store, _chain, hashes) =>
      new Map(
        hashes.flatMap((hash) =>
          operationIds.has(hash) ? [[hash, operationIds.get(hash)!] as const] : [],
        ),
      ),
    entrances: {
      ownAddresses: pick(own),
      depositAddresses: pick(taking),
      recordTransfers: async (_, transfers) => void told.transfers.push(...transfers),
      recordOperations: async (_, operations) => void told.operations.push(...operations),
      finalizeTransfers: async (_, _chain, height) => {
        told.final = height;
      },
    },
    workerName: 'test',
    followAlways: true,
    pollMs: 20,
    ledgersMax: 20,
    startLedger: 2,
  };
  async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(20))
      if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
  }
  return {
    chain,
    node,
    client,
    issuer,
    asset,
    contract,
    network,
    store,
    connections,
    tokens,
    own,
    taking,
    told,
    operationIds,
    watcherDeps,
    until,
    watch: (over: Partial<WatcherDeps> = {}): Promise<Running> =>
      runWatcher({ ...watcherDeps, ...over }),
    /** What the watcher told of a transaction, once it has told something later or the same. */
    async transfersOf(txId: string): Promise<SeenTransfer[]> {
      await until(
        () => told.transfers.some((seen) => seen.txId === txId),
        `the transfers of ${txId}`,
      );
      return told.transfers.filter((seen) => seen.txId === txId);
    },
    /** An account that may hold the test token, and holds so much of it. */
    async newHolder(amount = '0'): Promise<Keypair> {
      const holder = await client.newAccount();
      await client.send(holder, [Operation.changeTrust({ asset })]);
      if (amount !== '0')
        await client.send(issuer, [
          Operation.payment({ destination: holder.publicKey(), asset, amount }),
        ]);
      return holder;
    },
    /** A transfer by the token's contract. @returns the transaction's hash */
    async transfer(
      from: Keypair,
      to: string,
      amountMinor: bigint,
      token = contract,
    ): Promise<string> {
      const args = [
        addressValue(from.publicKey()),
        addressValue(to),
        nativeToScVal(amountMinor, { type: 'i128' }),
      ];
      return (
        await client.invoke(
          from,
          Operation.invokeContractFunction({ contract: token, function: 'transfer', args }),
        )
      ).hash;
    },
    async close() {
      connections.close();
      node.close();
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}
