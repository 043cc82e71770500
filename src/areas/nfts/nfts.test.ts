import { fileURLToPath } from 'node:url';
import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  numberToHex,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFolder } from '../../../contracts/compile.ts';
import { testConfig } from '../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { startWatchedChain, type WatchedChain } from '../../../test/harness/watched-chain.ts';
import { caughtUp, eventually } from '../../../test/harness/watcher-world.ts';
import type { Running } from '../../chains/family.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { activityRoutes } from '../activity/routes.ts';
import { issueKey } from '../api-keys/index.ts';
import { chainEntrances } from '../chain-entrances.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { nftRoutes } from './routes.ts';

const chainName = 'base-sepolia';
const nobody = '0x00000000000000000000000000000000000000fe';
const clock = createMovableClock();

let chain: WatchedChain;
let database: TestDatabase;
let api: TestApi;
let worker: Running;
let pictures: { address: Address; abi: Abi };
let editions: { address: Address; abi: Abi };

beforeAll(async () => {
  [chain, database] = await Promise.all([startWatchedChain(), startTestDatabase()]);
  const { evm } = testConfig();
  api = await startTestApi({
    routes: [...walletRoutes, ...activityRoutes, ...nftRoutes],
    ...evmParts,
    database,
    clock,
    config: { evm: { ...evm, rpcUrls: new Map([[chainName, chain.url]]) } },
  });
  const [family] = api.ctx.chains.families;
  await family!.resolveToken(chainName, { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' });
  await family!.readBalances(nobody, [await family!.resolveToken(chainName, { symbol: 'eth' })]);
  worker = await family!.run(chainEntrances(api.ctx, family!));
  const artifacts = compileFolder(
    fileURLToPath(new URL('../../../test/contracts', import.meta.url)),
  );
  [pictures, editions] = [
    await deploy(artifacts, 'Pictures', '0x00000000000000000000000000000000000c0721'),
    await deploy(artifacts, 'Editions', '0x0000000000000000000000000000000000c01155'),
  ];
});
afterAll(async () => {
  await worker?.stop();
  await api?.close();
  await database?.close();
  await chain?.stop();
});

/** Puts a contract in place: none of them needs its constructor. */
async function deploy(
  artifacts: ReturnType<typeof compileFolder>,
  name: string,
  address: Address,
): Promise<{ address: Address; abi: Abi }> {
  const artifact = artifacts.find(({ contractName }) => contractName === name)!;
  await chain.call('anvil_setCode', [address, artifact.deployedBytecode]);
  return { address, abi: artifact.abi };
}

let count = 0;
async function aWallet(owner = `userId:nft-${++count}`): Promise<Address> {
  const { body } = await api.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', owner, config: { adminSigner: { type: 'api-key' } } },
  });
  return body.address;
}

const dataUri = (document: unknown) =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(document)).toString('base64')}`;
const mintPicture = (to: Address, id: number, uri = dataUri({ name: `Picture ${id}` })) =>
  chain.send({
    to: pictures.address,
    data: encodeFunctionData({
      abi: pictures.abi,
      functionName: 'mint',
      args: [to, BigInt(id), uri],
    }),
  });
const mintEditions = (to: Address, entries: readonly [id: number, amount: number][], uri: string) =>
  chain.send({
    to: editions.address,
    data: encodeFunctionData({
      abi: editions.abi,
      functionName: 'mint',
      args: [
        to,
        entries.map(([id]) => BigInt(id)),
        entries.map(([, amount]) => BigInt(amount)),
        uri,
      ],
    }),
  });

/** Sends from an address without a key, as the wallet itself would. */
async function sendAs(from: Address, to: Address, data: Hex): Promise<void> {
  await chain.call('anvil_setBalance', [from, numberToHex(10n ** 18n)]);
  await chain.call('anvil_impersonateAccount', [from]);
  const hash = await chain.call('eth_sendTransaction', [{ from, to, data }]);
  await eventually(
    async () => chain.call('eth_getTransactionReceipt', [hash]),
    (receipt) => receipt !== null,
  );
}

async function list(address: string, query = '', options: object = {}) {
  await caughtUp(database.store, chainName, await chain.height());
  return api.call('GET', `/2025-06-09/wallets/${chainName}:${address}/nfts${query}`, options);
}

describe('the collectibles of a wallet', () => {
  it('are none at first', async () => {
    expect(await list(await aWallet())).toMatchObject({ status: 200, body: [] });
  });

  it('have contract, id, amount and the metadata that stands on the chain', async () => {
    const address = await aWallet();
    await mintPicture(
      address,
      1,
      dataUri({
        name: 'One',
        description: 'The first',
        image: 'data:image/svg+xml,<svg/>',
        attributes: [],
      }),
    );
    const { body } = await list(address);
    expect(body).toEqual([
      {
        chain: chainName,
        contractAddress: expect.stringMatching(new RegExp(pictures.address, 'i')),
        tokenId: '1',
        amount: '1',
        metadata: { name: 'One', description: 'The first', image: 'data:image/svg+xml,<svg/>' },
      },
    ]);
  });

  it('follow what comes in and goes out, between own wallets too', async () => {
    const [from, to] = [await aWallet(), await aWallet()];
    await mintPicture(from, 2);
    await mintPicture(from, 3);
    await sendAs(
      from,
      pictures.address,
      encodeFunctionData({ abi: pictures.abi, functionName: 'transferFrom', args: [from, to, 2n] }),
    );
    expect((await list(from)).body.map((nft: { tokenId: string }) => nft.tokenId)).toEqual(['3']);
    expect((await list(to)).body).toMatchObject([
      { tokenId: '2', metadata: { name: 'Picture 2' } },
    ]);
    await sendAs(
      to,
      pictures.address,
      encodeFunctionData({ abi: pictures.abi, functionName: 'transferFrom', args: [to, from, 2n] }),
    );
    expect((await list(from)).body.map((nft: { tokenId: string }) => nft.tokenId)).toEqual([
      '2',
      '3',
    ]);
    expect((await list(to)).body).toEqual([]);
  });

  it('of contracts with editions have an amount, and the id in the address of their metadata', async () => {
    const address = await aWallet();
    await mintEditions(
      address,
      [
        [7, 5],
        [8, 1],
      ],
      `data:application/json,{"name":"No. {id}"}`,
    );
    await mintEditions(address, [[7, 1]], `data:application/json,{"name":"No. {id}"}`);
    await sendAs(
      address,
      editions.address,
      encodeFunctionData({
        abi: editions.abi,
        functionName: 'safeTransferFrom',
        args: [address, nobody, 7n, 2n, '0x'],
      }),
    );
    const { body } = await list(address);
    expect(
      body.map(({ tokenId, amount }: { tokenId: string; amount: string }) => [tokenId, amount]),
    ).toEqual([
      ['7', '4'],
      ['8', '1'],
    ]);
    expect(body[1].metadata.name).toBe(`No. ${'8'.padStart(64, '0')}`);
  });

  it('come in pages, the latest first', async () => {
    const address = await aWallet();
    for (let id = 101; id <= 112; id++) await mintPicture(address, id);
    const ids = async (query: string) =>
      (await list(address, query)).body.map((nft: { tokenId: string }) => Number(nft.tokenId));
    expect(await ids('')).toEqual([112, 111, 110, 109, 108, 107, 106, 105, 104, 103]);
    expect(await ids('?page=2')).toEqual([102, 101]);
    expect(await ids('?page=2&perPage=5')).toEqual([107, 106, 105, 104, 103]);
    expect(await ids('?page=4')).toEqual([]);
  });

  it('are no activity: nothing of them is listed or announced there', async () => {
    const address = await aWallet();
    await mintPicture(address, 4);
    expect((await list(address)).body).toHaveLength(1);
    expect(
      (
        await api.call(
          'GET',
          `/unstable/wallets/${address}/transfers?chain=${chainName}&status=successful`,
        )
      ).body.data,
    ).toEqual([]);
    const { rows } = await database.store.query({
      text: `select 1 from outbox o join wallets w on o.object = 'wallet:' || w.id where w.address = $1`,
      values: [address],
    });
    expect(rows).toEqual([]);
  });

  it('keep their metadata for a day, and are asked again then', async () => {
    const address = await aWallet();
    const renamed = encodeFunctionData({
      abi: editions.abi,
      functionName: 'mint',
      args: [nobody, [1n], [1n], 'data:application/json,{"name":"new"}'],
    });
    await mintEditions(address, [[21, 1]], 'data:application/json,{"name":"old"}');
    expect((await list(address)).body[0].metadata).toEqual({ name: 'old' });
    await chain.send({ to: editions.address, data: renamed });
    expect((await list(address)).body[0].metadata).toEqual({ name: 'old' });
    clock.advance(25 * 60 * 60 * 1_000);
    expect((await list(address)).body[0].metadata).toEqual({ name: 'new' });
  });

  it.each([
    ['is no JSON', 'data:application/json,nothing'],
    ['is JSON of another shape', 'data:application/json,[1,2]'],
    ['is on another machine, while the chain is local', 'https://metadata.test/1.json'],
    ['is in another network', 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'],
    ['is a file', 'file:///etc/passwd'],
    ['is absent', ''],
  ])('are listed without metadata that %s', async (_, uri) => {
    const address = await aWallet();
    await mintPicture(address, 1_000 + ++count, uri);
    const { status, body } = await list(address);
    expect([status, body[0].metadata]).toEqual([200, {}]);
  });

  it('leave out fields that are no text, and characters that no database takes', async () => {
    const address = await aWallet();
    await mintPicture(address, 6, dataUri({ name: 'a\u0000b', description: 5, image: ['x'] }));
    const { body } = await list(address);
    expect(body[0].metadata).toEqual({ name: 'ab' });
  });
});

describe('what the list of collectibles refuses', () => {
  const get = (locator: string, query = '', options: object = {}) =>
    api.call('GET', `/2025-06-09/wallets/${locator}/nfts${query}`, options);

  it.each([
    ['the locator is an address alone', zeroAddress, '', 'invalid-locator'],
    ['the address is none', `${chainName}:0x12`, '', 'invalid-locator'],
    ['the chain is unknown', `moon:${nobody}`, '', 'chain-not-supported'],
    [
      'the chain is of a family that is not served',
      'solana:4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
      '',
      'chain-not-supported',
    ],
    ['page is zero', `${chainName}:${nobody}`, '?page=0', 'validation-error'],
    ['perPage is too large', `${chainName}:${nobody}`, '?perPage=51', 'validation-error'],
  ])('400 when %s', async (_, locator, query, code) => {
    const { status, body } = await get(locator, query);
    expect([status, body.error, body.code]).toEqual([400, true, code]);
  });

  it('404 for a wallet that is not there, or belongs to another user', async () => {
    expect(await get(`${chainName}:${nobody}`)).toMatchObject({
      status: 404,
      body: { code: 'wallet-not-found' },
    });
    const address = await aWallet('userId:eve');
    expect(
      (
        await get(`${chainName}:${address}`, '', {
          key: api.clientKey,
          jwt: await api.userJwt('mallory'),
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await get(`${chainName}:${address}`, '', {
          key: api.clientKey,
          jwt: await api.userJwt('eve'),
        })
      ).status,
    ).toBe(200);
  });

  it('401 without a key, 403 without the scope', async () => {
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    expect((await get(`${chainName}:${nobody}`, '', { key: null })).status).toBe(401);
    expect((await get(`${chainName}:${nobody}`, '', { key })).status).toBe(403);
  });
});
