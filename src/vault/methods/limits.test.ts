import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { createManualClock } from '../../lib/clock.ts';
import { aCardBody, aUsBody } from '../testing/methods-kit.ts';
import { livePerUserMax, newPerProjectAndDayMax, newPerUserAndDayMax } from './caps.ts';

const path = '/unstable/payment-methods';
const dayMs = 24 * 60 * 60 * 1_000;
let vault: TestVault;
const clock = createManualClock(new Date('2026-05-04T10:00:00.000Z'));
beforeAll(async () => {
  vault = await startTestVault({ clock });
});
afterAll(() => vault?.close());

const accountOf = (index: number) => ({ accountNumber: String(1_000_000 + index) });
/** The clock stands still here, so what has to be recent is said again. */
const create = async (body: object, headers = {}) => vault.call('POST', path, { body, headers });
const nextDay = async () => {
  clock.advance(dayMs);
  await vault.directory.run();
};

describe('caps', () => {
  it(`a user gets ${newPerUserAndDayMax} new methods in a day, deleted ones count, and the next day more`, {
    tags: 'slow',
  }, async () => {
    const userLocator = 'userId:hoarder';
    for (let index = 0; index < newPerUserAndDayMax; index++) {
      const answer = await create(aUsBody({ userLocator }, accountOf(index)));
      expect(answer.status).toBe(201);
      if (index % 2 === 0) await vault.call('DELETE', `${path}/${answer.body.paymentMethodId}`);
    }
    const refused = await create(aUsBody({ userLocator }, accountOf(99)));
    expect([refused.status, refused.body.code, Number(refused.headers.get('retry-after'))]).toEqual(
      [429, 'rate-limited', 14 * 3_600],
    );
    // The same account again is no new one, and neither other users nor other days are touched.
    expect((await create(aUsBody({ userLocator }, accountOf(1)))).status).toBe(200);
    expect((await create(aUsBody({ userLocator: 'userId:modest' }, accountOf(99)))).status).toBe(
      201,
    );
    await nextDay();
    expect((await create(aUsBody({ userLocator }, accountOf(99)))).status).toBe(201);
  });

  it(`a user has at most ${livePerUserMax} methods at once`, { tags: 'slow' }, async () => {
    const userLocator = 'userId:collector';
    let last = '';
    for (let index = 0; index < livePerUserMax; index++) {
      if (index % newPerUserAndDayMax === 0) await nextDay();
      const answer = await create(aUsBody({ userLocator }, accountOf(index)));
      expect(answer.status).toBe(201);
      last = answer.body.paymentMethodId;
    }
    await nextDay();
    const refused = await create(aUsBody({ userLocator }, accountOf(999)));
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining(`${livePerUserMax} payment methods`),
    ]);
    await vault.call('DELETE', `${path}/${last}`);
    expect((await create(aUsBody({ userLocator }, accountOf(999)))).status).toBe(201);
  });

  it('one call that is refused does not spoil those that arrive with it', {
    tags: 'slow',
  }, async () => {
    await nextDay();
    const full = 'userId:over-the-cap';
    for (let index = 0; index < newPerUserAndDayMax; index++)
      await create(aUsBody({ userLocator: full }, accountOf(index)));
    const others = Array.from({ length: 12 }, (_, index) =>
      create(aUsBody({ userLocator: `userId:with-${index}` })),
    );
    const [refused, ...saved] = await Promise.all([
      create(aUsBody({ userLocator: full }, accountOf(999))),
      ...others,
    ]);
    expect([refused.status, saved.map(({ status }) => status)]).toEqual([429, Array(12).fill(201)]);
    expect(new Set(saved.map(({ body }) => body.paymentMethodId)).size).toBe(12);
  });

  it('a project has a cap of its own', async () => {
    await nextDay();
    await vault.operator.store.query({
      text: `insert into payment_method_creations (project_id, subject, day, count) values ($1, 'project', $2, $3)`,
      values: [vault.api.projectId, clock.now().toISOString().slice(0, 10), newPerProjectAndDayMax],
    });
    const refused = await create(aUsBody({ userLocator: 'userId:late' }));
    expect([refused.status, refused.body.message]).toEqual([
      429,
      expect.stringContaining('project'),
    ]);
    await nextDay();
    expect((await create(aUsBody({ userLocator: 'userId:late' }))).status).toBe(201);
  });
});

describe('idempotency', () => {
  const withKey = (key: string) => ({ 'x-idempotency-key': key });

  it('gives the stored answer with its status, even after the method was changed', async () => {
    const body = aCardBody({ userLocator: 'userId:twice' });
    const first = await create(body, withKey('one'));
    await vault.call('PATCH', `${path}/${first.body.paymentMethodId}`, {
      body: { billing: { name: 'Changed' } },
    });
    const again = await create(body, withKey('one'));
    expect([
      first.status,
      again.status,
      again.body,
      again.headers.get('idempotency-replayed'),
    ]).toEqual([201, 201, first.body, 'true']);
  });

  it('with another body is 422, and a refusal is stored as well', async () => {
    await create(aCardBody({ userLocator: 'userId:other' }), withKey('two'));
    const other = await create(
      aCardBody({ userLocator: 'userId:other' }, { cvc: '999' }),
      withKey('two'),
    );
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    const wrong = aCardBody({}, { number: '4242424242424241' });
    const [refused, repeated] = [
      await create(wrong, withKey('three')),
      await create(wrong, withKey('three')),
    ];
    expect([refused.status, repeated.status, repeated.body]).toEqual([400, 400, refused.body]);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  });

  it('at once runs once', async () => {
    const body = aUsBody({ userLocator: 'userId:racer' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create(body, withKey('race'))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set(answers.some(({ status }) => status === 409) ? [201, 409] : [201]),
    );
    const { body: list } = await vault.call('GET', `${path}?userLocator=userId:racer`);
    expect(list.data).toHaveLength(1);
  });

  it('keeps neither answers nor request hashes readable: the hash needs a key, and bodies are sealed', async () => {
    const { rows } = await vault.operator.store.query<{ body: string; body_hash: Buffer }>({
      text: 'select body, body_hash from idempotency_keys where status is not null',
    });
    expect(rows.length).toBeGreaterThan(3);
    for (const { body } of rows)
      expect(body).toMatch(
        /^(sealed:|\{"projectId":"[0-9a-f-]{36}","userKeyId":"[0-9a-f-]{36}","sealed":")/,
      );
  });

  it('ends with the user: their stored answer does not come back', async () => {
    const body = aUsBody({ userLocator: 'userId:leaver' });
    await create(body, withKey('leaver'));
    await vault.clients.worker.eraseUser({
      projectId: vault.api.projectId,
      owners: ['userId:leaver'],
      actor: 'operator:test',
    });
    const again = await create(body, withKey('leaver'));
    expect([again.status, again.body.code]).toEqual([404, 'payment-method-not-found']);
    expect(again.text).not.toContain('Alice');
  });
});

describe('a session', () => {
  it('of a user who was signed out ends on this host too, within five seconds', async () => {
    const list = async (jwt: string) =>
      (await vault.call('GET', path, { key: vault.api.clientKey, jwt })).status;
    const [old, eve] = [await vault.api.userJwt('signed-out'), await vault.api.userJwt('eve')];
    expect([await list(old), await list(eve)]).toEqual([200, 200]);
    clock.advance(1_000);
    await vault.clients.worker.ask(
      'users.sign-out',
      { projectId: vault.api.projectId, owners: ['userId:signed-out'], actor: 'operator:test' },
      z.object({}),
    );
    clock.advance(5_000);
    expect([
      await list(old),
      await list(eve),
      await list(await vault.api.userJwt('signed-out')),
    ]).toEqual([401, 200, 200]);
  });
});

describe('rate limits', { tags: 'slow' }, () => {
  it('hold on the vault host: writes and reads have a bucket each', async () => {
    const limited = await startTestVault({
      clock,
      rateLimits: { writesPerMinute: 3, readsPerMinute: 2 },
    });
    try {
      const statuses = [];
      for (let index = 0; index < 4; index++)
        statuses.push((await limited.call('POST', path, { body: aUsBody() })).status);
      expect(statuses).toEqual([201, 200, 200, 429]);
      const reads = [];
      for (let index = 0; index < 3; index++)
        reads.push(await limited.call('GET', `${path}?userLocator=userId:alice`));
      expect(reads.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(reads[2]!.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await limited.close();
    }
  });
});

describe('while the vault is down', () => {
  it('callers of the API host get 503 with a time to come back, and go on when it is there again', async () => {
    const { body: method } = await create(aUsBody({ userLocator: 'userId:patient' }));
    const at = `${path}/${method.paymentMethodId}`;
    await vault.stopVault();
    for (const [verb, options] of [
      ['GET', {}],
      ['PATCH', { body: { default: true } }],
      ['DELETE', {}],
    ] as const) {
      const answer = await vault.api.call(verb, at, options);
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'provider-unavailable',
        '5',
      ]);
      expect(answer.body.message).toContain('retry');
    }
    await vault.startVault();
    expect((await vault.api.call('GET', at)).body).toEqual(method);
  });
});

describe('rails', { tags: 'slow' }, () => {
  it('are those on which somebody can pay: without a provider there are none, and the status says so', async () => {
    const unpaid = await startTestVault({ payouts: [] });
    try {
      const { status, body } = await unpaid.call('POST', path, { body: aUsBody() });
      expect([status, body.bankAccount.rails]).toEqual([
        201,
        { supported: [], status: 'unavailable' },
      ]);
    } finally {
      await unpaid.close();
    }
  });
});
