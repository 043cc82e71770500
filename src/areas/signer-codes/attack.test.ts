import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { codesPerSignerHourMax, codesPerWalletHourMax, triesPerSignerDayMax } from './limits.ts';
import { pruneSignerCodes } from './prune.ts';
import { aDevice, type CodesWorld, openWorld } from './test-kit.ts';

let world: CodesWorld;
let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  world = await openWorld({ database });
});
afterAll(async () => {
  await world?.close();
  await database?.close();
});

let people = 0;
async function aCode() {
  people++;
  const to = `target${people}@example.com`;
  const signer = await world.signer({ email: to });
  const wallet = await world.wallet(signer);
  const message = await world.pending(wallet.id, [signer]);
  const device = aDevice();
  const { body } = await world.requestCode(wallet, signer.locator, device, message);
  const code = await world.lastCode(to);
  return {
    to,
    wallet,
    message,
    device,
    signer: signer.locator,
    record: signer,
    codeId: body.codeId as string,
    code,
  };
}
const wrong = (code: string, step = 1) =>
  String((Number(code) + step) % 1_000_000).padStart(6, '0');
const triesOf = async (codeId: string) =>
  (
    await database.store.query<{ tries: number }>({
      text: 'select tries from signer_codes where id = $1',
      values: [codeId],
    })
  ).rows[0]?.tries;

describe('guessing', () => {
  test('20 wrong guesses at once use exactly 5 tries, and then the right code is worth nothing', async () => {
    const target = await aCode();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        world.signWith({ ...target, code: wrong(target.code, at + 1) }),
      ),
    );
    expect(answers.filter(({ body }) => body.code === 'invalid-code')).toHaveLength(5);
    expect(answers.filter(({ body }) => body.code === 'code-not-found')).toHaveLength(15);
    expect(await triesOf(target.codeId)).toBe(5);
    expect((await world.signWith(target)).status).toBe(404);
  });

  test('the right code among 19 wrong ones at once: it is taken or comes too late, and no more than 5 are looked at', async () => {
    const target = await aCode();
    const codes = Array.from({ length: 20 }, (_, at) =>
      at === 3 ? target.code : wrong(target.code, at + 1),
    );
    const answers = await Promise.all(codes.map((code) => world.signWith({ ...target, code })));
    const looked =
      answers.filter(({ body }) => body.code === 'invalid-code').length +
      (answers[3]!.status === 201 ? 1 : 0);
    expect(looked).toBe(await triesOf(target.codeId));
    expect(looked).toBeLessThanOrEqual(5);
    if (answers[3]!.status !== 201)
      expect(answers.every(({ status }) => status !== 201)).toBe(true);
  });

  test('new codes bring no endless tries: 50 a day for a signer, whatever the codes, devices and wallets', async () => {
    const target = await aCode();
    await database.store.query({
      text: `update signer_code_counters set taken = $1 where scope like 'tries:signer:%'`,
      values: [triesPerSignerDayMax],
    });
    expect((await world.signWith({ ...target, code: wrong(target.code) })).body.code).toBe(
      'invalid-code',
    );
    await database.store.query({
      text: `update signer_code_counters set taken = $1 where scope like 'tries:signer:%'`,
      values: [triesPerSignerDayMax],
    });
    const refused = await world.signWith(target);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBe(86_400);
    // A refused guess uses up neither a try nor the nonce.
    expect(await triesOf(target.codeId)).toBe(1);
  });

  test('who has the code but not the device signs nothing and uses up no try', async () => {
    const target = await aCode();
    const stranger = aDevice();
    const answer = await world.signWith({ ...target, device: stranger });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-signature' } });
    expect(await triesOf(target.codeId)).toBe(0);
    expect((await world.signWith(target)).status).toBe(201);
    const next = await world.pending(target.wallet.id, [target.record]);
    expect((await world.signWith({ ...target, message: next, device: stranger })).status).toBe(400);
  });

  test.each([
    ['message', (target: { other: string }) => ({ message: target.other })],
    ['code', () => ({ code: '999999' })],
    ['nonce', () => ({ nonce: 'another-nonce-of-16-or-more' })],
    ['signature', () => ({ deviceSignature: { r: '0x1', s: '0x1' } })],
  ])('a request whose %s was changed on the way is refused', async (_, change) => {
    const target = await aCode();
    const other = await world.pending(target.wallet.id, [target.record]);
    const answer = await world.signWith({ ...target, posted: change({ other }) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-signature' } });
    expect(await triesOf(target.codeId)).toBe(0);
  });
});

describe('replay', () => {
  test('a signed request counts once, with a code and in a session; of ten at once one does', async () => {
    const target = await aCode();
    const nonce = randomBytes(16).toString('base64url');
    expect((await world.signWith({ ...target, nonce })).status).toBe(201);
    expect(await world.signWith({ ...target, nonce })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    const { code: _, ...inSession } = target;
    const second = randomBytes(16).toString('base64url');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => world.signWith({ ...inSession, nonce: second })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('a wrong guess sent again uses up no second try', async () => {
    const target = await aCode();
    const guess = {
      ...target,
      code: wrong(target.code),
      nonce: randomBytes(16).toString('base64url'),
    };
    expect((await world.signWith(guess)).body.code).toBe('invalid-code');
    expect((await world.signWith(guess)).status).toBe(409);
    expect(await triesOf(target.codeId)).toBe(1);
  });
});

describe('devices and processes', () => {
  test('two devices have a code each, and neither is good on the other', async () => {
    const first = await aCode();
    const device = aDevice();
    const { body } = await world.requestCode(first.wallet, first.signer, device, first.message);
    const second = {
      ...first,
      device,
      codeId: body.codeId as string,
      code: await world.lastCode(first.to),
    };
    expect(
      (await world.signWith({ ...first, codeId: second.codeId, code: second.code })).status,
    ).toBe(400);
    expect(
      (await world.signWith({ ...second, codeId: first.codeId, code: first.code })).status,
    ).toBe(400);
    expect((await world.signWith(first)).status).toBe(201);
    expect((await world.signWith(second)).status).toBe(201);
  });

  test('a code that is asked for ten times at once leaves one live code', async () => {
    const first = await aCode();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        world.requestCode(first.wallet, first.signer, first.device, first.message),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { rows } = await database.store.query<{ id: string }>({
      text: 'select id from signer_codes where wallet_id = $1',
      values: [first.wallet.id],
    });
    expect(rows).toHaveLength(1);
    expect(answers.map(({ body }) => body.codeId)).toContain(rows[0]!.id);
  });

  test('a restart between sending, checking and signing again changes nothing', async () => {
    const target = await aCode();
    const { code, ...inSession } = target;
    for (const input of [target, inSession]) {
      // Another process over the same database: nothing of the first one is left in memory.
      const next = await openWorld({ database, clock: world.clock });
      const answer = await next.signWith({ ...input, options: { key: world.api.serverKey } });
      expect(answer.status).toBe(201);
      await next.close();
    }
    expect(code).toMatch(/^\d{6}$/);
  });

  test('a new code for a device ends its session and has five tries of its own', async () => {
    const target = await aCode();
    expect((await world.signWith(target)).status).toBe(201);
    const ask = async () => {
      const { body } = await world.requestCode(
        target.wallet,
        target.signer,
        target.device,
        target.message,
      );
      return { ...target, codeId: body.codeId as string, code: await world.lastCode(target.to) };
    };
    const second = await ask();
    expect((await world.signWith(target)).status).toBe(404);
    const { code: _, ...withoutCode } = second;
    expect((await world.signWith(withoutCode)).body.code).toBe('validation-error');
    for (let tries = 0; tries < 5; tries++)
      await world.signWith({ ...second, code: wrong(second.code) });
    expect((await world.signWith(second)).status).toBe(404);
    expect((await world.signWith(await ask())).status).toBe(201);
  });
});

describe('a stolen or changed database', () => {
  test('no row holds the code, the address or anything that a million guesses would find', async () => {
    const target = await aCode();
    const { rows } = await database.store.query<{ text: string; code_hash: Buffer }>({
      text: 'select c::text as text, code_hash from signer_codes c where id = $1',
      values: [target.codeId],
    });
    expect(rows[0]!.text).not.toContain(target.code);
    expect(rows[0]!.text).not.toMatch(/target|example/);
    // Without the key-encryption key, the same database gives another hash for the same code: the
    // secret cannot be opened.
    const thief = await openWorld({
      database,
      clock: world.clock,
      config: {
        keyEncryptionKeys: [
          { id: 'test', key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))) },
        ],
      },
    });
    const options = { key: world.api.serverKey };
    // Not even whether a guess is right is told.
    expect((await thief.signWith({ ...target, code: wrong(target.code), options })).status).toBe(
      500,
    );
    expect((await thief.signWith({ ...target, options })).status).toBe(500);
    expect(await triesOf(target.codeId)).toBe(0);
    await thief.close();
  });

  test('a session written into a row, copied from another one or prolonged opens nothing', async () => {
    const good = await aCode();
    expect((await world.signWith(good)).status).toBe(201);
    const target = await aCode();
    const { code: _, ...inSession } = target;
    const writes = [
      `update signer_codes set session_proof = decode(repeat('00', 32), 'hex'), session_expires_at = expires_at where id = $1`,
      `update signer_codes set (session_proof, session_expires_at) = (select session_proof, session_expires_at from signer_codes where id = '${good.codeId}') where id = $1`,
    ];
    for (const text of writes) {
      await database.store.query({ text, values: [target.codeId] });
      expect((await world.signWith(inSession)).status).toBe(404);
    }
    await database.store.query({
      text: `update signer_codes set session_expires_at = session_expires_at + interval '1 day' where id = $1`,
      values: [good.codeId],
    });
    const { code: __, ...prolonged } = good;
    expect((await world.signWith(prolonged)).status).toBe(404);
  });

  test('a device key written into a row of somebody else’s code makes his code worthless, and his session too', async () => {
    const target = await aCode();
    const thief = aDevice();
    const point = Buffer.from(
      `04${[thief.publicKey.x, thief.publicKey.y].map((one) => BigInt(one).toString(16).padStart(64, '0')).join('')}`,
      'hex',
    );
    await database.store.query({
      text: 'update signer_codes set device_key = $2 where id = $1',
      values: [target.codeId, point],
    });
    expect((await world.signWith({ ...target, device: thief })).body.code).toBe('invalid-code');
    expect((await world.signWith(target)).body.code).toBe('invalid-signature');
  });
});

describe('tries that somebody who writes the database sets back', () => {
  const setBack = () =>
    database.store.transaction(async (tx) => {
      for (const text of [
        'update signer_codes set tries = 0',
        'delete from signer_code_counters',
        'delete from signer_code_nonces',
        'delete from rate_limits',
      ])
        await tx.query({ text });
    });

  test('bring no sixth guess at a code: the process has counted them, and the right one comes too late', async () => {
    const target = await aCode();
    const answers: (string | undefined)[] = [];
    for (let step = 1; step <= 7; step++) {
      const { body } = await world.signWith({ ...target, code: wrong(target.code, step) });
      answers.push(body.code as string | undefined);
      await setBack();
    }
    const { status } = await world.signWith(target);
    expect({ answers, status }).toEqual({
      answers: [...Array(5).fill('invalid-code'), 'internal-error', 'internal-error'],
      status: 500,
    });
  });

  test(`bring no more than twice ${codesPerSignerHourMax} codes an hour, and so no more guesses at them`, async () => {
    const target = await aCode();
    const asked: number[] = [];
    for (let more = 0; more < 2 * codesPerSignerHourMax; more++) {
      await setBack();
      const answer = await world.requestCode(
        target.wallet,
        target.signer,
        target.device,
        target.message,
      );
      asked.push(answer.status);
    }
    expect(asked).toEqual([...Array(2 * codesPerSignerHourMax - 1).fill(201), 500]);
  });
});

describe('limits', () => {
  test(`${codesPerSignerHourMax} codes an hour for a signer, over all its wallets and devices`, async () => {
    const first = await aCode();
    const otherWallet = await world.wallet(first.record);
    const message = await world.pending(otherWallet.id, [first.record]);
    const answers = await Promise.all(
      Array.from({ length: codesPerSignerHourMax + 3 }, () =>
        world.requestCode(otherWallet, first.signer, aDevice(), message),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(await world.sentCount(first.to)).toBe(codesPerSignerHourMax);
    expect(refused[0]!.headers.get('retry-after')).toBe('3600');
    expect(refused[0]!.body.message).toContain('codes for this signer');
    world.clock.advance(3_600_000);
    const later = [];
    for (let round = 0; round <= codesPerSignerHourMax; round++)
      later.push((await world.requestCode(otherWallet, first.signer, aDevice(), message)).status);
    expect(later).toEqual([...Array(codesPerSignerHourMax).fill(201), 429]);
  });

  test(`${codesPerWalletHourMax} codes an hour for a wallet, over all its signers`, async () => {
    const signers = await Promise.all(
      Array.from({ length: 5 }, (_, at) => world.signer({ email: `member${at}@example.com` })),
    );
    const wallet = await world.wallet(signers[0]!);
    const message = await world.pending(wallet.id, signers, { quorum: true });
    const statuses = [];
    for (let round = 0; round < codesPerSignerHourMax; round++)
      for (const signer of signers.slice(0, 4))
        statuses.push((await world.requestCode(wallet, signer.locator, aDevice(), message)).status);
    expect(statuses).toEqual(Array(codesPerWalletHourMax).fill(201));
    const refused = await world.requestCode(wallet, signers[4]!.locator, aDevice(), message);
    expect(refused).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('codes for this wallet') },
    });
    expect(await world.sentCount('member4@example.com')).toBe(0);
  });

  test('the limit of a project is the operator’s', { tags: 'slow' }, async () => {
    const own = await openWorld({ config: { signerCodesPerHourMax: 2 } });
    const statuses = [];
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
      const signer = await own.signer({ email });
      const wallet = await own.wallet(signer);
      const answer = await own.requestCode(
        wallet,
        signer.locator,
        aDevice(),
        await own.pending(wallet.id, [signer]),
      );
      statuses.push([
        answer.status,
        answer.body.message?.includes('codes of this project') ?? false,
      ]);
    }
    expect(statuses).toEqual([
      [201, false],
      [201, false],
      [429, true],
    ]);
    await own.close();
  });

  test('what has ended is forgotten after an hour, what counts is kept', async () => {
    const own = await openWorld();
    const signer = await own.signer({ email: 'a@example.com' });
    const wallet = await own.wallet(signer);
    const message = await own.pending(wallet.id, [signer]);
    const device = aDevice();
    const { body } = await own.requestCode(wallet, signer.locator, device, message);
    const code = await own.lastCode('a@example.com');
    expect(
      (
        await own.signWith({
          wallet,
          signer: signer.locator,
          device,
          codeId: body.codeId,
          code,
          message,
        })
      ).status,
    ).toBe(201);
    own.clock.advance(3_600_000);
    expect(await pruneSignerCodes(own.api.ctx)).toBe(0);
    own.clock.advance(600_001);
    expect(await pruneSignerCodes(own.api.ctx)).toBe(2);
    own.clock.advance(24 * 3_600_000);
    expect(await pruneSignerCodes(own.api.ctx)).toBe(4);
    expect(await pruneSignerCodes(own.api.ctx)).toBe(0);
    await own.close();
  });
});
