import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';
import { type Body, expectedCalls } from './expected-calls.ts';
import { ed25519Signer, solanaCalls, somebody } from './solana-kit.ts';

// Activity of wallets on Solana: each filter of section 10 of the supplement.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

const { create, fund, finish, expectCall } = solanaCalls(() => stack);
const { expectCall: expectAny } = expectedCalls((...call) => stack.call(...call));

let address: string;
/** What there is, oldest first. */
let all: Body[];
let failedId: string;

const ask = (query: Record<string, string>, status = 200): Promise<Body> => {
  const full = { chain: 'solana', status: 'successful', ...query };
  const path = `/unstable/wallets/${address}/transfers?${new URLSearchParams(full)}`;
  return expectAny(status, 'GET', path);
};
const idsOf = (events: readonly Body[]) => events.map(({ transferId }) => transferId);
const listed = async (query: Record<string, string> = {}) => idsOf((await ask(query)).data);
/** As asked by a filter, oldest first. */
const those = (isWanted: (event: Body) => boolean) => idsOf(all.filter(isWanted));

describe('the activity of a Solana wallet', () => {
  const admin = ed25519Signer('server');
  const [owner, friendOwner] = ['userId:sol-ada', 'email:sol-friend@example.com'];
  let friendAddress: string;

  async function send(token: string, amount: string): Promise<Body> {
    const path = `/${address}/tokens/solana:${token}/transfers`;
    return expectCall(201, 'POST', path, { recipient: somebody(), amount });
  }

  beforeAll(async () => {
    ({ address } = await create({ adminSigner: admin.input, delegatedSigners: [] }, { owner }));
    await fund(address);
    const body = { chainType: 'solana', type: 'mpc', owner: friendOwner };
    const friend = await expectCall(201, 'POST', '', body);
    friendAddress = friend.address;
    await stack.chainCall('solana', 'requestAirdrop', [friend.address, 1_000_000_000]);
    const gift = { recipient: address, amount: '0.5' };
    const sol = `/${friend.address}/tokens/solana:sol/transfers`;
    const given = await expectCall(201, 'POST', sol, gift);
    await stack.waitForTransaction(friend.address, given.id);
    // Blocks tell their time in seconds.
    await delay(2_100);
    const [one, other] = [await send('usdxm', '40'), await send('usdxm', '30')];
    await finish(address, one, [admin]);
    await finish(address, await send('sol', '0.1'), [admin]);
    failedId = other.id;
    expect((await finish(address, other, [admin])).status).toBe('failed');
    for (const endAt = Date.now() + 30_000; Date.now() < endAt; await delay(200)) {
      all = (await ask({ sort: 'asc' })).data;
      if (all.length === 4) break;
    }
  }, 120_000);

  it('is listed newest first, or oldest first, and says of each what, when, and where it stands', async () => {
    expect(all.map(({ type, token }) => [type, token.symbol, token.amount]).sort()).toEqual([
      ['wallets.transfer.in', 'sol', '0.5'],
      ['wallets.transfer.in', 'usdxm', '50'],
      ['wallets.transfer.out', 'sol', '0.1'],
      ['wallets.transfer.out', 'usdxm', '40'],
    ]);
    expect(new Set(idsOf(all)).size).toBe(4);
    expect(await listed()).toEqual(idsOf(all).toReversed());
    expect(await listed({ sort: 'desc' })).toEqual(idsOf(all).toReversed());
    const times = all.map(({ completedAt }) => Date.parse(completedAt));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const { onChain, status } of all)
      expect([status, onChain.txId]).toEqual(['succeeded', expect.stringMatching(/^\w{86,88}$/)]);
  });

  it('names who sends and who receives, by address, locator and, where it is a wallet of the service, owner', () => {
    const party = (of: string, more: object = {}) => ({
      address: of,
      chain: 'solana',
      locator: `solana:${of}`,
      ...more,
    });
    const own = party(address, { owner });
    for (const { type, sender, recipient } of all)
      expect(type === 'wallets.transfer.in' ? recipient : sender).toEqual(own);
    const given = all.find(({ type, token }) => type.endsWith('.in') && token.symbol === 'sol')!;
    expect(given.sender).toEqual(party(friendAddress, { owner: friendOwner }));
    for (const { recipient } of all.filter(({ type }) => type.endsWith('.out')))
      expect(recipient).toEqual(party(recipient.address));
  });

  it('is filtered by status: what failed is told with its reason, and is not among the rest', async () => {
    const read = async () => (await ask({ status: 'failed' })).data;
    await expect.poll(read).toMatchObject([
      {
        type: 'wallets.transfer.out',
        status: 'failed',
        transferId: failedId,
        token: { symbol: 'usdxm', amount: '30' },
        error: { reason: expect.any(String), message: expect.any(String) },
      },
    ]);
    expect(idsOf(all)).not.toContain(failedId);
    await ask({ status: 'pending' }, 400);
  });

  it('is filtered by tokens: symbols, locators and addresses, one or several', async () => {
    const { mintHash } = all.find(({ token }) => token.symbol === 'usdxm')!.token;
    const usdxm = those(({ token }) => token.symbol === 'usdxm');
    const sol = those(({ token }) => token.symbol === 'sol');
    expect([usdxm.length, sol.length]).toEqual([2, 2]);
    for (const tokens of ['usdxm', 'solana:usdxm', mintHash, `solana:${mintHash}`])
      expect([tokens, await listed({ tokens, sort: 'asc' })]).toEqual([tokens, usdxm]);
    for (const tokens of ['sol', 'solana:sol'])
      expect([tokens, await listed({ tokens, sort: 'asc' })]).toEqual([tokens, sol]);
    for (const tokens of [`sol,${mintHash}`, 'usdxm,solana:sol'])
      expect([tokens, await listed({ tokens, sort: 'asc' })]).toEqual([tokens, idsOf(all)]);
    expect(await listed({ tokens: somebody() })).toEqual([]);
    expect(await listed({ tokens: 'usdc' })).toEqual([]);
    expect((await ask({ tokens: 'base-sepolia:usdxm' }, 400)).message).toContain('base-sepolia');
  });

  it('is filtered by time, both ends included', async () => {
    const times = [...new Set(all.map(({ completedAt }) => completedAt as string))];
    expect(times.length).toBeGreaterThan(1);
    const at = (event: Body) => Date.parse(event.completedAt);
    for (const time of times) {
      const when = Date.parse(time);
      expect(await listed({ sort: 'asc', fromDate: time })).toEqual(those((e) => at(e) >= when));
      expect(await listed({ sort: 'asc', toDate: time })).toEqual(those((e) => at(e) <= when));
      const only = { sort: 'asc', fromDate: time, toDate: time };
      expect(await listed(only)).toEqual(those((e) => at(e) === when));
    }
    const [first, last] = [times[0]!, times.at(-1)!];
    expect((await ask({ fromDate: last, toDate: first }, 400)).message).toContain('fromDate');
    await ask({ fromDate: 'yesterday' }, 400);
  });

  it.each(['asc', 'desc'])('is paged both ways, sorted %s, with filters too', async (sort) => {
    const whole = sort === 'asc' ? idsOf(all) : idsOf(all).toReversed();
    const first = await ask({ sort, limit: '3' });
    expect(idsOf(first.data)).toEqual(whole.slice(0, 3));
    expect(first).not.toHaveProperty('previousCursor');
    const second = await ask({ sort, limit: '3', cursor: first.nextCursor });
    expect(idsOf(second.data)).toEqual(whole.slice(3));
    expect(second).not.toHaveProperty('nextCursor');
    const back = await ask({ sort, limit: '3', cursor: second.previousCursor });
    expect(idsOf(back.data)).toEqual(whole.slice(0, 3));
    const sol = { sort, limit: '1', tokens: 'sol' };
    const one = await ask(sol);
    const other = await ask({ ...sol, cursor: one.nextCursor });
    expect([...idsOf(one.data), ...idsOf(other.data)].toSorted()).toEqual(
      those(({ token }) => token.symbol === 'sol').toSorted(),
    );
    expect(other).not.toHaveProperty('nextCursor');
    // A cursor is of the query that it was answered to.
    await ask({ sort, limit: '1', cursor: one.nextCursor }, 400);
    for (const limit of ['0', '101', 'all']) await ask({ limit }, 400);
  });

  it('is of its chain alone', async () => {
    expect((await ask({ chain: 'base-sepolia' }, 400)).code).toBe('chain-not-supported');
    expect((await ask({ chain: 'stellar' }, 400)).code).toBe('chain-not-supported');
    const path = `/unstable/wallets/${address}/transfers?status=successful`;
    await expectAny(400, 'GET', path);
  });
});
