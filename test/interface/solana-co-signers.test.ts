import { createHash } from 'node:crypto';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { getInitializeMint2Instruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitingPerKeyMax } from '../../src/chains/solana/operation/build.ts';
import {
  messageBytesOf,
  writeMessage,
  writeTransaction,
} from '../../src/chains/solana/operation/message.ts';
import { ScreeningError, type ScreeningProvider } from '../../src/providers/screening/screening.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';
import { ed25519Signer, p256Signer, solanaCalls, somebody, type TestSigner } from './solana-kit.ts';

// `requiredSigners`: supplement, sections 6 and 7.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

const { expectCall, create, fund, transfer, finish } = solanaCalls(() => stack);

const give = async (address: string) =>
  void (await stack.chainCall('solana', 'requestAirdrop', [address, 100_000_000]));
const lamportsOf = async (address: string): Promise<number> =>
  ((await stack.chainCall('solana', 'getBalance', [address])) as { value: number }).value;
const signerOf = (address: string) => createNoopSigner(address as Address);
const send = (from: string, to: string, amount = 1_000_000n): Instruction =>
  getTransferSolInstruction({ source: signerOf(from), destination: to as Address, amount });

function paramsOf(wallet: string, instructions: readonly Instruction[], more: object = {}): Body {
  const message = writeMessage({ feePayer: wallet as Address, instructions, tables: {} });
  return { transaction: bs58.encode(writeTransaction(message)), ...more };
}

const post = (wallet: string, params: Body, status = 201): Promise<Body> =>
  expectCall(status, 'POST', `/${wallet}/transactions`, { params });
const approve = (wallet: string, id: string, approvals: readonly object[], status = 201) =>
  expectCall(status, 'POST', `/${wallet}/transactions/${id}/approvals`, { approvals });

/** The approval page of a signer, as its script calls it. */
async function openPage(path: string, { locator }: TestSigner) {
  const { url } = await expectCall(201, 'POST', `${path}/approval-links`, { signer: locator });
  const { pathname, hash } = new URL(url);
  const headers = { authorization: `Bearer ${hash.slice(1)}`, 'content-type': 'application/json' };
  const at = `${new URL(stack.api.baseUrl).origin}${pathname}/api`;
  return async (call: string, init: RequestInit = {}) =>
    (await fetch(`${at}${call}`, { ...init, headers })).text();
}

/** A mint that the wallet pays for: the key of the new account signs its creation. */
function newMint(wallet: string, mint: TestSigner): Instruction[] {
  const address = mint.input.address as Address;
  return [
    getCreateAccountInstruction({
      payer: signerOf(wallet),
      newAccount: signerOf(address),
      lamports: 1_461_600n,
      space: 82n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: address,
      decimals: 6,
      mintAuthority: wallet as Address,
    }),
  ];
}

const server = ed25519Signer('server');
const [one, two] = [ed25519Signer('server'), ed25519Signer('external-wallet')];
const quorum = { type: 'quorum', threshold: 2, members: [one.input, two.input] };
const smart = (config: object) => () => create({ delegatedSigners: [], ...config });
const mpc = () => expectCall(201, 'POST', '', { chainType: 'solana', type: 'mpc', config: {} });

describe('a signer whom an instruction names beside the wallet', () => {
  it.each<[string, () => Promise<Body>, readonly TestSigner[], number]>([
    ['a server acts for', smart({ adminSigner: server.input }), [server], 2],
    ['an api key acts for', smart({ adminSigner: { type: 'api-key' } }), [], 1],
    ['a quorum acts for', smart({ recoveryMethods: [quorum] }), [one, two], 2],
    ['is an mpc wallet', mpc, [], 1],
  ])(
    'is asked for its own approval where the wallet %s: a new mint',
    { tags: 'slow' },
    async (_, make, acting, required) => {
      const { address } = await make();
      await give(address);
      const mint = ed25519Signer('external-wallet');
      const params = paramsOf(address, newMint(address, mint), {
        requiredSigners: [mint.locator],
      });
      const created = await post(address, params);
      expect(created).toMatchObject({
        status: 'awaiting-approval',
        params: { requiredSigners: [mint.locator] },
        // What custody signs waits for the last of them.
        approvals: { required, submitted: [] },
      });
      const { pending } = created.approvals;
      expect(pending.at(-1)).toEqual({
        signer: { type: 'external-wallet', ...mint.input, locator: mint.locator },
        message: expect.any(String),
      });
      const answer = await finish(address, created, [mint, ...acting]);
      expect(answer).toMatchObject({ status: 'success', approvals: { pending: [] } });
      const { value } = (await stack.chainCall('solana', 'getAccountInfo', [
        mint.input.address,
        { encoding: 'base64' },
      ])) as Body;
      expect(value.owner).toBe(TOKEN_PROGRAM_ADDRESS);
    },
  );

  it('beside an mpc wallet finds in its message the SHA-256 of what it signs, of no other transaction', {
    tags: 'slow',
  }, async () => {
    const { address } = await mpc();
    await give(address);
    const mints = [ed25519Signer('external-wallet'), ed25519Signer('server')];
    const hashes: string[] = [];
    for (const mint of mints) {
      const params = paramsOf(address, newMint(address, mint), { requiredSigners: [mint.locator] });
      const created = await post(address, params);
      const [entry, ...rest] = created.approvals.pending;
      const bytes = messageBytesOf(created.onChain.transaction);
      const hash = bs58.encode(createHash('sha256').update(bytes).digest());
      expect([entry.message, rest]).toEqual([hash, []]);
      const read = await expectCall(200, 'GET', `/${address}/transactions/${created.id}`);
      expect(read.approvals.pending).toEqual(created.approvals.pending);
      hashes.push(hash);
      const done = await finish(address, created, [mint]);
      expect(done.approvals.submitted).toMatchObject([
        { signer: { locator: mint.locator }, message: hash },
      ]);
    }
    expect(new Set(hashes).size).toBe(2);
  });

  it('may give something of its own', async () => {
    const { address } = await smart({ adminSigner: { type: 'api-key' } })();
    const buyer = ed25519Signer('server');
    const recipient = somebody();
    await Promise.all([give(address), give(buyer.input.address)]);
    const params = paramsOf(
      address,
      [send(address, buyer.input.address), send(buyer.input.address, recipient, 2_000_000n)],
      { requiredSigners: [buyer.locator] },
    );
    const created = await post(address, params);
    expect(await lamportsOf(recipient)).toBe(0);
    expect(await finish(address, created, [buyer])).toMatchObject({ status: 'success' });
    expect(await lamportsOf(recipient)).toBe(2_000_000);
  });

  it('has to approve: nothing is sent before, a wrong signature is 400, and a second one 409', async () => {
    const { address } = await mpc();
    await give(address);
    const [mint, other] = [ed25519Signer('external-wallet'), ed25519Signer('external-wallet')];
    const params = paramsOf(address, newMint(address, mint), { requiredSigners: [mint.locator] });
    const created = await post(address, params);
    const forged = { ...(other.approve(created) as Body), signer: mint.locator };
    expect(await approve(address, created.id, [forged], 400)).toMatchObject({
      code: 'invalid-signature',
    });
    expect(await approve(address, created.id, [other.approve(created)], 400)).toMatchObject({
      code: 'signer-not-approver',
    });
    await approve(address, created.id, [], 400);
    expect(await expectCall(200, 'GET', `/${address}/transactions/${created.id}`)).toMatchObject({
      status: 'awaiting-approval',
    });
    const approvals = [mint.approve(created)];
    const [first, second] = await Promise.all(
      [approvals, approvals].map((body) =>
        stack.call('POST', `/2025-06-09/wallets/${address}/transactions/${created.id}/approvals`, {
          body: { approvals: body },
        }),
      ),
    );
    expect([first!.status, second!.status].sort()).toEqual([201, 409]);
    expect(await stack.waitForTransaction(address, created.id)).toMatchObject({
      status: 'success',
    });
  });

  it('opens its page, which does not tell who else is asked, and may decline for good', async () => {
    const email = { type: 'email', email: 'cid@example.com' };
    const members = [one.input, two.input, email];
    const { address } = await create({
      recoveryMethods: [{ type: 'quorum', threshold: 2, members }],
    });
    await give(address);
    const mint = ed25519Signer('external-wallet');
    const requiredSigners = [two.locator, 'email:cid@example.com', mint.locator];
    const created = await post(
      address,
      paramsOf(address, newMint(address, mint), { requiredSigners }),
    );
    const path = `/${address}/transactions/${created.id}`;
    const ask = await openPage(path, mint);
    const look = await ask('/look');
    expect(look).toContain(mint.locator);
    expect(look).not.toMatch(new RegExp(`cid@example|${two.input.address}`));
    await ask('/decline', { method: 'POST', body: '{}' });
    expect(await expectCall(200, 'GET', path)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('declined') },
    });
  });

  it('who does not approve leaves an mpc wallet room for what it does alone', {
    tags: 'slow',
  }, async () => {
    const { address } = await mpc();
    await give(address);
    const mint = ed25519Signer('external-wallet');
    const params = paramsOf(address, newMint(address, mint), { requiredSigners: [mint.locator] });
    for (let count = 0; count < waitingPerKeyMax; count++) await post(address, params);
    expect((await post(address, params, 503)).message).toContain('wait for approvals');
    const body = { recipient: somebody(), amount: '0.01' };
    await expectCall(201, 'POST', `/${address}/tokens/solana:sol/transfers`, body);
  });

  it('who declines leaves room at once: the nonce is free for others', {
    tags: 'slow',
  }, async () => {
    const { address } = await mpc();
    await give(address);
    const mint = ed25519Signer('external-wallet');
    const params = paramsOf(address, newMint(address, mint), { requiredSigners: [mint.locator] });
    const made: Body[] = [];
    for (let count = 0; count < waitingPerKeyMax; count++) made.push(await post(address, params));
    await post(address, params, 503);
    const { id } = made[0]!;
    const heldBy = async () =>
      (
        await stack.ctx.store.query({
          text: `select 1 from solana_nonces n join transactions t on n.lease::text = t.operation->>'lease' where t.id = $1`,
          values: [id],
        })
      ).rows.length;
    expect(await heldBy()).toBe(1);
    const ask = await openPage(`/${address}/transactions/${id}`, mint);
    await ask('/decline', { method: 'POST', body: '{}' });
    expect(await heldBy()).toBe(0);
    await post(address, params);
  });

  it('that is an mpc wallet itself is refused: nobody could approve for it', async () => {
    const [{ address }, other] = [await mpc(), await mpc()];
    await Promise.all([give(address), give(other.address)]);
    const instructions = [send(address, other.address), send(other.address, somebody())];
    for (const type of ['external-wallet', 'server']) {
      const locator = `${type}:${other.address}`;
      const params = paramsOf(address, instructions, { requiredSigners: [locator] });
      expect(await post(address, params, 400)).toMatchObject({
        code: 'validation-error',
        message: expect.stringContaining('create it as a transaction of that wallet'),
      });
    }
    const { rows } = await stack.ctx.store.query({
      text: 'select 1 from solana_nonces where wallet = $1',
      values: [address],
    });
    expect(rows).toEqual([]);
  });

  it('of a transaction that is refused as it is made holds no nonce', async () => {
    const { address } = await mpc();
    await give(address);
    const mint = ed25519Signer('external-wallet');
    const named = { requiredSigners: [mint.locator] };
    const params = paramsOf(address, newMint(address, mint), named);
    const providers = stack.ctx.providers as { screening: ScreeningProvider };
    const { screening } = providers;
    const hit = { address, list: 'test', listVersion: '1', digest: '', entry: 'x' };
    const refusals: [number, ScreeningProvider['screen']][] = [
      [400, async () => ({ status: 'blocked', hit, lists: [] })],
      [503, async () => Promise.reject(new ScreeningError('The list is out of reach.'))],
    ];
    for (const [status, screen] of refusals) {
      providers.screening = { ...screening, screen };
      await post(address, params, status).finally(() => {
        providers.screening = screening;
      });
      const { rows } = await stack.ctx.store.query({
        text: 'select 1 from solana_nonces where wallet = $1',
        values: [address],
      });
      expect([status, rows.length]).toEqual([status, 0]);
    }
  });

  it('is named, each once, and signs no other way for the wallet', async () => {
    const wallet = await smart({ adminSigner: server.input })();
    await fund(wallet.address);
    const { transaction } = (await transfer(wallet.address, { recipient: somebody(), amount: '1' }))
      .params;
    const mint = ed25519Signer('external-wallet');
    const good = paramsOf(wallet.address, newMint(wallet.address, mint));
    const named = (locator: string, params = good) => ({ ...params, requiredSigners: [locator] });
    const admin = server.input.address as string;
    for (const [params, text] of [
      [good, `needs the signature of ${mint.input.address}`],
      [named(`external-wallet:${somebody()}`), 'signs no instruction'],
      [named(`external-wallet:${somebody()}`, { transaction }), 'signs no instruction'],
      [{ ...good, requiredSigners: [mint.locator, `server:${mint.input.address}`] }, 'twice'],
      [named('email:somebody@example.com'), 'external-wallet:<address>'],
      [named('somebody'), 'locator'],
      [named(`external-wallet:${wallet.address}`), 'params.requiredSigners[0]'],
      [
        named(`external-wallet:${admin}`, paramsOf(wallet.address, [send(admin, somebody())])),
        'signs for the wallet',
      ],
    ] as const)
      expect((await post(wallet.address, params, 400)).message).toContain(text);
  });

  it('cannot sign what a passkey approves: its approval changes what others sign', async () => {
    const passkey = p256Signer('passkey', 'co-signed');
    const { address } = await smart({ adminSigner: passkey.input })();
    await give(address);
    const mint = ed25519Signer('external-wallet');
    const params = paramsOf(address, newMint(address, mint), { requiredSigners: [mint.locator] });
    expect(await post(address, params, 400)).toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining('P-256'),
    });
  });
});
