import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetOfCoin, readAssetName } from '../../../../devnet/aptos/ledger/assets.ts';
import { type AptosChain, startAptosChain } from '../../../../devnet/aptos/local.ts';
import type { ErrorCode } from '../../../lib/errors.ts';
import { canonicalAptosAddress, isAptosRecipient } from '../addresses.ts';
import { aptosNetwork } from '../config/networks.ts';
import { parseTypeTag } from '../encoding/type-tags.ts';
import { type AptosNode, connectNode } from '../rpc/node.ts';
import { readAptosBalances } from './balances.ts';
import { type AptosTokens, createAptosTokens } from './tokens.ts';

const testToken = `0x${'5d'.repeat(32)}`;
const foreign = `0x${'5e'.repeat(32)}`;
const liar = `0x${'5f'.repeat(32)}`;
const owner = `0x${'a1'.repeat(32)}`;
const coin = `0x${'c0'.repeat(32)}::pool::Share<0x1::aptos_coin::AptosCoin, vector<u8>>`;
const network = aptosNetwork('development', { testTokenAddress: testToken });

let chain: AptosChain;
let node: AptosNode;
let tokens: AptosTokens;

beforeAll(async () => {
  chain = await startAptosChain();
  chain.addAsset(testToken, { name: 'Test USD', symbol: 'USDXM', decimals: 6 });
  chain.addAsset(foreign, { name: 'Foreign', symbol: 'FOR', decimals: 2 });
  chain.addAsset(liar, { name: 'Not a dollar', symbol: 'uSdC', decimals: 2 });
  chain.addAsset(assetOfCoin(parseTypeTag(coin)), { name: 'Share', symbol: 'SHR', decimals: 3 });
  node = await connectNode({ network, url: chain.url, setting: 'APTOS_RPC_URL', timeoutMs: 5_000 });
  tokens = createAptosTokens(network, async () => node);
});
afterAll(() => chain.stop());

async function refusalOf(
  run: Promise<unknown>,
): Promise<{ readonly code: ErrorCode; readonly message: string }> {
  return run.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: { readonly code: ErrorCode; readonly message: string }) => error,
  );
}

describe('tokens of Aptos', () => {
  it('are found by symbol, by the address of an asset and by the type of a coin, generic ones too', async () => {
    expect(await tokens.resolve({ symbol: 'USDXM' })).toMatchObject({
      locator: 'aptos:usdxm',
      address: testToken,
      decimals: 6,
    });
    expect(
      await tokens.resolve({ address: testToken.toUpperCase().replace('0X', '0x') }),
    ).toMatchObject({
      symbol: 'usdxm',
      address: testToken,
    });
    expect(await tokens.resolve({ address: foreign })).toMatchObject({
      symbol: 'for',
      name: 'Foreign',
      decimals: 2,
    });
    expect(await tokens.resolve({ address: coin })).toMatchObject({
      address: coin.replace(', ', ','),
      symbol: 'shr',
      decimals: 3,
    });
  });

  it('have APT under one name, however it is asked for', async () => {
    for (const query of [
      { symbol: 'apt' },
      { address: '0x1::aptos_coin::AptosCoin' },
      { address: `0x${'0'.repeat(63)}a` },
    ])
      expect(await tokens.resolve(query)).toEqual({
        chain: 'aptos',
        locator: 'aptos:apt',
        symbol: 'apt',
        decimals: 8,
      });
  });

  it('are the same in every spelling of their type, and others when a name has another case', () => {
    const one = canonicalAptosAddress(coin);
    for (const same of [
      coin.replace(', ', ','),
      coin.replace('0x1::', `0x${'1'.padStart(64, '0')}::`),
      coin.replace('c0c0', 'C0c0'),
    ])
      expect(canonicalAptosAddress(same)).toBe(one);
    for (const other of [coin.replace('Share', 'share'), coin.replace('pool', 'Pool')])
      expect(canonicalAptosAddress(other)).not.toBe(one);
    expect(canonicalAptosAddress(foreign.toUpperCase().replace('0X', '0x'))).toBe(foreign);
    expect(canonicalAptosAddress('0x1::')).toBe('0x1::');
  });

  it('that call themselves like a listed one have no symbol', async () => {
    const token = await tokens.resolve({ address: liar });
    expect(token).not.toHaveProperty('symbol');
  });

  it('that are not there are refused', async () => {
    for (const query of [
      { symbol: 'doge' },
      { address: `0x${'99'.repeat(32)}` },
      { address: '0x2::no::Coin' },
      { address: '0x2::no' },
      { address: testToken, tokenId: '1' },
    ])
      expect((await refusalOf(tokens.resolve(query))).code, JSON.stringify(query)).toBe(
        'token-not-supported',
      );
  });

  it('are held in amounts of 64 bits that are not rounded, zeros included', async () => {
    chain.give(readAssetName('0xa'), owner, 2n ** 63n + 1n);
    chain.give(assetOfCoin(parseTypeTag(coin)), owner, 7n);
    const asked = await Promise.all(
      [{ symbol: 'apt' }, { symbol: 'usdxm' }, { address: coin }].map((query) =>
        tokens.resolve(query),
      ),
    );
    const balances = await readAptosBalances(node, owner, asked);
    expect(balances.map(({ amountMinor }) => amountMinor)).toEqual([2n ** 63n + 1n, 0n, 7n]);
    const [usdc] = [await tokens.resolve({ symbol: 'usdc' })];
    expect((await refusalOf(readAptosBalances(node, owner, [usdc]))).code).toBe(
      'token-not-supported',
    );
  });

  it('are sent to no address of the framework', () => {
    expect(isAptosRecipient(owner)).toBe(true);
    for (const text of [`0x${'0'.repeat(64)}`, `0x${'0'.repeat(63)}a`, '0xa', owner.slice(0, -1)])
      expect(isAptosRecipient(text), text).toBe(false);
  });
});

describe('a node of Aptos', () => {
  async function aNode(
    answer: (response: http.ServerResponse) => void,
  ): Promise<{ readonly url: string; readonly server: http.Server }> {
    const server = http.createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  const headers = {
    'x-aptos-chain-id': '4',
    'x-aptos-ledger-version': '1',
    'x-aptos-ledger-timestampusec': '1',
  };
  const connect = (url: string) =>
    connectNode({ network, url, setting: 'APTOS_RPC_URL', timeoutMs: 300 });

  it('of another network is refused, at its first answer and at every later one', async () => {
    let chainId = '1';
    const { url, server } = await aNode((response) => {
      response
        .writeHead(200, { ...headers, 'x-aptos-chain-id': chainId })
        .end(JSON.stringify({ chain_id: 4 }));
    });
    const refusal = await refusalOf(connect(url));
    expect([refusal.code, refusal.message]).toEqual([
      'upstream-error',
      expect.stringMatching(/serves mainnet instead of local.*APTOS_RPC_URL/),
    ]);
    chainId = '4';
    const connected = await connect(url);
    chainId = '2';
    expect(
      await refusalOf(
        readAptosBalances(connected, owner, [await tokens.resolve({ symbol: 'apt' })]),
      ),
    ).toMatchObject({
      code: 'upstream-error',
      message: expect.stringContaining('serves testnet'),
    });
    server.close();
  });

  it('that refuses its first question is told as answering wrongly', async () => {
    const refusal = JSON.stringify({ error_code: 'account_not_found', message: 'no' });
    const { url, server } = await aNode((response) =>
      response.writeHead(404, headers).end(refusal),
    );
    expect((await refusalOf(connect(url))).code).toBe('upstream-error');
    server.close();
  });

  it('that answers no JSON, too large a number, or nothing at all is told as what it is', async () => {
    let body = '<html>';
    const { url, server } = await aNode((response) => response.writeHead(200, headers).end(body));
    expect((await refusalOf(connect(url))).code).toBe('upstream-error');
    body = JSON.stringify({ chain_id: 4 });
    const connected = await connect(url);
    for (const wrong of [[(2n ** 64n).toString()], ['-1'], [1], [], 'x', ['1', '2']]) {
      body = JSON.stringify(wrong);
      expect(
        (
          await refusalOf(
            readAptosBalances(connected, owner, [await tokens.resolve({ symbol: 'apt' })]),
          )
        ).code,
        body,
      ).toBe('upstream-error');
    }
    server.close();
    server.closeAllConnections();
    expect((await refusalOf(connect(url))).code).toBe('provider-unavailable');
    const silent = await aNode(() => undefined);
    expect((await refusalOf(connect(silent.url))).code).toBe('provider-unavailable');
    silent.server.closeAllConnections();
    silent.server.close();
  });
});
