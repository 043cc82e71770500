import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../lib/clock.ts';
import { SigningRefusedError } from '../../../lib/errors.ts';
import type { LateSignInput } from '../../family.ts';
import { readOperation, signedBytes } from '../operation/stored.ts';
import { signWith } from '../testing/custody.ts';
import { openSmartWallets } from '../testing/smart.ts';
import { newAddress, openWorld, type TestWallet, type World } from '../testing/world.ts';
import type { RelayDeps } from './types.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  // Nonces for what is prepared while no relay runs.
  const first = await world.start();
  await world.until(async () => (await freeNonces()) >= 10, 'nonces');
  await first.stop();
});
afterAll(() => world?.close());

const query = async <Row extends object>(text: string, ...values: unknown[]) =>
  (await world.database.store.query<Row>({ text, values })).rows;
const freeNonces = async () =>
  (await query(`select 1 from solana_nonces where status = 'free'`)).length;
const setRow = (id: string, set: string, ...values: unknown[]) =>
  query(`update solana_operations set ${set} where operation_id = $1`, id, ...values);
const rowOf = async (id: string) => {
  const columns = 'status, raw, wallet_id, signatures';
  const text = `select ${columns} from solana_operations where operation_id = $1`;
  const [row] = await query<{ status: string; raw: Buffer | null }>(text, id);
  return row!;
};

async function aTransfer(amount = 10n) {
  const [wallet, recipient] = [await world.aWallet({ tokens: amount }), newAddress()];
  const prepared = await world.prepareTransfer(wallet, amount, recipient);
  return { wallet, recipient, prepared, id: await world.submit(wallet, prepared) };
}

/** A relay that counts what it has signed, or has it signed another way. */
async function startCounting(
  rest: Partial<RelayDeps> = {},
  sign: RelayDeps['signBuilt'] = signWith(world.seeds),
) {
  const asked: LateSignInput[] = [];
  const relay = await world.start({
    ...rest,
    signBuilt: (input) => {
      asked.push(input);
      return sign(input);
    },
  });
  return { relay, asked };
}

const messageOf = ({ operation }: { operation: Parameters<typeof readOperation>[0] }) =>
  readOperation(operation).messageBytes;
const signatureOf = (wallet: TestWallet, message: Uint8Array) =>
  Buffer.from(ed25519.sign(message, wallet.seed));

describe('an operation that a key in custody approves alone', () => {
  it('is signed when it is sent, and its row has no signature before', async () => {
    const { wallet, recipient, prepared, id } = await aTransfer();
    expect(await rowOf(id)).toEqual({
      status: 'queued',
      raw: null,
      wallet_id: wallet.id,
      signatures: {},
    });
    const { relay, asked } = await startCounting();
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
    expect(await world.tokensOf(recipient)).toBe(10n);
    expect(asked.map(({ walletId }) => walletId)).toEqual([wallet.id]);
    const { raw } = await rowOf(id);
    expect(raw!.includes(signatureOf(wallet, messageOf(prepared)))).toBe(true);
  });

  it('is one of the wallet program too, where its key is an api-key signer', async () => {
    const smart = openSmartWallets(world);
    await smart.install();
    const seed = new Uint8Array(randomBytes(32));
    const address = bs58.encode(ed25519.getPublicKey(seed));
    const signer = { type: 'api-key', locator: `api-key:${address}`, address } as const;
    const wallet = await smart.aWallet({ adminSigner: signer }, { tokens: 10n });
    const to = newAddress();
    const prepared = await smart.prepareTransfer(wallet, { signer }, { amount: 10n, to });
    const id = await smart.submit(wallet, prepared, []);
    expect(await rowOf(id)).toMatchObject({ wallet_id: wallet.id, signatures: {} });
    const { relay } = await startCounting(
      { walletProgram: smart.program },
      signWith(new Map([[wallet.id, seed]])),
    );
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
    expect(await world.tokensOf(to)).toBe(10n);
  });

  it('whose row somebody changed is neither signed nor sent, whatever was changed', async () => {
    const [theirs, ...mine] = await Promise.all([
      aTransfer(),
      aTransfer(),
      aTransfer(),
      aTransfer(),
    ]);
    const [message, wallet, given] = mine as [typeof theirs, typeof theirs, typeof theirs];
    await setRow(
      message.id,
      'message = (select message from solana_operations where operation_id = $2)',
      theirs.id,
    );
    await setRow(wallet.id, 'wallet_id = $2', theirs.wallet.id);
    const signature = bs58.encode(signatureOf(given.wallet, messageOf(given.prepared)));
    await setRow(given.id, 'signatures = $2, wallet_id = null', {
      [given.wallet.address]: signature,
    });
    const { relay, asked } = await startCounting();
    expect((await world.outcomeOf(theirs.id)).status).toBe('success');
    await relay.stop();
    expect(asked.map(({ walletId }) => walletId)).toEqual([theirs.wallet.id]);
    for (const { id, recipient } of mine) {
      expect(await rowOf(id)).toMatchObject({ status: 'queued', raw: null });
      expect(await world.tokensOf(recipient)).toBe(0n);
    }
  });

  it('that has landed is not signed once more when its row is put back as it was', {
    tags: 'slow',
  }, async () => {
    const { wallet, recipient, id } = await aTransfer();
    await world.giveTokens(wallet.address, 100n);
    const { relay, asked } = await startCounting();
    expect((await world.outcomeOf(id)).status).toBe('success');
    const before = `status = 'queued', raw = null, signature = null, run_at = now(), told_status = null, settled_at = null`;
    await setRow(id, before);
    const told = () => world.outcomes.filter(({ operationId }) => operationId === id);
    await world.until(() => told().length === 2, 'its second end');
    expect(told()[1]).toMatchObject({ status: 'failed', onChain: {} });
    await relay.stop();
    expect([asked.length, await world.tokensOf(recipient)]).toEqual([1, 10n]);
  });

  it('whose stored bytes were replaced by those of another success is not told as done', {
    tags: 'slow',
  }, async () => {
    const [done, { recipient, id }] = [await aTransfer(), await aTransfer()];
    const clock = createManualClock(new Date());
    const held = await setRow(id, `run_at = 'infinity'`);
    expect(held).toEqual([]);
    const { relay } = await startCounting({ clock });
    expect((await world.outcomeOf(done.id)).status).toBe('success');
    await query(
      `update solana_operations o set status = 'sent', raw = d.raw, signature = d.signature, sent_at = now(), run_at = now()
        from solana_operations d where o.operation_id = $1 and d.operation_id = $2`,
      id,
      done.id,
    );
    // Past its time its nonce is advanced, so that it has moved.
    clock.advance(2 * 24 * 60 * 60 * 1_000);
    const isAside = async () =>
      (
        await query(
          `select 1 from solana_operations where operation_id = $1 and run_at = 'infinity'`,
          id,
        )
      ).length === 1;
    await world.until(isAside, 'its alarm');
    await relay.stop();
    expect(world.outcomes.find(({ operationId }) => operationId === id)).toBeUndefined();
    expect(await world.tokensOf(recipient)).toBe(0n);
  });

  it('waits while custody does not sign it, or signs for somebody else, and is sent when it does', async () => {
    const [{ recipient, id }, other] = [await aTransfer(), await world.aWallet()];
    let says: 'nothing' | 'another' | 'its own' = 'nothing';
    const { relay, asked } = await startCounting({}, async (input) => {
      if (says === 'nothing') throw new Error('custody is away');
      return says === 'another'
        ? ed25519.sign(input.built, other.seed)
        : signWith(world.seeds)(input);
    });
    await world.until(() => asked.length >= 1, 'a refusal');
    says = 'another';
    await world.until(() => asked.length >= 3, 'a wrong signature');
    expect(await rowOf(id)).toMatchObject({ status: 'queued', raw: null });
    says = 'its own';
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
    expect(await world.tokensOf(recipient)).toBe(10n);
  });

  it('is asked for less and less often while custody is away', { tags: 'slow' }, async () => {
    const { id } = await aTransfer();
    const atMs: number[] = [];
    const { relay } = await startCounting({}, async () => {
      atMs.push(performance.now());
      throw new Error('custody is away');
    });
    await world.until(() => atMs.length >= 4, 'four tries');
    await relay.stop();
    const pauses = atMs.slice(1).map((at, index) => at - atMs[index]!);
    // 0.5 s, 1 s, 2 s: whatever a loaded machine adds, none may be shorter.
    for (const [index, leastMs] of [490, 990, 1_990].entries())
      expect(pauses[index]).toBeGreaterThan(leastMs);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', raw: null });
    await setRow(id, `status = 'settled'`);
  });

  it('that custody refuses for good ends at once, with its sentence', async () => {
    const { recipient, id } = await aTransfer();
    const { relay, asked } = await startCounting({}, async () => {
      throw new SigningRefusedError('Custody does not sign it: it is another one.');
    });
    expect(await world.outcomeOf(id)).toMatchObject({
      status: 'failed',
      onChain: {},
      error: {
        reason: 'failed_to_land_on_chain',
        message: 'Custody does not sign it: it is another one.',
      },
    });
    await relay.stop();
    expect([asked.length, await world.tokensOf(recipient)]).toEqual([1, 0n]);
  });

  it('that is past its time is told as expired without being signed', async () => {
    const { recipient, id } = await aTransfer();
    const clock = createManualClock(new Date(Date.now() + 2 * 24 * 60 * 60 * 1_000));
    const { relay, asked } = await startCounting({ clock });
    expect(await world.outcomeOf(id)).toMatchObject({
      status: 'failed',
      error: { reason: 'failed_to_land_on_chain' },
    });
    await relay.stop();
    expect([asked.length, await world.tokensOf(recipient)]).toEqual([0, 0n]);
  });
});

it('a key in custody signs the message of the operation, and no other', async () => {
  const wallet = await world.aWallet({ tokens: 5n });
  const [one, other] = [
    await world.prepareTransfer(wallet, 5n, newAddress()),
    await world.prepareTransfer(wallet, 5n, newAddress()),
  ];
  const message = messageOf(one);
  expect(signedBytes(one.operation, message, wallet.address)).toEqual(message);
  const refused: [Uint8Array, string][] = [
    [messageOf(other), wallet.address],
    [message.slice(1), wallet.address],
    [message, newAddress()],
    // The fee payer is no signer of the operation's.
    [message, readOperation(one.operation).feePayer],
  ];
  for (const [built, signer] of refused)
    expect(() => signedBytes(one.operation, built, signer)).toThrow();
});
