import { Asset, Keypair, nativeToScVal, Operation, StrKey } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressValue, walletEntryKey } from '../../../../contracts/stellar/index.ts';
import type { LocalNode } from '../../../../devnet/local-chain.ts';
import { startStellarChain } from '../../../../devnet/stellar/local.ts';
import { compileContract } from '../../../../devnet/stellar/testing/compile.ts';
import { readFinalBalances } from '../../family/proofs/final-balances.ts';
import type { ResolvedToken } from '../../family.ts';
import { stellarNetwork } from '../config/networks.ts';
import {
  createConnections,
  type StellarConnection,
  type StellarConnections,
} from '../rpc/connections.ts';
import { connectClient, type StellarClient } from '../testing/client.ts';
import { type LyingNode, startLyingNode } from '../testing/lying-node.ts';
import { compileOwnToken } from '../testing/own-token.ts';
import { readStellarAmounts, readStellarBalances } from './balances.ts';
import { createStellarTokens, type StellarTokens } from './tokens.ts';

const native: ResolvedToken = {
  chain: 'stellar',
  locator: 'stellar:xlm',
  symbol: 'xlm',
  decimals: 7,
};
let chain: LocalNode;
let node: LyingNode;
let client: StellarClient;
let connections: StellarConnections;
let connection: StellarConnection;
let tokens: StellarTokens;
let issuer: Keypair;
let usdxm: Asset;
let contract: string;
/** A contract of its own that calls itself `USDXM`, and one that calls itself `OWN`. */
let impostor: string;
let own: string;

beforeAll(async () => {
  chain = await startStellarChain({ ledgerMs: 3_600_000 });
  node = await startLyingNode(chain.url);
  client = connectClient(chain.url);
  issuer = await client.newAccount();
  usdxm = new Asset('USDXM', issuer.publicKey());
  await client.deployAsset(issuer, Asset.native());
  contract = await client.deployAsset(issuer, usdxm);
  impostor = await client.deploy(issuer, await compileOwnToken('USDXM'));
  own = await client.deploy(issuer, await compileOwnToken('OWN'));
  const network = stellarNetwork('development', { testTokenContract: contract });
  const log = pino({ level: 'silent' });
  connections = createConnections({
    network,
    rpcUrl: node.url,
    rpcTimeoutMs: 5_000,
    log,
    onFirstUse: async () => undefined,
  });
  connection = await connections.connect('stellar');
});
beforeEach(() => {
  node.tellTruth();
  tokens = createStellarTokens(connections);
});
afterAll(async () => {
  connections?.close();
  node?.close();
  await chain?.stop();
});

const resolve = (address: string, tokenId?: string) =>
  tokens.resolve('stellar', { address, ...(tokenId !== undefined && { tokenId }) });
const balancesOf = async (address: string, asked: readonly ResolvedToken[]) =>
  (await readStellarBalances({ connection, tokens, address, asked })).map(
    ({ amountMinor }) => amountMinor,
  );

describe('tokens of Stellar', () => {
  it('have USDC where section 20 of the supplement has it', () => {
    const usdc = stellarNetwork('staging').tokens.find(({ symbol }) => symbol === 'usdc');
    expect(usdc?.address).toBe('CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA');
  });

  it('are named by symbol, by contract, or as an asset of an issuer, which is its contract', async () => {
    const listed = {
      chain: 'stellar',
      symbol: 'usdxm',
      name: 'Test USD',
      decimals: 7,
      address: contract,
    };
    expect(await tokens.resolve('stellar', { symbol: 'UsdXM' })).toEqual({
      ...listed,
      locator: 'stellar:usdxm',
    });
    expect(await resolve(contract)).toEqual({ ...listed, locator: `stellar:${contract}` });
    expect(await resolve(usdxm.toString())).toEqual({
      ...listed,
      locator: `stellar:${usdxm.toString()}`,
    });
    expect(await tokens.resolve('stellar', { symbol: 'XLM' })).toEqual(native);
    expect(await resolve(connection.network.nativeContract)).toEqual(native);
    expect(node.count('getLedgerEntries')).toBe(0);
  });

  it('that are not listed are what the chain says, asked once; who calls himself like a listed one has no symbol', async () => {
    const eur = new Asset('EURC', issuer.publicKey());
    await expect(resolve(eur.toString())).rejects.toThrow('has no contract on "stellar" yet');
    const address = await client.deployAsset(issuer, eur);
    const told = { chain: 'stellar', address, symbol: 'EURC', name: eur.toString(), decimals: 7 };
    expect(await resolve(eur.toString())).toEqual({
      ...told,
      locator: `stellar:${eur.toString()}`,
    });
    expect(await resolve(own)).toEqual({
      chain: 'stellar',
      locator: `stellar:${own}`,
      address: own,
      symbol: 'OWN',
      name: 'Own',
      decimals: 9,
    });
    expect(await resolve(impostor)).toEqual({
      chain: 'stellar',
      locator: `stellar:${impostor}`,
      address: impostor,
      name: 'Own',
      decimals: 9,
    });
    const calls = node.count('getLedgerEntries') + node.count('simulateTransaction');
    await Promise.all([resolve(address), resolve(own)]);
    expect(node.count('getLedgerEntries') + node.count('simulateTransaction')).toBe(calls);
    const usdc = new Asset('XLM', Keypair.random().publicKey());
    expect(await resolve(await client.deployAsset(issuer, usdc))).not.toHaveProperty('symbol');
  });

  it('that are none are refused: no contract, an account, another family’s, a token with an id, another chain', async () => {
    const strangers = [
      StrKey.encodeContract(Buffer.alloc(32, 7)),
      issuer.publicKey(),
      `${'0x'}${'1'.repeat(40)}`,
      'USDXM:GABC',
      '',
    ];
    for (const address of strangers)
      await expect(resolve(address), address).rejects.toMatchObject({
        code: 'token-not-supported',
      });
    await expect(resolve(contract, '1')).rejects.toMatchObject({ code: 'token-not-supported' });
    await expect(tokens.resolve('stellar', { symbol: 'nonesuch' })).rejects.toThrow(
      'stellar:<contract or asset>',
    );
    await expect(tokens.resolve('base', { symbol: 'xlm' })).rejects.toMatchObject({
      code: 'chain-not-supported',
    });
    const noToken = await compileContract(
      'export function decimals(): u64 { return SYMBOL_seven; }\nexport function _(): void {}',
    );
    await expect(resolve(await client.deploy(issuer, noToken))).rejects.toThrow(
      'No contract of a token stands',
    );
  });

  it('are not taken for an asset because a node says so: the id of the contract has to follow from it', async () => {
    const key = (address: string) => walletEntryKey(address).toXdr('base64');
    const [entry] = await readTruth([key(contract)]);
    node.lie('getLedgerEntries', (result) => ({
      ...result,
      entries: [{ ...entry, key: key(own) }],
    }));
    expect(await resolve(own)).toMatchObject({ symbol: 'OWN', decimals: 9 });
  });
});

/** Past the liar. */
async function readTruth(keys: readonly string[]): Promise<readonly object[]> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getLedgerEntries',
    params: { keys },
  });
  const response = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return ((await response.json()) as { result: { entries: object[] } }).result.entries;
}

describe('balances on Stellar', () => {
  it('are of accounts, trust lines and entries of contracts alike, zeros included, in one call for all assets', async () => {
    const asked = [await resolve(own), await resolve(contract), native, await resolve(contract)];
    const account = await client.newAccount();
    const wallet = StrKey.encodeContract(Buffer.alloc(32, 9));
    expect(await balancesOf(account.publicKey(), asked)).toEqual([1000n, 0n, 100_000_000_000n, 0n]);
    expect(await balancesOf(Keypair.random().publicKey(), asked)).toEqual([1000n, 0n, 0n, 0n]);
    expect(await balancesOf(wallet, asked)).toEqual([1000n, 0n, 0n, 0n]);
    await client.send(account, [Operation.changeTrust({ asset: usdxm })]);
    await client.send(issuer, [
      Operation.payment({ destination: account.publicKey(), asset: usdxm, amount: '1.5' }),
    ]);
    await pay(contract, wallet, 77n);
    await pay(connection.network.nativeContract, wallet, 5n);
    const calls = node.count('getLedgerEntries');
    expect((await balancesOf(account.publicKey(), asked)).slice(0, 2)).toEqual([
      1000n,
      15_000_000n,
    ]);
    expect(await balancesOf(wallet, asked)).toEqual([1000n, 77n, 5n, 77n]);
    expect(node.count('getLedgerEntries')).toBe(calls + 2);
    expect(await balancesOf(issuer.publicKey(), [await resolve(contract)])).toEqual([0n]);
  });

  it('of what is no token are refused, and a node that answers nonsense is named', async () => {
    const gone: ResolvedToken = { ...native, address: StrKey.encodeContract(Buffer.alloc(32, 8)) };
    await expect(balancesOf(issuer.publicKey(), [gone])).rejects.toMatchObject({
      code: 'token-not-supported',
    });
    node.lie('getLedgerEntries', { answer: { latestLedger: 'one' } });
    await expect(balancesOf(issuer.publicKey(), [native])).rejects.toMatchObject({
      code: 'upstream-error',
    });
  });

  it('are final at a ledger up to which everything was told, or not there before anything was', async () => {
    const asked = [native, { ...native, address: StrKey.encodeContract(Buffer.alloc(32, 8)) }];
    let told: bigint | undefined;
    const read = () =>
      readFinalBalances({
        chain: 'stellar',
        tokens: asked,
        toldHeight: async () => told,
        readAmounts: () =>
          readStellarAmounts({ connection, tokens, address: issuer.publicKey(), asked }),
      });
    expect(await read()).toBeUndefined();
    told = 1n;
    setTimeout(() => {
      told = 1_000n;
    }, 300);
    const found = await read();
    expect(told).toBe(1_000n);
    expect(found).toEqual({
      height: expect.any(BigInt),
      balances: [{ token: native, amountMinor: expect.any(BigInt) }],
    });
  });

  it('of two ledgers are none of one: they are asked for again, and not for ever', async () => {
    let ledger = 100;
    node.lie('simulateTransaction', (result) => ({ ...result, latestLedger: ledger++ }));
    const asked = [native, await resolve(own)];
    const readAmounts = () =>
      readStellarAmounts({ connection, tokens, address: issuer.publicKey(), asked });
    expect((await readAmounts()).height).toBeUndefined();
    const reading = readFinalBalances({
      chain: 'stellar',
      tokens: asked,
      toldHeight: async () => 1n,
      readAmounts,
    });
    await expect(reading).rejects.toMatchObject({ code: 'provider-unavailable' });
  });
});

/** The issuer has as much as it likes of its asset. */
async function pay(token: string, to: string, amount: bigint): Promise<void> {
  const args = [
    addressValue(issuer.publicKey()),
    addressValue(to),
    nativeToScVal(amount, { type: 'i128' }),
  ];
  await client.invoke(
    issuer,
    Operation.invokeContractFunction({ contract: token, function: 'transfer', args }),
  );
}
