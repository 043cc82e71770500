import { GrpcTypes } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SuiChain, startSuiChain } from '../../../../devnet/sui/local.ts';
import type { Environment } from '../../../context.ts';
import { suiCoinType, suiNetwork } from '../config/networks.ts';
import {
  buildTransaction,
  type SuiOperation,
  serializeSignature,
  signedBytesOf,
  transactionDigest,
} from '../operation/transaction.ts';
import { type LyingNode, startLyingNode } from '../testing/lying-node.ts';
import { createSuiTokens, readSuiBalances } from '../tokens/tokens.ts';
import { readGasPrice, readHead } from './checkpoints.ts';
import { createConnections, type SuiConnection } from './connections.ts';
import { readCoins, sumOf } from './objects.ts';
import { findTransaction, sendTransaction, simulateTransaction } from './transactions.ts';

const G = GrpcTypes;
const usd = normalizeStructTag('0xabc::usd::USD');
const [wallet, sponsor] = [new Ed25519Keypair(), new Ed25519Keypair()];
const owner = wallet.toSuiAddress();
const friend = normalizeSuiAddress('0x0bad0bad');

let chain: SuiChain;
let node: LyingNode;
let connection: SuiConnection;
const closing: { close(): void }[] = [];

beforeAll(async () => {
  chain = await startSuiChain();
  node = await startLyingNode(chain.url);
  chain.addCurrency({ type: usd, decimals: 6, symbol: 'USDC', name: 'Not that one' });
  for (let id = 1; id <= 450; id++)
    chain.fund(normalizeSuiAddress((0x10_000 + id).toString(16)), owner, {
      type: usd,
      amount: 10n,
    });
  chain.fund(normalizeSuiAddress('0x5000'), sponsor.toSuiAddress(), {
    type: suiCoinType,
    amount: 1_000_000_000n,
  });
  connection = await connectionsTo(node.url).connect('sui');
});
afterAll(async () => {
  for (const one of closing) one.close();
  node?.close();
  await chain?.stop();
});
beforeEach(() => node.tellTruth());

function connectionsTo(
  rpcUrl: string | undefined,
  environment: Environment = 'development',
  uses: string[] = [],
) {
  const onFirstUse = async (name: string) => void uses.push(name);
  const network = suiNetwork(environment, {
    testCoinType: normalizeStructTag('0xabc::test::TEST'),
  });
  const connections = createConnections({
    network,
    rpcUrl,
    rpcTimeoutMs: 5_000,
    log: pino({ level: 'silent' }),
    onFirstUse,
  });
  closing.push(connections);
  return connections;
}

describe('a node of Sui', () => {
  it('is asked which network it serves, once; one of another network is refused with the setting', async () => {
    const uses: string[] = [];
    const connections = connectionsTo(node.url, 'development', uses);
    await Promise.all([connections.connect('sui'), connections.connect('sui')]);
    expect(uses).toEqual(['sui']);
    await expect(connectionsTo(node.url, 'production').connect('sui')).rejects.toThrow(
      'serves another network instead of mainnet: its operator corrects SUI_RPC_URL',
    );
    node.lie('LedgerService/GetServiceInfo', G.GetServiceInfoResponse, (info) => {
      info.chainId = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
    });
    await expect(connectionsTo(node.url).connect('sui')).rejects.toThrow(
      'serves mainnet instead of local',
    );
    await expect(connectionsTo(undefined).connect('sui')).rejects.toThrow(
      'its operator sets SUI_RPC_URL',
    );
    await expect(connectionsTo(node.url).connect('solana')).rejects.toThrow('Available: sui.');
  });

  it('that does not answer is one to try again with', async () => {
    node.lie('LedgerService/GetServiceInfo', G.GetServiceInfoResponse, undefined);
    const connections = connectionsTo(node.url);
    await expect(connections.connect('sui')).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
    node.tellTruth();
    await expect(connections.connect('sui')).resolves.toBeDefined();
  });

  it('tells its head, the price of gas, and coins: all of them, or until there is enough', async () => {
    const { checkpoint, epoch, timeMs } = await readHead(connection);
    expect([checkpoint > 450n, epoch, Math.abs(timeMs - Date.now()) < 60_000]).toEqual([
      true,
      0n,
      true,
    ]);
    expect(await readGasPrice(connection)).toBe(1_000n);
    expect(sumOf(await readCoins(connection, { owner, coinType: usd }))).toBe(4_500n);
    expect(await readCoins(connection, { owner, coinType: usd, enough: 100n })).toHaveLength(200);
    expect(await readCoins(connection, { owner: friend, coinType: usd })).toEqual([]);
  });

  it('tokens are types of coins; a stranger that calls itself like a listed one has no symbol', async () => {
    const connections = connectionsTo(node.url);
    const tokens = createSuiTokens(connections);
    expect(await tokens.resolve('sui', { address: '0xabc::usd::USD' })).toEqual({
      chain: 'sui',
      locator: `sui:${usd}`,
      address: usd,
      decimals: 6,
      symbol: 'USDC',
      name: 'Not that one',
    });
    expect(await tokens.resolve('sui', { symbol: 'SUI' })).toEqual({
      chain: 'sui',
      locator: 'sui:sui',
      symbol: 'sui',
      decimals: 9,
    });
    expect(await tokens.resolve('sui', { address: suiCoinType })).toMatchObject({
      locator: 'sui:sui',
    });
    const main = createSuiTokens({
      ...connections,
      requireNetwork: () => suiNetwork('production'),
      connect: connections.connect,
    });
    expect(await main.resolve('sui', { address: usd })).not.toHaveProperty('symbol');
    for (const query of [
      { symbol: 'nope' },
      { address: '0x2' },
      { address: usd, tokenId: '0' },
      { address: '0x9::no::NO' },
    ])
      await expect(tokens.resolve('sui', query), JSON.stringify(query)).rejects.toMatchObject({
        code: 'token-not-supported',
      });
    const asked = await Promise.all([
      tokens.resolve('sui', { address: usd }),
      tokens.resolve('sui', { symbol: 'sui' }),
    ]);
    expect(
      (await readSuiBalances(connection, owner, asked)).map(({ amountMinor }) => amountMinor),
    ).toEqual([4_500n, 0n]);
  });

  it('that lies about whose coins, which money or which transaction these are is not believed', {
    tags: 'slow',
  }, async () => {
    node.lie('StateService/ListOwnedObjects', G.ListOwnedObjectsResponse, ({ objects }) => {
      objects[0]!.objectType = '0x2::coin::Coin<0x2::sui::SUI>';
    });
    await expect(readCoins(connection, { owner, coinType: usd })).rejects.toMatchObject({
      code: 'upstream-error',
    });
    node.lie('StateService/ListOwnedObjects', G.ListOwnedObjectsResponse, ({ objects }) => {
      objects[1]!.owner!.address = friend;
    });
    await expect(readCoins(connection, { owner, coinType: usd })).rejects.toThrow(
      'objects that were not asked for',
    );
    // Pages without an end are read for so long.
    node.lie('StateService/ListOwnedObjects', G.ListOwnedObjectsResponse, (page) => {
      page.nextPageToken = new Uint8Array(1);
    });
    expect((await readCoins(connection, { owner, coinType: usd })).length).toBeLessThanOrEqual(450);
    node.lie('StateService/GetBalance', G.GetBalanceResponse, ({ balance }) => {
      balance!.coinType = suiCoinType;
    });
    const token = { chain: 'sui', locator: '', address: usd, decimals: 6 };
    await expect(readSuiBalances(connection, owner, [token])).rejects.toThrow(
      'the balance of another coin',
    );
    node.lie('StateService/GetBalance', G.GetBalanceResponse, (answer) => {
      answer.balance = undefined;
    });
    await expect(readSuiBalances(connection, owner, [token])).rejects.toThrow(
      'answered without a balance',
    );
  });

  it('simulates, sends, and finds what was sent; what it refuses is told in its words, and a lie about it is none', async () => {
    const [coin] = await readCoins(connection, {
      owner: sponsor.toSuiAddress(),
      coinType: suiCoinType,
    });
    const coins = await readCoins(connection, { owner, coinType: usd, enough: 15n });
    const operation: SuiOperation = {
      wallet: owner,
      does: { transfer: { coinType: usd, amount: 15n, recipient: friend } },
      gas: {
        sponsor: sponsor.toSuiAddress(),
        coin: coin!,
        budgetMax: 10_000_000n,
        priceMax: 1_000n,
      },
    };
    const bytes = buildTransaction(operation, {
      coins: coins.slice(0, 2),
      budget: 10_000_000n,
      price: 1_000n,
      expiresAfterEpoch: 0n,
    });
    const simulated = await simulateTransaction(connection, bytes);
    expect(simulated).toMatchObject({ failure: undefined, gas: { computation: 1_000_000n } });
    expect(simulated).toMatchObject({
      balanceChanges: expect.arrayContaining([{ address: friend, coinType: usd, amount: 15n }]),
    });
    const digest = transactionDigest(bytes);
    expect(await findTransaction(connection, digest)).toBeUndefined();
    const signatures = await Promise.all(
      [wallet, sponsor].map(async (key) =>
        serializeSignature(key.getPublicKey().toRawBytes(), await key.sign(signedBytesOf(bytes))),
      ),
    );
    const unsigned = await sendTransaction(connection, {
      digest,
      bytes,
      signatures: signatures.slice(1),
    });
    expect(unsigned).toEqual({ refusal: 'Expect 2 signer signatures but got 1' });
    const sent = await sendTransaction(connection, { digest, bytes, signatures });
    expect(await findTransaction(connection, digest)).toEqual(sent);
    expect(sent).toMatchObject({ failure: undefined, checkpoint: expect.any(BigInt) });
    if ('refusal' in sent) throw new Error(sent.refusal);
    // The coin that paid, as it is now: nobody is asked for it.
    const [next] = await readCoins(connection, {
      owner: sponsor.toSuiAddress(),
      coinType: suiCoinType,
    });
    expect(sent.objects.get(coin!.objectId)).toEqual({
      objectId: next!.objectId,
      version: next!.version,
      digest: next!.digest,
    });
    expect(sent.objects.get(coins[1]!.objectId)).toBeUndefined();
    const stale = await simulateTransaction(connection, bytes);
    expect(stale).toMatchObject({
      refusal: expect.stringContaining('is unavailable for consumption'),
    });
    node.lie('LedgerService/GetTransaction', G.GetTransactionResponse, ({ transaction }) => {
      transaction!.digest = 'HAjFNx3rxGWdkBcSdFZM5oKgNwYroP7WTW2Dz35TYbMh';
    });
    await expect(findTransaction(connection, digest)).rejects.toThrow(
      'answered with another transaction',
    );
    node.lie(
      'TransactionExecutionService/ExecuteTransaction',
      G.ExecuteTransactionResponse,
      undefined,
    );
    await expect(sendTransaction(connection, { digest, bytes, signatures })).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
  });
});
