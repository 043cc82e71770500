import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMessage, writeTransaction } from '../../src/chains/solana/operation/message.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { type Body, expectedCalls } from './expected-calls.ts';
import { ed25519Signer, solanaCalls, somebody } from './solana-kit.ts';
import { type Mint, strangersMints, type TokenProgramName } from './solana-mints.ts';

// Tokens of wallets on Solana: supplement, sections 1, 6, 9 and 10. Those that the service does not
// list are named by their mint.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

const { create, expectCall, finish, fund } = solanaCalls(() => stack);
const { expectCall: expectAny } = expectedCalls((...call) => stack.call(...call));
const mints = strangersMints(() => stack);

const createMpc = (more: object = {}) =>
  expectCall(201, 'POST', '', { chainType: 'solana', type: 'mpc', ...more });
const transfer = (wallet: string, mint: Mint, body: object, status = 201): Promise<Body> =>
  expectCall(status, 'POST', `/${wallet}/tokens/solana:${mint.address}/transfers`, body);

const programNames: TokenProgramName[] = ['Token', 'Token-2022'];

describe.each(programNames)('a mint of %s that is named by its address', (name) => {
  const [admin, delegate] = [ed25519Signer('external-wallet'), ed25519Signer('server')];
  const signer = delegate.locator;
  let mint: Mint;
  let other: Mint;
  let mpc: string;
  let smart: string;

  beforeAll(async () => {
    [mint, other] = [await mints.create(name, 4), await mints.create(name, 4)];
    ({ address: mpc } = await createMpc());
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: `solana:${mint.address}`,
        spendingLimit: { amount: '10', interval: 3_600 },
      },
    ];
    const wallet = await create({
      adminSigner: admin.input,
      delegatedSigners: [{ signer, scopes }],
    });
    smart = wallet.address;
    for (const owner of [mpc, smart]) await mints.give(owner, mint, 500_000n);
    await mints.give(smart, other, 500_000n);
  });

  /** It has what was sent, where its owner looks for it. */
  async function expectLanded(done: Body, recipient: string, amount: string): Promise<void> {
    expect(done).toMatchObject({
      status: 'success',
      onChain: { txId: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/) },
      sendParams: { token: `solana:${mint.address}`, params: { recipientAddress: recipient } },
    });
    const address = mints.accountOf(recipient, mint);
    expect(await mints.accounts(recipient, mint)).toEqual([
      { address, program: mint.program, amount },
    ]);
  }

  it('is sent by an mpc wallet to somebody who has none, into an account of its own program', async () => {
    const recipient = somebody();
    const sent = await transfer(mpc, mint, { recipient, amount: '12.5' });
    await expectLanded(await stack.waitForTransaction(mpc, sent.id), recipient, '125000');
    expect(await mints.accounts(mpc, mint)).toMatchObject([{ amount: '375000' }]);
  });

  it('is sent by a smart wallet with the approval of its admin', async () => {
    const recipient = somebody();
    const sent = await transfer(smart, mint, { recipient, amount: '0.0001' });
    await expectLanded(await finish(smart, sent, [admin]), recipient, '1');
  });

  it('is sent by a delegate whose scope names that mint, within its limit and not past it', {
    tags: 'slow',
  }, async () => {
    const recipient = somebody();
    const refused = async (of: Mint, amount: string) => {
      const { code } = await transfer(smart, of, { recipient, amount, signer }, 400);
      expect(code).toBe('signer-scope-violation');
    };
    await refused(mint, '10.0001');
    await refused(other, '1');
    const sent = await transfer(smart, mint, { recipient, amount: '6', signer });
    // Made before the first has landed, and past the limit when it lands: the program says no.
    const late = await transfer(smart, mint, { recipient, amount: '4.0001', signer });
    await expectLanded(await finish(smart, sent, [delegate]), recipient, '60000');
    await refused(mint, '4.0001');
    expect(await finish(smart, late, [delegate])).toMatchObject({
      status: 'failed',
      error: { reason: 'program_error' },
    });
    const rest = await transfer(smart, mint, { recipient, amount: '4', signer });
    await expectLanded(await finish(smart, rest, [delegate]), recipient, '100000');
  });

  it('that nobody made is refused, and more than the wallet has is insufficient-balance', async () => {
    const body = { recipient: somebody(), amount: '1' };
    const nowhere = { ...mint, address: somebody() as Mint['address'] };
    expect((await transfer(mpc, nowhere, body, 400)).code).toBe('token-not-supported');
    const poor = await transfer(mpc, mint, { ...body, amount: '50.0001' }, 400);
    expect(poor.code).toBe('insufficient-balance');
  });
});

describe('balances', () => {
  const read = (wallet: string, tokens: string, headers: Record<string, string> = {}) =>
    expectAny(200, 'GET', `/2025-06-09/wallets/${wallet}/balances?tokens=${tokens}&chains=solana`, {
      headers,
    });
  const readList = (wallet: string, tokens: string) =>
    read(wallet, tokens, { 'x-client-name': 'some-sdk' });

  it('are read by mint, in both forms, and a mint that is listed is what its symbol names', async () => {
    const { address } = await createMpc();
    const mint = await mints.create('Token-2022', 3);
    await mints.give(address, mint, 1_500n);
    await fund(address, 7);
    const listed = await stack.tokenAddress('solana', 'usdxm');
    const asked = [mint.address, listed].map((one) => `solana:${one}`);
    const { tokens } = await read(address, asked.join());
    expect(tokens).toMatchObject([
      { decimals: 3, balance: '1500', address: mint.address, chain: 'solana' },
      { symbol: 'usdxm', decimals: 6, balance: '7000000', address: listed },
    ]);
    expect(await readList(address, asked[0]!)).toEqual([
      {
        decimals: 3,
        amount: '1.5',
        rawAmount: '1500',
        chains: {
          solana: {
            locator: `solana:${mint.address}`,
            amount: '1.5',
            rawAmount: '1500',
            mintHash: mint.address,
          },
        },
      },
    ]);
    expect((await readList(address, asked[1]!))[0]).toMatchObject({
      symbol: 'usdxm',
      amount: '7',
      chains: { solana: { mintHash: listed } },
    });
    // One that the wallet never had is shown with zero.
    const { address: none } = await mints.create('Token', 2);
    expect((await read(address, `solana:${none}`)).tokens).toMatchObject([{ balance: '0' }]);
  });

  it('have the value that the price source names; what it does not name has none', async () => {
    const { address } = await createMpc();
    const mint = await mints.create('Token', 3);
    await mints.give(address, mint, 1_500n);
    await fund(address, 12.25);
    await stack.chainCall('solana', 'requestAirdrop', [address, 300_000_000]);
    const prices = await stack.ctx.providers.pricing.pricesUsd(['sol', 'usdxm']);
    const [sol, usdxm] = ['sol', 'usdxm'].map((symbol) => Number(prices.get(symbol)));
    expect(Math.min(sol!, usdxm!)).toBeGreaterThan(0);
    const query = `sol,usdxm,solana:${mint.address}`;
    const lamports = async () => (await read(address, query)).nativeToken.balance;
    await expect.poll(lamports, { timeout: 20_000 }).toBe('300000000');
    const { nativeToken, tokens } = await read(address, query);
    expect(nativeToken).toMatchObject({ symbol: 'sol', balanceUSD: String((3 * sol!) / 10) });
    const [held, unnamed] = tokens;
    expect(held).toMatchObject({ symbol: 'usdxm', balanceUSD: String((49 * usdxm!) / 4) });
    expect(unnamed).toMatchObject({ address: mint.address, balance: '1500' });
    expect(unnamed).not.toHaveProperty('balanceUSD');
  });
});

describe('test funding', () => {
  const ask = (locator: string, amount: number): Promise<Body> =>
    expectAny(201, 'POST', `/v1-alpha2/wallets/${locator}/balances`, {
      body: { amount, token: 'usdxm', chain: 'solana' },
    });
  const entry = async (amount: string, rawAmount: string) => {
    const mintHash = await stack.tokenAddress('solana', 'usdxm');
    const held = { locator: 'solana:usdxm', amount, rawAmount, mintHash };
    const whole = { symbol: 'usdxm', name: 'Test USD', decimals: 6, amount, rawAmount };
    return { ...whole, chains: { solana: held } };
  };

  it('answers what the wallet has then, in the list form with the mint', async () => {
    const { address } = await createMpc();
    expect(await ask(address, 12.25)).toEqual([await entry('12.25', '12250000')]);
    expect(await ask(address, 1)).toEqual([await entry('13.25', '13250000')]);
  });

  it('finds the wallet of a user by <kind>:<value>:<walletType>, each type its own', async () => {
    const owner = 'email:sol-funded@example.com';
    await create({ adminSigner: { type: 'api-key' }, delegatedSigners: [] }, { owner });
    await createMpc({ owner });
    expect(await ask(`${owner}:smart`, 3)).toEqual([await entry('3', '3000000')]);
    expect(await ask(`${owner}:mpc`, 5)).toEqual([await entry('5', '5000000')]);
    for (const [type, balance] of [
      ['smart', '3000000'],
      ['mpc', '5000000'],
    ]) {
      const path = `/${owner}:solana:${type}/balances?tokens=usdxm&chains=solana`;
      expect((await expectCall(200, 'GET', path)).tokens).toMatchObject([{ balance }]);
    }
  });
});

describe('what a program refuses', () => {
  const told = {
    reason: 'program_error',
    message: expect.stringMatching(/refuses the transaction/),
    logs: expect.arrayContaining([expect.stringMatching(/^Program \w+ failed/)]),
  };
  const expectTold = (error: Body) => {
    expect(error).toEqual(told);
    for (const line of error.logs) expect(line).toEqual(expect.stringMatching(/./));
  };
  const send = (wallet: string, amount: string) =>
    expectCall(201, 'POST', `/${wallet}/tokens/solana:usdxm/transfers`, {
      recipient: somebody(),
      amount,
    });
  async function expectInActivity(wallet: string, id: string): Promise<void> {
    const path = `/unstable/wallets/${wallet}/transfers?chain=solana&status=failed`;
    const read = async () => (await expectAny(200, 'GET', path)).data;
    await expect.poll(read).toMatchObject([{ transferId: id, error: told }]);
  }

  it('of an mpc wallet when it lands has failed with its reason, a sentence and the logs', {
    tags: 'slow',
  }, async () => {
    const { address } = await createMpc();
    await fund(address);
    // Both are made while there is enough for each; only one can land.
    const both = await stack.withoutWorker(async () => [
      await send(address, '40'),
      await send(address, '30'),
    ]);
    const done = await Promise.all(both.map(({ id }) => stack.waitForTransaction(address, id)));
    expect(done.map(({ status }) => status).toSorted()).toEqual(['failed', 'success']);
    const failed = done.find(({ status }) => status === 'failed');
    expectTold(failed.error);
    await expectInActivity(address, failed.id);
  });

  it('of a smart wallet when it lands has failed with the same', { tags: 'slow' }, async () => {
    const admin = ed25519Signer('server');
    const { address } = await create({ adminSigner: admin.input, delegatedSigners: [] });
    await fund(address);
    const [one, other] = [await send(address, '40'), await send(address, '30')];
    expect((await finish(address, one, [admin])).status).toBe('success');
    const failed = await finish(address, other, [admin]);
    expect(failed.status).toBe('failed');
    expectTold(failed.error);
    await expectInActivity(address, other.id);
  });

  it.each(['mpc', 'smart'])(
    'of a wallet of type %s when it is simulated is 422, with the logs',
    async (type) => {
      const { address } =
        type === 'mpc'
          ? await createMpc()
          : await create({ adminSigner: ed25519Signer('server').input, delegatedSigners: [] });
      await stack.chainCall('solana', 'requestAirdrop', [address, 500_000_000]);
      const source = createNoopSigner(address);
      const destination = somebody() as never;
      const instruction = getTransferSolInstruction({ source, destination, amount: 10n ** 12n });
      const message = writeMessage({ feePayer: address, instructions: [instruction], tables: {} });
      const params = { transaction: bs58.encode(writeTransaction(message)) };
      const path = `/${address}/transactions`;
      const refused = await expectCall(422, 'POST', path, { params });
      expectTold(refused.error);
      expect(refused.message).toBe(refused.error.message);
      expect(await expectCall(200, 'GET', path)).toEqual({ transactions: [] });
    },
  );
});

describe('collectibles', { tags: 'slow' }, () => {
  const pages = (address: string, query = ''): Promise<Body[]> =>
    expectCall(200, 'GET', `/solana:${address}/nfts${query}`);
  const documentOf = (nr: number) => ({
    name: `No. ${nr}`,
    description: `One of ${nr}`,
    image: `https://example.test/${nr}.png`,
  });

  async function aCollectible(owner: string, program: TokenProgramName, nr: number): Promise<Mint> {
    const mint = await mints.create(program, 0);
    // On a local chain nothing is read from elsewhere: the document stands in its own address.
    const uri = `data:application/json,${JSON.stringify(documentOf(nr))}`;
    await mints.giveMetadata(mint, { name: `Picture ${nr}`, symbol: 'PIC', uri });
    await mints.give(owner, mint, 1n);
    return mint;
  }
  const entryOf = ({ address }: Mint, nr: number) => ({
    chain: 'solana',
    mintHash: address,
    tokenId: '0',
    amount: '1',
    metadata: documentOf(nr),
  });

  it('are listed with what their documents say, the latest first, in pages, and are gone once they are sent on', async () => {
    const [{ address }, { address: friend }] = [await createMpc(), await createMpc()];
    expect(await pages(address)).toEqual([]);
    // Of many there is no only one.
    await mints.give(address, await mints.create('Token', 0), 2n);
    const first = await aCollectible(address, 'Token', 1);
    const second = await aCollectible(address, 'Token-2022', 2);
    const third = await aCollectible(address, 'Token', 3);
    const all = [entryOf(third, 3), entryOf(second, 2), entryOf(first, 1)];
    await expect.poll(() => pages(address), { timeout: 20_000 }).toEqual(all);
    expect(await pages(address, '?page=1&perPage=2')).toEqual(all.slice(0, 2));
    expect(await pages(address, '?page=2&perPage=2')).toEqual(all.slice(2));
    expect(await pages(address, '?page=3&perPage=2')).toEqual([]);
    const sent = await transfer(address, second, { recipient: friend, amount: '1' });
    expect((await stack.waitForTransaction(address, sent.id)).status).toBe('success');
    await expect
      .poll(() => pages(address), { timeout: 20_000 })
      .toEqual([entryOf(third, 3), entryOf(first, 1)]);
    await expect.poll(() => pages(friend), { timeout: 20_000 }).toEqual([entryOf(second, 2)]);
    await expectCall(400, 'GET', `/base-sepolia:${address}/nfts`);
  });
});
