import { secp256k1 } from '@noble/curves/secp256k1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Signer } from '../../chains/family.ts';
import { issueKey } from '../api-keys/index.ts';
import { aDevice, type CodesWorld, type Device, openWorld, testFamily } from './test-kit.ts';

let world: CodesWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

let people = 0;
/** A wallet of somebody with an e-mail address, and a transaction that waits for him. */
async function aWaitingWallet(over: { phone?: boolean; quorum?: boolean; validMs?: number } = {}) {
  people++;
  const to = over.phone ? `+1415555${1_000 + people}` : `person${people}@example.com`;
  const signer = await world.signer(over.phone ? { phone: to } : { email: to });
  const wallet = await world.wallet(signer);
  const message = await world.pending(wallet.id, [signer], over);
  return { to, signer, wallet, message, device: aDevice() };
}
type Waiting = Awaited<ReturnType<typeof aWaitingWallet>>;

async function withCode(waiting: Waiting): Promise<{ codeId: string; code: string }> {
  const { body, status } = await world.requestCode(
    waiting.wallet,
    waiting.signer.locator,
    waiting.device,
    waiting.message,
  );
  expect({ status, body }).toMatchObject({ status: 201 });
  return { codeId: body.codeId, code: await world.lastCode(waiting.to) };
}

const signWith = (
  waiting: Waiting,
  over: { codeId: string; code?: string; message?: string; device?: Device; nonce?: string },
) =>
  world.signWith({
    wallet: waiting.wallet,
    signer: waiting.signer.locator,
    device: waiting.device,
    message: waiting.message,
    ...over,
  });

/** The address whose key made the signature of this message. */
function signerAddressOf(message: string, signature: string): string {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const parsed = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact').addRecoveryBit(
    bytes[64]! - 27,
  );
  return testFamily.addressOfPublicKey(
    parsed.recoverPublicKey(testFamily.custodyDigest({ text: message })).toBytes(false),
  );
}

describe('POST …/signers/{signer}/codes', () => {
  test.each([false, true])(
    '201: sends a code to the signer and tells a masked address (phone: %s)',
    async (phone) => {
      const waiting = await aWaitingWallet({ phone });
      const { status, body } = await world.requestCode(
        waiting.wallet,
        waiting.signer.locator,
        waiting.device,
        waiting.message,
      );
      expect(status).toBe(201);
      expect(body).toEqual({
        codeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        sentTo: phone ? `+1*******${waiting.to.slice(-3)}` : 'p***@example.com',
        expiresAt: new Date(world.clock.now().getTime() + 600_000).toISOString(),
      });
      expect(await world.lastCode(waiting.to)).toMatch(/^\d{6}$/);
    },
  );

  test('the address may be spelled in any way that means the same one', async () => {
    const signer = await world.signer({ email: 'Ada.Lovelace@gmail.com' });
    const wallet = await world.wallet(signer);
    const message = await world.pending(wallet.id, [signer]);
    expect(
      (await world.requestCode(wallet, 'email:ADA.lovelace@googlemail.com', aDevice(), message))
        .status,
    ).toBe(201);
    expect(await world.sentCount('adalovelace@gmail.com')).toBe(1);
  });

  test('a member of a quorum is a signer too', async () => {
    const waiting = await aWaitingWallet({ quorum: true });
    const code = await withCode(waiting);
    expect((await signWith(waiting, code)).status).toBe(201);
  });

  test('400 signer-not-approver, and nothing is sent: a stranger, another message, an approval that is over', async () => {
    const waiting = await aWaitingWallet();
    const other = await aWaitingWallet();
    await world.signer({ email: 'stranger@example.com' });
    const late = await aWaitingWallet({ validMs: 0 });
    const answers = [
      await world.requestCode(
        waiting.wallet,
        'email:stranger@example.com',
        waiting.device,
        waiting.message,
      ),
      await world.requestCode(
        waiting.wallet,
        waiting.signer.locator,
        waiting.device,
        other.message,
      ),
      await world.requestCode(
        other.wallet,
        waiting.signer.locator,
        waiting.device,
        waiting.message,
      ),
      await world.requestCode(late.wallet, late.signer.locator, late.device, late.message),
    ];
    for (const { status, body } of answers)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'signer-not-approver' });
    expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
    for (const to of ['stranger@example.com', waiting.to, late.to])
      expect(await world.sentCount(to)).toBe(0);
  });

  test.each([
    ['no point of the curve', { x: '1', y: '1' }],
    ['a coordinate of 33 bytes', { x: (1n << 257n).toString(), y: '1' }],
    ['the zero point', { x: '0', y: '0' }],
  ])('400 validation-error for a device key that is %s', async (_, devicePublicKey) => {
    const { wallet, signer, message } = await aWaitingWallet();
    const device = { ...aDevice(), publicKey: devicePublicKey };
    const { status, body } = await world.requestCode(wallet, signer.locator, device, message);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'validation-error' });
    expect(body.message).toContain('devicePublicKey');
  });

  test.each([
    [
      'server:0x000000000000000000000000000000000000dEaD',
      'validation-error',
      'Codes are for email and phone signers',
    ],
    ['email:nobody', 'invalid-locator', 'email:<email>'],
    ['phone:+4402079460123', 'validation-error', '+442079460123'],
  ])('400 for the signer %s', async (locator, code, message) => {
    const waiting = await aWaitingWallet();
    const answer = await world.requestCode(
      waiting.wallet,
      locator,
      waiting.device,
      waiting.message,
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { code, message: expect.stringContaining(message) },
    });
  });

  test('400 code-not-deliverable when the company refuses the recipient; it counts towards no limit', async () => {
    const signer = await world.signer({ email: 'refused@example.com' });
    const wallet = await world.wallet(signer);
    const message = await world.pending(wallet.id, [signer]);
    for (let attempt = 0; attempt < 8; attempt++) {
      const { status, body } = await world.requestCode(wallet, signer.locator, aDevice(), message);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'code-not-deliverable' });
    }
  });

  test('503 provider-unavailable when nothing could be sent; it counts towards no limit', async () => {
    const signer = await world.signer({ phone: '+12025550102' });
    const wallet = await world.wallet(signer);
    const message = await world.pending(wallet.id, [signer]);
    for (let attempt = 0; attempt < 8; attempt++) {
      const { status, body } = await world.requestCode(wallet, signer.locator, aDevice(), message);
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'provider-unavailable' });
    }
  });

  test('503 when the answer of the company was lost: the code is worth nothing, and it counts', async () => {
    const signer = await world.signer({ email: 'lost@example.com' });
    const wallet = await world.wallet(signer);
    const message = await world.pending(wallet.id, [signer]);
    const request = () => world.requestCode(wallet, signer.locator, aDevice(), message);
    const answers = [];
    for (let attempt = 0; attempt < 6; attempt++) answers.push((await request()).status);
    expect(answers).toEqual([503, 503, 503, 503, 503, 429]);
    const { rows } = await world.api.ctx.store.query({
      text: 'select 1 from signer_codes where wallet_id = $1',
      values: [wallet.id],
    });
    expect(rows).toEqual([]);
  });

  test('404 wallet-not-found, 401 without a key, 403 for a key without the scope', async () => {
    const waiting = await aWaitingWallet();
    const nowhere = { address: '0x000000000000000000000000000000000000dEaD' };
    expect(
      await world.requestCode(nowhere, waiting.signer.locator, waiting.device, waiting.message),
    ).toMatchObject({
      status: 404,
      body: { code: 'wallet-not-found' },
    });
    const { api } = world;
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['wallets:transactions.create'],
    });
    const statusWith = async (used: string | null) =>
      (
        await world.requestCode(
          waiting.wallet,
          waiting.signer.locator,
          waiting.device,
          waiting.message,
          { key: used },
        )
      ).status;
    expect([await statusWith(null), await statusWith(key)]).toEqual([401, 403]);
  });

  test('the same idempotency key sends one message', async () => {
    const waiting = await aWaitingWallet();
    const options = {
      headers: { 'x-idempotency-key': 'one-code' },
      body: { devicePublicKey: waiting.device.publicKey, message: waiting.message },
    };
    const first = await world.requestCode(
      waiting.wallet,
      waiting.signer.locator,
      waiting.device,
      waiting.message,
      options,
    );
    const second = await world.requestCode(
      waiting.wallet,
      waiting.signer.locator,
      waiting.device,
      waiting.message,
      options,
    );
    expect(second.body).toEqual(first.body);
    expect(await world.sentCount(waiting.to)).toBe(1);
  });
});

describe('POST …/signers/{signer}/signatures', () => {
  test('201: the custody key of the signer signs the pending approval', async () => {
    const waiting = await aWaitingWallet();
    const { status, body } = await signWith(waiting, await withCode(waiting));
    expect(status).toBe(201);
    expect(body.sessionExpiresAt).toBe(
      new Date(world.clock.now().getTime() + 600_000).toISOString(),
    );
    expect(signerAddressOf(waiting.message, body.signature)).toBe(waiting.signer.address);
  });

  test('after the right code the device signs further approvals without one, for ten minutes', async () => {
    const waiting = await aWaitingWallet();
    const { codeId, code } = await withCode(waiting);
    expect((await signWith(waiting, { codeId, code })).status).toBe(201);
    const next = await world.pending(waiting.wallet.id, [waiting.signer]);
    world.clock.advance(599_000);
    const answer = await signWith(waiting, { codeId, message: next });
    expect(answer.status).toBe(201);
    expect(signerAddressOf(next, answer.body.signature)).toBe(waiting.signer.address);
    world.clock.advance(1_000);
    expect(await signWith(waiting, { codeId, message: next })).toMatchObject({
      status: 404,
      body: { code: 'code-not-found' },
    });
    expect(await signWith(waiting, { codeId, code, message: next })).toMatchObject({ status: 404 });
  });

  test('400 signer-not-approver: only what is a pending approval of this signer at this moment is signed', async () => {
    const waiting = await aWaitingWallet();
    const { codeId, code } = await withCode(waiting);
    const strange = `0x${'ab'.repeat(32)}`;
    expect(await signWith(waiting, { codeId, code, message: strange })).toMatchObject({
      status: 400,
      body: { code: 'signer-not-approver' },
    });
    const otherSigner: Signer = await world.signer({ email: 'colleague@example.com' });
    const ofColleague = await world.pending(waiting.wallet.id, [otherSigner]);
    const ofOtherWallet = (await aWaitingWallet()).message;
    await world.settle(waiting.message);
    for (const message of [ofColleague, ofOtherWallet, waiting.message])
      expect(await signWith(waiting, { codeId, message })).toMatchObject({
        status: 400,
        body: { code: 'signer-not-approver' },
      });
  });

  test('400 invalid-code tells how many tries are left; 404 when none is', async () => {
    const waiting = await aWaitingWallet();
    const { codeId, code } = await withCode(waiting);
    const wrong = code === '000000' ? '000001' : '000000';
    for (const triesLeft of [4, 3, 2, 1, 0])
      expect(await signWith(waiting, { codeId, code: wrong })).toMatchObject({
        status: 400,
        body: { code: 'invalid-code', triesLeft },
      });
    expect(await signWith(waiting, { codeId, code })).toMatchObject({
      status: 404,
      body: { code: 'code-not-found' },
    });
  });

  test('404 code-not-found, all alike: unknown, expired, replaced, of another wallet or signer', async () => {
    const waiting = await aWaitingWallet();
    const replaced = await withCode(waiting);
    const { codeId, code } = await withCode(waiting);
    const other = await aWaitingWallet();
    const answers = [
      await signWith(waiting, { codeId: '3f0c2f0e-6f0e-4b5e-9d7b-0d8a2f4c1b11', code }),
      await signWith(waiting, { codeId: 'none', code }),
      await signWith(waiting, replaced),
      await world.signWith({
        ...other,
        signer: other.signer.locator,
        device: waiting.device,
        codeId,
        code,
      }),
    ];
    // The same person in another wallet, and another person in the same wallet.
    const second = await world.wallet(waiting.signer);
    const ofSecond = await world.pending(second.id, [waiting.signer]);
    const shared = { device: waiting.device, codeId, code };
    answers.push(
      await world.signWith({
        ...shared,
        wallet: second,
        signer: waiting.signer.locator,
        message: ofSecond,
      }),
    );
    const ofColleague = await world.pending(waiting.wallet.id, [other.signer]);
    answers.push(
      await world.signWith({
        ...shared,
        wallet: waiting.wallet,
        signer: other.signer.locator,
        message: ofColleague,
      }),
    );
    world.clock.advance(600_000);
    answers.push(await signWith(waiting, { codeId, code }));
    for (const { status, body } of answers)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'code-not-found' });
    expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
  });

  test('400 validation-error without a code before it was right once, or with a malformed one', async () => {
    const waiting = await aWaitingWallet();
    const { codeId } = await withCode(waiting);
    expect(await signWith(waiting, { codeId })).toMatchObject({
      status: 400,
      body: { code: 'validation-error' },
    });
    expect(await signWith(waiting, { codeId, code: '12345' })).toMatchObject({
      status: 400,
      body: { code: 'validation-error' },
    });
    expect(await signWith(waiting, { codeId, code: '123456', nonce: 'short' })).toMatchObject({
      body: { code: 'validation-error' },
    });
  });

  test('a client key reaches the wallets of its own user only', async () => {
    const waiting = await aWaitingWallet();
    const options = { key: world.api.clientKey, jwt: await world.api.userJwt('somebody') };
    const code = await withCode(waiting);
    const input = {
      wallet: waiting.wallet,
      signer: waiting.signer.locator,
      device: waiting.device,
      message: waiting.message,
      ...code,
    };
    expect(await world.signWith({ ...input, options })).toMatchObject({
      status: 404,
      body: { code: 'wallet-not-found' },
    });
    const body = { devicePublicKey: waiting.device.publicKey, message: waiting.message };
    const requested = await world.requestCode(
      waiting.wallet,
      waiting.signer.locator,
      waiting.device,
      waiting.message,
      {
        ...options,
        body,
      },
    );
    expect(requested.status).toBe(404);
  });
});
