import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiRole } from '../../../store/grants.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import type { Db } from '../../../store/types.ts';
import {
  appendAudit,
  auditCommand,
  commandLineActor,
  readAuditTrail,
} from '../../operations/index.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { writeOrder } from '../../orders/testing/write-order-kit.ts';
import { performActions } from '../actions/perform.ts';
import { challengeOf } from '../actions/signed.ts';
import {
  type ConsoleWorld,
  consoleOrigin,
  type SignedIn,
  startConsoleWorld,
} from '../testing/console-kit.ts';
import { TestPasskey } from '../testing/passkey-kit.ts';
import { inviteOperator, revokeOperator, setOperatorRole } from './operators.ts';
import { hasOperators } from './store.ts';

/**
 * Rows of operators, and of the log of what they did, changed or put back as they once were, seal
 * and all, by the database's owner.
 */
let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.alarms.splice(0));

const actor = commandLineActor();
const asking = () =>
  insertAnOrder(world.ctx.store, {
    projectId: world.projectId,
    at: world.clock.now(),
    state: 'delivered',
    attention: 'Dispute 1: answer it.',
  });
const attentionOf = async (id: string) =>
  (await world.sql('select attention from orders where id = $1', id)).rows[0]!.attention;
const nameOf = async ({ id }: SignedIn) =>
  String((await world.sql('select name from operators where id = $1', id)).rows[0]!.name);
const statusOf = async ({ cookie }: SignedIn) =>
  (await world.call('GET', '/api/me', { cookie })).status;

/** Keeps rows as they are now. @returns puts them back */
async function keep(table: string, where: string) {
  const { rows } = await world.sql(`select to_jsonb(t) as kept from ${table} t where ${where}`);
  return async () => {
    await world.sql('alter table audit_entries disable trigger all');
    await world.sql('alter table audit_head disable trigger all');
    await world.sql(`delete from ${table} where ${where}`);
    await world.sql(
      `insert into ${table} select (jsonb_populate_record(null::${table}, kept)).* from unnest($1::jsonb[]) kept`,
      rows.map(({ kept }) => kept),
    );
  };
}

async function check() {
  const printed: string[] = [];
  const hadEntries = () => hasOperators(world.ctx.store);
  const code = await auditCommand(world.ctx, {
    argv: ['check'],
    print: (line) => void printed.push(line),
    hadEntries,
  });
  return { code, text: printed.join('\n') };
}

describe('an operator', () => {
  it('who was revoked stays so, when his row is put back: he is not signed in, decides nothing, and no command makes him one again', async () => {
    const who = await world.anOperator('admin');
    const [name, { id }] = [await nameOf(who), await asking()];
    await world.sql(
      'alter table operator_sessions drop constraint operator_sessions_operator_id_fkey',
    );
    const putBack = await keep('operators', `id = '${who.id}'`);
    await revokeOperator(world.ctx, { name, reason: 'left', actor });
    await putBack();
    expect(await statusOf(who)).toBe(500);
    expect((await world.signIn(who.passkey)).answer.status).toBe(500);
    const action = world.anAction(who, { params: { orderId: id } });
    const signed = JSON.stringify(action);
    const row = await world.writeAction({
      id: action.id,
      operatorId: who.id,
      signed,
      proof: who.passkey.assert(challengeOf(signed)),
    });
    expect(row.status).toBe('refused');
    expect(await attentionOf(id)).not.toBeNull();
    await expect(
      setOperatorRole(world.ctx, { name, role: 'viewer', reason: 'x', actor }),
    ).rejects.toMatchObject({
      code: 'internal-error',
    });
    const why = 'the audit log says last that the operator is revoked, and the row active';
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'row-changed', table: 'operators', why }),
    );
    await world.sql('delete from operators where id = $1', who.id);
  });

  it('has the role that he was given last, when a row with a greater one is put back', async () => {
    const who = await world.anOperator('admin');
    const putBack = await keep('operators', `id = '${who.id}'`);
    await setOperatorRole(world.ctx, {
      name: await nameOf(who),
      role: 'viewer',
      reason: 'less',
      actor,
    });
    await putBack();
    expect(await statusOf(who)).toBe(500);
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ why: 'the audit log says last that the operator has other roles' }),
    );
    await world.sql('delete from operators where id = $1', who.id);
  });

  it('takes no passkey that is another’s, also when both register it at once', async () => {
    const passkey = new TestPasskey(consoleOrigin);
    const invite = async (name: string) =>
      (await inviteOperator(world.ctx, { name, role: 'viewer', actor })).token;
    const [first, second, third] = [
      await invite('first'),
      await invite('second'),
      await invite('third'),
    ];
    const outcomes = await Promise.all([first, second].map((token) => world.join(token, passkey)));
    expect(outcomes.map(({ body }) => body.status).sort()).toEqual(['done', 'refused']);
    expect((await world.join(third, passkey)).body).toEqual({
      status: 'refused',
      message: 'This passkey is registered already: make another one, on this device or another.',
    });
    expect((await world.signIn(passkey)).answer.status).toBe(200);
  });
});

describe('a session', () => {
  it('that was signed out stays so when its end is taken away with the rights of the API', async () => {
    const who = await world.anOperator('viewer');
    await world.call('POST', '/api/sign-out', { cookie: who.cookie });
    expect(await statusOf(who)).toBe(401);
    await world.ctx.store.transaction(async (tx) => {
      await tx.query({ text: `set local role ${apiRole}` });
      await tx.query({
        text: 'update operator_sessions set ended_at = null where operator_id = $1',
        values: [who.id],
      });
    });
    expect(await statusOf(who)).toBe(500);
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'row-changed', table: 'operator_sessions' }),
    );
  });
});

describe('an action', () => {
  it.each(['looked\0at', 'looked \ud800 at'])(
    'whose reason %j no database keeps is refused as a mistake of whoever sent it',
    async (reason) => {
      const who = await world.anOperator('support');
      const { asked } = await world.act(who, { params: { orderId: (await asking()).id }, reason });
      expect([asked.status, asked.body.message]).toEqual([
        400,
        'signed: it is no action: reason has a character that is none, such as NUL.',
      ]);
    },
  );

  it('that was done is not done again when the log no longer finds it by its id, and its row is new', async () => {
    const who = await world.anOperator('support');
    const { id } = await asking();
    const action = world.anAction(who, { params: { orderId: id } });
    const signed = JSON.stringify(action);
    const proof = who.passkey.assert(challengeOf(signed));
    expect(
      (
        await world.call('POST', '/api/actions', {
          cookie: who.cookie,
          body: { signed, assertion: proof },
        })
      ).status,
    ).toBe(202);
    await performActions(world.workerCtx);
    // The worker has looked since.
    expect(
      (await world.act(who, { params: { orderId: (await asking()).id } })).outcome.status,
    ).toBe('done');
    await writeOrder(world.ctx.store, `update orders set attention = 'again' where id = $1`, id);
    const putBack = await keep('audit_entries', `action_id = '${action.id}'`);
    await world.sql('alter table audit_entries disable trigger all');
    await world.sql('update audit_entries set action_id = null where action_id = $1', action.id);
    await world.sql('delete from operator_actions where id = $1', action.id);
    expect(
      (await world.writeAction({ id: action.id, operatorId: who.id, signed, proof })).status,
    ).toBe('refused');
    expect(await attentionOf(id)).toBe('again');
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringContaining('What the entry is found by was altered'),
    });
    await world.sql(
      `delete from audit_entries where entry like '%' || $1 || '%' and action_id is null`,
      action.id,
    );
    await putBack();
    expect(await check()).toMatchObject({ code: 0 });
  });
});

describe('the audit log', () => {
  it('is not whole with an entry in another project than it says', async () => {
    const who = await world.anOperator('support');
    const { id: actionId } = await world.act(who, { params: { orderId: (await asking()).id } });
    const { rows } = await world.sql(
      'select seq::text from audit_entries where action_id = $1',
      actionId,
    );
    await world.sql('alter table audit_entries disable trigger all');
    for (const [projectId, code] of [
      ['00000000-0000-4000-8000-000000000009', 1],
      [null, 1],
      [world.projectId, 0],
    ] as const) {
      await world.sql(
        'update audit_entries set project_id = $2 where action_id = $1',
        actionId,
        projectId,
      );
      expect((await check()).code).toBe(code);
    }
    await world.sql('update audit_entries set project_id = null where action_id = $1', actionId);
    expect((await check()).text).toContain(`Entry ${rows[0]!.seq} of the audit log`);
    await world.sql(
      'update audit_entries set project_id = $2 where action_id = $1',
      actionId,
      world.projectId,
    );
  });

  it('put back to an earlier head with its entries is noticed by the process that has seen more, and nothing is decided on it', async () => {
    const who = await world.anOperator('admin');
    const [head, entries] = [await keep('audit_head', 'true'), await keep('audit_entries', 'true')];
    const { id } = await asking();
    expect((await world.act(who, { params: { orderId: id } })).outcome.status).toBe('done');
    expect(await statusOf(who)).toBe(200);
    const [headNow, entriesNow] = [
      await keep('audit_head', 'true'),
      await keep('audit_entries', 'true'),
    ];
    await head();
    await entries();
    expect(await statusOf(who)).toBe(500);
    const why = expect.stringContaining('and this process has seen');
    expect(world.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'row-changed', table: 'audit_entries', why }),
    );
    await headNow();
    await entriesNow();
    expect(await statusOf(who)).toBe(200);
  });

  it('emptied with its head is not whole while there is an operator, and nobody is one', async () => {
    const who = await world.anOperator('admin');
    await world.sql('alter table audit_entries disable trigger all');
    await world.sql('alter table audit_head disable trigger all');
    await world.sql('delete from audit_entries');
    await world.sql(
      `update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex'), mac = null`,
    );
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringContaining('it was emptied'),
    });
    expect(await statusOf(who)).toBe(500);
    const fresh = { ...world.ctx, store: world.restarted() };
    await expect(
      revokeOperator(fresh, { name: await nameOf(who), reason: 'x', actor }),
    ).rejects.toMatchObject({ code: 'internal-error' });
    expect(world.alarms).toContainEqual(
      expect.objectContaining({
        why: 'the audit log knows no such operator: he was added, or the log was emptied',
      }),
    );
    await fresh.store.close();
  });
});

it('requests of a process that has just started read a long log at once, and nobody takes another’s haste for an attack', {
  tags: 'slow',
}, async () => {
  await world.ctx.store.transaction(async (tx) => {
    for (let index = 0; index < 2_500; index++)
      await appendAudit({ clock: world.clock }, tx, {
        actor,
        action: 'x.y',
        outcome: 'done',
        reason: 'r',
        changed: {},
      });
  });
  const rowMacs = createRowMacs(world.ctx.config.keyEncryptionKeys);
  const db = { query: world.ctx.store.query.bind(world.ctx.store), rowMacs } as unknown as Db;
  const ends = await Promise.allSettled([1, 2, 3, 4].map(() => readAuditTrail(db)));
  expect(ends.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
