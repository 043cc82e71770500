import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../../test/harness/http.ts';
import { auditCommand, commandLineActor } from '../../operations/index.ts';
import { orderOperatorCommand } from '../../orders/index.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { writeOrder } from '../../orders/testing/write-order-kit.ts';
import { createProject } from '../../projects/index.ts';
import { performActions } from '../actions/perform.ts';
import { challengeOf } from '../actions/signed.ts';
import { inviteOperator, revokeOperator } from '../operators/operators.ts';
import {
  aToken,
  type ConsoleWorld,
  consoleOrigin,
  type SignedIn,
  startConsoleWorld,
} from '../testing/console-kit.ts';
import { TestPasskey } from '../testing/passkey-kit.ts';
import { consoleRoutes } from './routes.ts';

let world: ConsoleWorld;
let elsewhere: string;
beforeAll(async () => {
  world = await startConsoleWorld();
  elsewhere = (await createProject(world.ctx, { name: 'Another project' })).id;
});
afterAll(() => world?.close());
beforeEach(() => world.alarms.splice(0));

const order = (over: Partial<Parameters<typeof insertAnOrder>[1]> = {}) =>
  insertAnOrder(world.ctx.store, { projectId: world.projectId, at: world.clock.now(), ...over });
const asking = () => order({ state: 'delivered', attention: 'Dispute 1: answer it.' });
const attentionOf = async (id: string) =>
  (await world.sql('select attention from orders where id = $1', id)).rows[0]!.attention;
const invite = async (role: 'viewer' | 'admin' = 'viewer') =>
  inviteOperator(world.ctx, { name: `op ${randomUUID()}`, role, actor: commandLineActor() });
const entriesOf = async (actionId: string) =>
  (await world.sql('select entry from audit_entries where action_id = $1', actionId)).rows.map(
    ({ entry }) => JSON.parse(String(entry)),
  );

describe('an invitation', () => {
  it('makes an operator of whoever opens its link, once', async () => {
    const { operator, token } = await invite();
    const [first, second] = [new TestPasskey(consoleOrigin), new TestPasskey(consoleOrigin)];
    expect((await world.join(token, first)).body).toEqual({ status: 'done' });
    expect((await world.signIn(first)).answer).toMatchObject({
      status: 200,
      body: { name: operator.name },
    });
    expect((await world.join(token, second)).body.status).toBe('refused');
    expect((await world.signIn(second)).answer.status).toBe(401);
  });

  it('is nobody’s who has not its secret, and no longer than a day', async () => {
    const { operator, token } = await invite('admin');
    const passkey = new TestPasskey(consoleOrigin);
    const guess = aToken(operator.id);
    expect((await world.join(guess, passkey)).body).toEqual({
      status: 'refused',
      message: 'The passkey does not belong to the link.',
    });
    expect((await world.join(token, passkey, { token: guess })).body.status).toBe('refused');
    world.clock.advance(25 * 3_600_000);
    expect((await world.join(token, passkey)).body).toEqual({
      status: 'refused',
      message: 'The link has run out: ask for another one.',
    });
    expect((await world.signIn(passkey)).answer.status).toBe(401);
  });

  it('of bytes that no database keeps is refused as a mistake of whoever sent it', async () => {
    const { operator } = await invite();
    const send = (body: object) =>
      world.call('POST', '/api/join', { body: { operatorId: operator.id, ...body } });
    const hmac = 'A'.repeat(43);
    for (const bad of [
      { registration: 'a\0', hmac },
      { registration: '{}', hmac: `${'A'.repeat(42)}\0` },
      { registration: '{}', hmac: '\ud800' },
    ])
      expect((await send(bad)).status, JSON.stringify(bad)).toBe(400);
    const who = await world.anOperator('support');
    for (const told of ['a\0', 'a\ud800']) {
      const signed = JSON.stringify(
        world.anAction(who, { params: { orderId: (await asking()).id } }),
      );
      const assertion = {
        ...who.passkey.assert(challengeOf(signed)),
        clientExtensionResults: { told },
      };
      expect(
        (
          await world.call('POST', '/api/actions', {
            cookie: who.cookie,
            body: { signed, assertion },
          })
        ).status,
      ).toBe(202);
    }
    await performActions(world.workerCtx);
  });

  it('lies in no row: who reads the database cannot open it', async () => {
    const { token } = await invite();
    const { rows } = await world.sql('select row_to_json(o)::text as text from operators o');
    expect(rows.map(({ text }) => text).join()).not.toContain(token.split('.')[1]);
  });
});

describe('a session', () => {
  it('is a new secret at each sign-in, in a cookie that no script and no other site gets', async () => {
    const { token } = await invite();
    const passkey = new TestPasskey(consoleOrigin);
    await world.join(token, passkey);
    const planted = `purser-console=${'A'.repeat(43)}`;
    const { answer } = await world.signIn(passkey, { cookie: planted });
    const cookie = answer.headers.get('set-cookie')!;
    expect(cookie).toMatch(
      /^purser-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    );
    expect(cookie).not.toContain('AAAA');
    expect((await world.call('GET', '/api/me', { cookie: planted })).status).toBe(401);
    expect((await world.call('GET', '/api/me', { cookie: cookie.split(';')[0]! })).status).toBe(
      200,
    );
  });

  it('is not made by an assertion that comes again, is old, or was made without the person', async () => {
    const { token } = await invite();
    const passkey = new TestPasskey(consoleOrigin);
    await world.join(token, passkey);
    const { assertion } = await world.signIn(passkey);
    expect((await world.call('POST', '/api/sign-in', { body: { assertion } })).status).toBe(401);
    const { body } = await world.call('POST', '/api/sign-in/challenge');
    expect(
      (
        await world.call('POST', '/api/sign-in', {
          body: { assertion: passkey.assert(body.challenge, 0x01) },
        })
      ).status,
    ).toBe(401);
    const made = passkey.assert(challengeOf('a challenge of my own'));
    expect((await world.call('POST', '/api/sign-in', { body: { assertion: made } })).status).toBe(
      401,
    );
    world.clock.advance(6 * 60_000);
    expect(
      (
        await world.call('POST', '/api/sign-in', {
          body: { assertion: passkey.assert(body.challenge) },
        })
      ).status,
    ).toBe(401);
  });

  it('ends when its operator signs out, is idle, is revoked, or the day is over', {
    tags: 'slow',
  }, async () => {
    const signedIn = () => world.anOperator('viewer');
    const isOpen = async ({ cookie }: SignedIn) =>
      (await world.call('GET', '/api/me', { cookie })).status === 200;
    const [out, idle, revoked] = [await signedIn(), await signedIn(), await signedIn()];
    expect([await isOpen(out), await isOpen(idle), await isOpen(revoked)]).toEqual([
      true,
      true,
      true,
    ]);
    await world.call('POST', '/api/sign-out', { cookie: out.cookie });
    const { rows } = await world.sql('select name from operators where id = $1', revoked.id);
    await revokeOperator(world.ctx, {
      name: String(rows[0]!.name),
      reason: 'left',
      actor: commandLineActor(),
    });
    expect([await isOpen(out), await isOpen(revoked)]).toEqual([false, false]);
    expect((await world.signIn(revoked.passkey)).answer.status).toBe(401);
    for (let minutes = 0; minutes < 8 * 60; minutes += 25) {
      expect(await isOpen(idle)).toBe(true);
      world.clock.advance(25 * 60_000);
    }
    expect(await isOpen(idle)).toBe(false);
    const another = await signedIn();
    world.clock.advance(31 * 60_000);
    expect(await isOpen(another)).toBe(false);
  });

  it('written into the database by hand opens nothing, and raises an alarm', async () => {
    const admin = await world.anOperator('admin');
    const cookie = `purser-console=${'B'.repeat(43)}`;
    await world.sql(
      `insert into operator_sessions (id, operator_id, token_hash, challenge, created_at, expires_at, seen_at)
       values (gen_random_uuid(), $1, sha256($2::bytea), 'x', $3, $3::timestamptz + interval '1 hour', $3)`,
      admin.id,
      'B'.repeat(43),
      world.clock.now(),
    );
    expect((await world.call('GET', '/api/me', { cookie })).status).toBe(500);
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'row-changed', table: 'operator_sessions' }),
    );
  });
});

describe('who may what', () => {
  const roles = ['viewer', 'support', 'finance', 'admin'] as const;

  it('is by route, role and project', { tags: 'slow' }, async () => {
    const waiting = await asking();
    const theirs = await order({
      projectId: elsewhere,
      state: 'delivered',
      attention: 'Dispute 2.',
    });
    const seen: Record<string, unknown> = {};
    for (const role of roles) {
      const who = await world.anOperator(role, world.projectId);
      const get = async (path: string) =>
        (await world.call('GET', path, { cookie: who.cookie })).status;
      seen[`${role} order`] = [
        await get(`/api/orders/${waiting.id}`),
        await get(`/api/orders/${theirs.id}`),
      ];
      seen[`${role} operators`] = await get('/api/operators');
      seen[`${role} health`] = await get('/api/health');
      const inbox = await world.call('GET', '/api/inbox?limit=100', { cookie: who.cookie });
      expect(
        new Set(inbox.body.items.map((item: { projectId: string }) => item.projectId)),
      ).toEqual(new Set([world.projectId]));
      for (const [action, projectId] of [
        ['orders.acknowledge', world.projectId],
        ['orders.hold.release', world.projectId],
        ['orders.acknowledge', elsewhere],
      ] as const) {
        const { asked, outcome } = await world.act(who, {
          action,
          projectId,
          params: { orderId: (await asking()).id },
        });
        seen[`${role} ${action} ${projectId === elsewhere ? 'elsewhere' : 'here'}`] =
          outcome?.status ?? asked.status;
      }
    }
    const expected: Record<string, unknown> = {};
    for (const role of roles) {
      expected[`${role} order`] = [200, 404];
      expected[`${role} operators`] = 403;
      expected[`${role} health`] = 403;
      expected[`${role} orders.acknowledge here`] = role === 'viewer' ? 403 : 'done';
      // Whoever may is told that the order is not on hold.
      expected[`${role} orders.hold.release here`] =
        role === 'finance' || role === 'admin' ? 'refused' : 403;
      expected[`${role} orders.acknowledge elsewhere`] = 403;
    }
    expect(seen).toEqual(expected);
    const admin = await world.anOperator('admin');
    expect((await world.call('GET', '/api/operators', { cookie: admin.cookie })).status).toBe(200);
    expect(
      (await world.call('GET', `/api/orders/${theirs.id}`, { cookie: admin.cookie })).status,
    ).toBe(200);
    const health = await world.call('GET', '/api/health', {
      cookie: (await world.anOperator('viewer')).cookie,
    });
    expect(health).toMatchObject({
      status: 200,
      body: { readiness: { ready: true }, chains: [], stopped: [] },
    });
  });

  it('asks every route that shows or changes something for a session', async () => {
    const open = [
      '/api/sign-in/challenge',
      '/api/sign-in',
      '/api/join/look',
      '/api/join',
      '/api/join/outcome',
    ];
    const closed = consoleRoutes.filter(
      ({ path }) =>
        path.startsWith('/api/') &&
        !open.includes(path) &&
        !path.startsWith('/api/*') &&
        path !== '/api',
    );
    expect(closed.length).toBeGreaterThan(8);
    for (const { method, path } of closed) {
      const body =
        path === '/api/actions'
          ? { signed: '{}', assertion: new TestPasskey(consoleOrigin).assert('AAAA') }
          : {};
      expect(
        (await world.call(method, path.replace(':id', randomUUID()), { body })).status,
        path,
      ).toBe(401);
    }
  });
});

describe('an action', () => {
  it('that was signed is done by the worker, and written down with who, why and what it changed', async () => {
    const { id } = await asking();
    const who = await world.anOperator('support', world.projectId);
    const { outcome, id: actionId } = await world.act(who, {
      params: { orderId: id },
      reason: 'answered the bank',
    });
    expect(outcome).toMatchObject({ status: 'done', result: { id, state: 'delivered' } });
    expect(await attentionOf(id)).toBeNull();
    expect(await entriesOf(actionId)).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ kind: 'operator', id: who.id, role: 'support' }),
        action: 'orders.acknowledge',
        outcome: 'done',
        projectId: world.projectId,
        subject: `order:${id}`,
        reason: 'answered the bank',
        changed: { state: ['delivered', 'delivered'] },
      }),
    ]);
  });

  it('that a rule refuses is answered with its sentence, and written down as refused', async () => {
    const { id } = await order({ state: 'delivered' });
    const who = await world.anOperator('finance');
    const { outcome, id: actionId } = await world.act(who, { params: { orderId: id } });
    expect(outcome).toMatchObject({
      status: 'refused',
      result: { message: 'The order asks for no attention.' },
    });
    expect(await entriesOf(actionId)).toEqual([
      expect.objectContaining({ outcome: 'refused', subject: `order:${id}` }),
    ]);
    const { outcome: silent } = await world.act(who, { params: { orderId: id }, reason: ' ' });
    expect(silent.result.message).toContain('Say why');
  });

  it('of a stolen session is none: without the passkey it changes nothing', async () => {
    const { id } = await asking();
    const [admin, thief] = [await world.anOperator('admin'), new TestPasskey(consoleOrigin)];
    const signed = JSON.stringify(world.anAction(admin, { params: { orderId: id } }));
    const stolen = {
      ...thief.assert(challengeOf(signed)),
      id: admin.passkey.id,
      rawId: admin.passkey.id,
    };
    const { status, body } = await world.call('POST', '/api/actions', {
      cookie: admin.cookie,
      body: { signed, assertion: stolen },
    });
    expect(status).toBe(202);
    await performActions(world.workerCtx);
    expect(
      (await world.call('GET', `/api/actions/${body.id}`, { cookie: admin.cookie })).body.status,
    ).toBe('refused');
    expect(await attentionOf(id)).not.toBeNull();
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'operator-action-forged' }),
    );
  });

  it.each([
    ['without an assertion', (): object => ({})],
    [
      'with the assertion of another text',
      (_: string, who: SignedIn) => who.passkey.assert(challengeOf('another text')),
    ],
    [
      'with one that the device made without the person',
      (signed: string, who: SignedIn) => who.passkey.assert(challengeOf(signed), 0x01),
    ],
  ])('written into the database %s is refused with an alarm', async (_, proofOf) => {
    const { id } = await asking();
    const who = await world.anOperator('admin');
    const action = world.anAction(who, { params: { orderId: id } });
    const signed = JSON.stringify(action);
    const row = await world.writeAction({
      id: action.id,
      operatorId: who.id,
      signed,
      proof: proofOf(signed, who) as never,
    });
    expect(row).toEqual({
      status: 'refused',
      result: { message: 'The signature does not fit: nothing was done.' },
    });
    expect(await attentionOf(id)).not.toBeNull();
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'operator-action-forged', actionId: action.id }),
    );
  });

  it.each([
    ['his role is too small', 'viewer', true, 'It takes the role support: yours is viewer.'],
    ['he has no role in the project', 'admin', false, 'It takes the role support.'],
  ] as const)(
    'that its operator has signed is refused by the worker, whoever handed it in, when %s',
    async (_, role, isHere, why) => {
      const { id } = await asking();
      const who = await world.anOperator(role, isHere ? world.projectId : elsewhere);
      const action = world.anAction(who, { params: { orderId: id } });
      const signed = JSON.stringify(action);
      const proof = who.passkey.assert(challengeOf(signed));
      const row = await world.writeAction({ id: action.id, operatorId: who.id, signed, proof });
      expect(row).toEqual({ status: 'refused', result: { message: why } });
      expect(await attentionOf(id)).not.toBeNull();
      expect(await entriesOf(action.id)).toEqual([
        expect.objectContaining({ outcome: 'refused', changed: { refused: why } }),
      ]);
    },
  );

  it('is done once, however many workers look at it at the same time', async () => {
    const who = await world.anOperator('support');
    const actions = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const action = world.anAction(who, { params: { orderId: (await asking()).id } });
        const signed = JSON.stringify(action);
        const body = { signed, assertion: who.passkey.assert(challengeOf(signed)) };
        expect(
          (await world.call('POST', '/api/actions', { cookie: who.cookie, body })).status,
        ).toBe(202);
        return action.id;
      }),
    );
    await Promise.all([1, 2, 3].map(() => performActions(world.workerCtx)));
    for (const id of actions) {
      expect((await entriesOf(id)).map(({ outcome }) => outcome)).toEqual(['done']);
      expect(
        (await world.call('GET', `/api/actions/${id}`, { cookie: who.cookie })).body.status,
      ).toBe('done');
    }
  });

  it('that was done is not done again, under its own id or another, even when its row is gone', async () => {
    const who = await world.anOperator('admin');
    const { id } = await asking();
    const action = world.anAction(who, { params: { orderId: id } });
    const signed = JSON.stringify(action);
    const assertion = who.passkey.assert(challengeOf(signed));
    const send = () =>
      world.call('POST', '/api/actions', { cookie: who.cookie, body: { signed, assertion } });
    expect((await send()).status).toBe(202);
    await performActions(world.workerCtx);
    expect((await send()).status).toBe(409);
    await writeOrder(world.ctx.store, `update orders set attention = 'again' where id = $1`, id);
    const under = { operatorId: who.id, signed, proof: assertion };
    expect((await world.writeAction({ ...under, id: randomUUID() })).status).toBe('refused');
    await world.sql('delete from operator_actions where id = $1', action.id);
    expect((await world.writeAction({ ...under, id: action.id })).status).toBe('refused');
    expect(await entriesOf(action.id)).toHaveLength(1);
    expect(await attentionOf(id)).toBe('again');
    expect(world.alarms.filter(({ alarm }) => alarm === 'operator-action-forged')).toHaveLength(2);
  });

  it('that has run out, or was signed for another console, is refused', async () => {
    const who = await world.anOperator('admin');
    const { id } = await asking();
    const late = {
      params: { orderId: id },
      expiresAt: new Date(world.clock.now().getTime() - 1).toISOString(),
    };
    expect((await world.act(who, late)).outcome).toMatchObject({
      status: 'refused',
      result: { message: /run out/ },
    });
    const forever = {
      params: { orderId: id },
      expiresAt: new Date(world.clock.now().getTime() + 86_400_000).toISOString(),
    };
    expect((await world.act(who, forever)).outcome.status).toBe('refused');
    expect(
      (await world.act(who, { params: { orderId: id }, console: 'https://other.example/console' }))
        .outcome.status,
    ).toBe('refused');
    expect(await attentionOf(id)).not.toBeNull();
  });

  it('of somebody whose row was written by hand is refused with an alarm', async () => {
    const who = await world.anOperator('viewer');
    const { id } = await asking();
    await world.sql(`update operators set roles = '{"*": "admin"}' where id = $1`, who.id);
    const action = world.anAction(who, { params: { orderId: id } });
    const signed = JSON.stringify(action);
    const proof = who.passkey.assert(challengeOf(signed));
    expect(
      (await world.writeAction({ id: action.id, operatorId: who.id, signed, proof })).status,
    ).toBe('refused');
    expect(await attentionOf(id)).not.toBeNull();
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'row-changed', table: 'operators' }),
    );
    await world.sql('delete from operator_sessions where operator_id = $1', who.id);
    await world.sql('delete from operators where id = $1', who.id);
  });
});

describe('a command', () => {
  it('follows the same rule, and is written down with who typed it', async () => {
    const { id } = await asking();
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const input = { print, projectOf: async () => world.projectId, hadEntries: async () => true };
    await orderOperatorCommand(world.ctx, {
      ...input,
      argv: ['acknowledge', id, '--note', 'answered the bank'],
    });
    expect(printed).toEqual([`${id} is delivered.`]);
    await auditCommand(world.ctx, { ...input, argv: ['list', '--limit', '1', '--json'] });
    expect(JSON.parse(printed[1]!)).toEqual([
      expect.objectContaining({
        actor: commandLineActor(),
        action: 'orders.acknowledge',
        outcome: 'done',
        projectId: world.projectId,
        subject: `order:${id}`,
        reason: 'answered the bank',
      }),
    ]);
    await expect(
      orderOperatorCommand(world.ctx, { ...input, argv: ['acknowledge', id] }),
    ).rejects.toThrow('Say why');
    await expect(
      auditCommand(world.ctx, { ...input, argv: ['list', '--project', 'x'] }),
    ).rejects.toThrow('purser projects list');
  });
});

describe('other pages', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: '' }],
    ['another port of the same host', { origin: 'http://localhost:5999' }],
    ['a frame of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a form', { 'content-type': 'text/plain' }],
  ])('cannot post: %s', async (_, headers) => {
    const who = await world.anOperator('admin');
    const { status } = await world.call('POST', '/api/sign-out', {
      cookie: who.cookie,
      headers: headers as Record<string, string>,
    });
    expect([403, 415]).toContain(status);
    expect((await world.call('GET', '/api/me', { cookie: who.cookie })).status).toBe(200);
  });

  it('cannot frame the console, read its answers, or be where it leads', async () => {
    const who = await world.anOperator('viewer');
    const answer = await world.call('GET', '/api/me', {
      cookie: who.cookie,
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const path of [
      '//evil.example',
      '/join?next=https://evil.example',
      '/api/../../evil.example',
      '/%2f%2fevil.example',
    ])
      expect((await world.call('GET', path)).headers.get('location'), path).toBeNull();
  });
});

describe('the inbox', () => {
  it('has what waits, the oldest first, page by page, with what each decision does to the money', async () => {
    const who = await world.anOperator('viewer');
    const held = await order({ state: 'on_hold', facts: { holdReason: 'screening' } });
    world.clock.advance(1_000);
    const stopped = await order({ attention: '<img src=x onerror=alert(1)> the bank says no' });
    const seen: { id: string; since: string }[] = [];
    let cursor = '';
    do {
      const { body } = await world.call('GET', `/api/inbox?kind=order&limit=3${cursor}`, {
        cookie: who.cookie,
      });
      expect(body.items.length).toBeLessThanOrEqual(3);
      seen.push(...body.items);
      cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.map(({ since }) => since)).toEqual(seen.map(({ since }) => since).toSorted());
    expect(seen.find(({ id }) => id === held.id)).toMatchObject({
      title: 'Card purchase on hold',
      amount: { amount: '100.00', currency: 'USD' },
      decisions: [
        { rule: 'orders.hold.refuse', effect: expect.stringContaining('100.00 USD goes back') },
        {
          rule: 'orders.hold.release',
          effect: expect.stringContaining('98.5 USDC is given out for 100.00 USD'),
        },
      ],
      command: `purser orders show ${held.id}`,
    });
    expect(seen.find(({ id }) => id === stopped.id)).toMatchObject({
      reason: '<img src=x onerror=alert(1)> the bank says no',
    });
    const bad = await world.call('GET', '/api/inbox?limit=101', { cookie: who.cookie });
    expect([bad.status, bad.body.message]).toEqual([400, expect.stringContaining('limit')]);
  });
});

describe('the audit log', () => {
  const check = async () => {
    const printed: string[] = [];
    const code = await auditCommand(world.ctx, {
      argv: ['check'],
      print: (line) => void printed.push(line),
      hadEntries: async () => true,
    });
    return { code, text: printed.join('\n') };
  };
  const tamper = async (...statements: string[]) => {
    await world.sql('alter table audit_entries disable trigger all');
    await world.sql('alter table audit_head disable trigger all');
    for (const statement of statements) await world.sql(statement);
  };

  it('is not whole with an entry behind its head, whose hash anybody can compute', async () => {
    await world.anOperator('viewer');
    const { rows } = await world.sql('select seq::text, hash from audit_head');
    const seq = BigInt(String(rows[0]!.seq)) + 1n;
    const entry = JSON.stringify({ seq: `${seq}`, action: 'operators.invite', reason: 'forged' });
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(seq);
    const hash = createHash('sha256')
      .update('purser-operators-1')
      .update(number)
      .update(rows[0]!.hash as Buffer)
      .update(entry)
      .digest();
    await world.sql(
      'insert into audit_entries (seq, entry, hash) values ($1, $2, $3)',
      `${seq}`,
      entry,
      hash,
    );
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringContaining(`Entry ${seq} of the audit log: The entry was added`),
    });
    await tamper(`delete from audit_entries where seq = ${seq}`);
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('is whole, and one altered byte of it is found', async () => {
    const who = await world.anOperator('admin');
    for (let count = 0; count < 3; count++)
      await world.act(who, { params: { orderId: (await asking()).id } });
    expect(await check()).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^The audit log is whole: \d+ entries/),
    });
    await tamper(
      `update audit_entries set entry = overlay(entry placing 'X' from 60 for 1) where seq = 2`,
    );
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringContaining('Entry 2 of the audit log'),
    });
  });

  it('that was made anew behind the service is found by the seal of its head, and nothing is decided on it', async () => {
    await tamper(
      'delete from audit_entries where seq >= 2',
      `update audit_head set seq = 1, hash = (select hash from audit_entries where seq = 1)`,
    );
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringContaining('was made anew'),
    });
    const { rows } = await world.sql(
      'select id from operators where status = $1 limit 1',
      'active',
    );
    expect(rows).toHaveLength(1);
    await expect(
      inviteOperator(world.ctx, {
        name: 'after the tampering',
        role: 'viewer',
        actor: commandLineActor(),
      }),
    ).rejects.toMatchObject({ code: 'internal-error' });
  });
});

it('the console that is off is off: neither pages nor routes', async () => {
  const api = await startTestApi({ routes: [], server: { consoleRoutes } });
  try {
    const base = new URL(api.baseUrl).origin;
    for (const path of [
      '',
      '/',
      '/inbox',
      '/api/me',
      '/api/sign-in/challenge',
      '/assets/index.abc.js',
    ])
      for (const method of ['GET', 'POST'])
        expect(
          (await fetch(`${base}/console${path}`, { method, signal: AbortSignal.timeout(10_000) }))
            .status,
          path,
        ).toBe(404);
    expect(await performActions(api.ctx)).toBe(0);
  } finally {
    await api.close();
  }
});
