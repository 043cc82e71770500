import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readClock } from '../../../clock/index.ts';
import { issueKey, keysCommand } from '../../api-keys/index.ts';
import { approvalPageCommand } from '../../approval-page/index.ts';
import { checkAudit, commandLineActor, performRule } from '../../operations/index.ts';
import { addTrustedIssuer, createProject, issuersCommand } from '../../projects/index.ts';
import { reconcileAll } from '../../reconciliation/index.ts';
import { operatorsCommand } from '../operators/command.ts';
import { identityCommand, usersCommand } from '../people/command.ts';
import { type Filled, fillDeposit, fillProject } from '../testing/console-fill-kit.ts';
import { type ConsoleWorld, type SignedIn, startConsoleWorld } from '../testing/console-kit.ts';
import { operatorRules } from './registry.ts';

let world: ConsoleWorld;
let here: Filled;
let gone: Filled & { readonly projectId: string };
beforeAll(async () => {
  world = await startConsoleWorld();
  here = await fillProject(world, { projectId: world.projectId, text: 'ours' });
  const { id } = await createProject(world.ctx, { name: 'left' });
  gone = { ...(await fillProject(world, { projectId: id, text: 'gone' })), projectId: id };
}, 60_000);
afterAll(() => world?.close());

async function lastEntry(): Promise<Record<string, unknown>> {
  const { rows } = await world.sql('select entry from audit_entries order by seq desc limit 1');
  return JSON.parse(String(rows[0]!.entry)) as Record<string, unknown>;
}

const get = async (who: SignedIn, path: string) =>
  (await world.call('GET', `/api${path}`, { cookie: who.cookie })).body;
const command = async (
  run: (input: {
    print: (line: string) => void;
    projectOf: () => Promise<string>;
  }) => Promise<unknown>,
) => {
  const lines: string[] = [];
  await run({ print: (line) => void lines.push(line), projectOf: async () => world.projectId });
  return lines.join('\n');
};

describe('a deposit that waits for the operator, on a chain that is served no more', () => {
  it.each(['deposits.assign', 'deposits.return', 'deposits.keep'])(
    '%s is refused with the setting that is missing, and written down as refused',
    async (action) => {
      const { projectId } = world;
      const { depositId, likely } = await fillDeposit(world, {
        projectId,
        walletId: here.walletId,
      });
      const finance = await world.anOperator('finance', projectId);
      const params = { depositId, ...(action === 'deposits.assign' && { orderId: likely }) };
      const message = expect.stringMatching(/base-sepolia.*set EVM_RPC_URL_BASE_SEPOLIA again/);
      expect((await world.act(finance, { action, params })).outcome).toMatchObject({
        status: 'refused',
        result: { message },
      });
      expect(await lastEntry()).toMatchObject({
        action,
        outcome: 'refused',
        subject: `deposit:${depositId}`,
        changed: { refused: message },
      });
    },
  );
});

describe('the page on which users approve', () => {
  it('is changed by an admin alone, in part, with what it was and is in the audit log', async () => {
    const action = 'approval-page.set';
    const finance = await world.anOperator('finance', world.projectId);
    expect((await world.act(finance, { action, params: { name: 'Shop' } })).asked.status).toBe(403);
    const admin = await world.anOperator('admin', world.projectId);
    const set = (params: object) =>
      world.act(admin, { action, params, reason: 'asked by the shop' });
    expect(
      (await set({ name: 'Shop', frameOrigins: 'https://a.example, https://b.example' })).outcome,
    ).toMatchObject({ status: 'done' });
    expect(await lastEntry()).toMatchObject({
      action,
      subject: `approval-page:${world.projectId}`,
      reason: 'asked by the shop',
      changed: { name: ['', 'Shop'], frameOrigins: ['', 'https://a.example,https://b.example'] },
    });
    await set({ name: '', accent: '#0a6b57' });
    expect(await lastEntry()).toMatchObject({
      changed: { name: ['Shop', ''], accent: ['', '#0a6b57'] },
    });
    const { approvalPage } = await get(admin, `/projects/${world.projectId}`);
    expect(approvalPage).toEqual({
      accent: '#0a6b57',
      frameOrigins: ['https://a.example', 'https://b.example'],
      hasLogo: false,
    });
  });

  it('is left as it is by what cannot be, and nothing but the refusal is written down', async () => {
    const admin = await world.anOperator('admin', world.projectId);
    for (const [params, why] of [
      [{ accent: '#eeeeee' }, 'cannot be read'],
      [{ frameOrigins: 'https://*.example' }, 'no origin'],
      [{}, 'Say what to change'],
    ] as const) {
      const { outcome } = await world.act(admin, { action: 'approval-page.set', params });
      expect(outcome).toMatchObject({
        status: 'refused',
        result: { message: expect.stringContaining(why) },
      });
      expect(await lastEntry()).toMatchObject({ action: 'approval-page.set', outcome: 'refused' });
    }
    expect((await get(admin, `/projects/${world.projectId}`)).approvalPage.accent).toBe('#0a6b57');
  });

  it('is changed at the command line by the same rule', async () => {
    const argv = [
      'set',
      '--accent',
      '',
      '--logo',
      `https://cdn.example/${'a'.repeat(300)}.png`,
      '--note',
      'new colours',
    ];
    expect(await command((input) => approvalPageCommand(world.ctx, { argv, ...input }))).toMatch(
      /accent +ours/,
    );
    expect(await lastEntry()).toMatchObject({
      action: 'approval-page.set',
      reason: 'new colours',
      actor: { kind: 'command-line' },
      changed: {
        accent: ['#0a6b57', ''],
        logo: ['', expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
      },
    });
  });
});

describe('the clock', () => {
  it('is moved on by an admin, in development, and the audit log says how far', async () => {
    const finance = await world.anOperator('finance', world.projectId);
    const action = 'clock.advance';
    expect((await world.act(finance, { action, params: { by: '1d' } })).asked.status).toBe(403);
    const admin = await world.anOperator('admin', world.projectId);
    const { aheadMs } = await readClock(world.ctx.store);
    for (const [by, why] of [
      ['-1d', 'Time only goes forwards'],
      ['soon', 'is no length of time'],
    ])
      expect((await world.act(admin, { action, params: { by } })).outcome).toMatchObject({
        status: 'refused',
        result: { message: expect.stringContaining(why!) },
      });
    expect((await world.act(admin, { action, params: { by: '90s' } })).outcome).toMatchObject({
      status: 'done',
    });
    expect((await readClock(world.ctx.store)).aheadMs).toBe(aheadMs + 90_000);
    expect(await lastEntry()).toMatchObject({
      action,
      subject: 'clock',
      changed: { ahead: '1m30s' },
    });
    const elsewhere = {
      ...world.ctx,
      config: { ...world.ctx.config, environment: 'staging' as const },
    };
    await expect(
      performRule(elsewhere, operatorRules.get(action)!, {
        actor: commandLineActor(),
        projectId: world.projectId,
        params: { by: '90s' },
        reason: 'in a hurry',
      }),
    ).rejects.toThrow('in development only');
  });
});

describe('erasing somebody', () => {
  it('takes an admin, leaves nothing of the user but an entry without a name, and is asked for once', async () => {
    const action = 'users.erase';
    const params = { locator: `email:${gone.email}` };
    const support = await world.anOperator('support', gone.projectId);
    expect(
      (await world.act(support, { action, params, projectId: gone.projectId })).asked.status,
    ).toBe(403);
    const admin = await world.anOperator('admin', gone.projectId);
    const { outcome, id } = await world.act(admin, { action, params, projectId: gone.projectId });
    expect(outcome).toMatchObject({ status: 'done' });
    const entry = await lastEntry();
    expect(entry).toMatchObject({ action, subject: expect.stringMatching(/^user:[0-9a-f-]{36}/) });
    expect(JSON.stringify(entry)).not.toContain(gone.email);
    const { rows } = await world.sql(
      'select a::text as row from operator_actions a where id = $1',
      id,
    );
    expect(String(rows[0]!.row)).not.toContain(gone.email);
    expect((await get(admin, `/users?find=${encodeURIComponent(gone.email)}`)).items).toEqual([]);
    const again = await world.act(admin, { action, params, projectId: gone.projectId });
    expect(again.outcome).toMatchObject({ status: 'refused' });
  });
});

describe('signing somebody out', () => {
  it('ends the sessions of a user under every name, and the audit log has no name', async () => {
    const support = await world.anOperator('support', world.projectId);
    const { outcome } = await world.act(support, {
      action: 'users.sign-out',
      params: { locator: `email:${here.email}` },
    });
    expect(outcome).toMatchObject({ status: 'done' });
    const entry = await lastEntry();
    expect(entry).toMatchObject({
      action: 'users.sign-out',
      subject: `user:${here.userId}`,
      changed: { names: 3 },
    });
    expect(JSON.stringify(entry)).not.toContain(here.email);
    const { rows } = await world.sql(
      'select count(*)::int as count from sign_outs where project_id = $1',
      world.projectId,
    );
    expect(rows).toEqual([{ count: 3 }]);
    const said = await command((input) =>
      usersCommand(world.ctx, {
        argv: ['sign-out', 'userId:nobody', '--note', 'a token was lost'],
        ...input,
      }),
    );
    expect(said).toContain('Signed out: userId:nobody');
    expect(await lastEntry()).toMatchObject({
      subject: 'user:unknown',
      reason: 'a token was lost',
      actor: { kind: 'command-line' },
    });
  });

  it('keeps no name of the user in what was asked and signed for it, whether it was done or refused', async () => {
    const support = await world.anOperator('support', world.projectId);
    const names = [`email:${here.email}`, 'email:no mail of nobody'];
    const outcomes = [];
    for (const locator of names)
      outcomes.push(
        (await world.act(support, { action: 'users.sign-out', params: { locator } })).outcome,
      );
    expect(outcomes).toMatchObject([{ status: 'done' }, { status: 'refused' }]);
    for (const table of ['operator_actions', 'audit_entries']) {
      const { rows } = await world.sql(`select t::text as row from ${table} t`);
      const text = rows.map(({ row }) => row).join('\n');
      expect([table, names.filter((name) => text.includes(name.slice(6)))]).toEqual([table, []]);
    }
  });

  it('ends the sessions of an operator: by an admin of every project, by himself, and by nobody else', async () => {
    const [ada, bob] = [
      await world.anOperator('support', world.projectId),
      await world.anOperator('admin', world.projectId),
    ];
    const out = (who: SignedIn, of: SignedIn) =>
      world.act(who, { action: 'operators.sign-out', params: { operatorId: of.id } });
    expect((await out(bob, ada)).outcome).toMatchObject({
      status: 'refused',
      result: { message: expect.stringContaining('every project') },
    });
    expect((await world.call('GET', '/api/me', { cookie: ada.cookie })).status).toBe(200);
    const whole = await world.anOperator('admin');
    expect((await out(whole, ada)).outcome).toMatchObject({
      status: 'done',
      result: { sessions: 1 },
    });
    expect(await lastEntry()).toMatchObject({
      action: 'operators.sign-out',
      subject: `operator:${ada.id}`,
      changed: { sessions: [1, 0] },
    });
    expect((await world.call('GET', '/api/me', { cookie: ada.cookie })).status).toBe(401);
    const { answer } = await world.signIn(ada.passkey);
    expect(answer.status).toBe(200);
    await out(bob, bob);
    expect((await world.call('GET', '/api/me', { cookie: bob.cookie })).status).toBe(401);
    const { rows } = await world.sql('select name from operators where id = $1', ada.id);
    const argv = ['sign-out', String(rows[0]!.name), '--note', 'left a device open'];
    const said = await command(({ print }) =>
      operatorsCommand(world.ctx, { argv, print, requireProject: async () => undefined }),
    );
    expect(said).toContain('is signed out: 1 session.');
    expect(await lastEntry()).toMatchObject({
      action: 'operators.sign-out',
      reason: 'left a device open',
    });
  });
});

describe('who may call', () => {
  it('a key of the project is ended by an admin, and none of another project', async () => {
    const admin = await world.anOperator('admin', world.projectId);
    const ours = await issueKey(world.ctx, {
      projectId: world.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    const other = await createProject(world.ctx, { name: 'other' });
    const theirs = await issueKey(world.ctx, {
      projectId: other.id,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    const revoke = (keyId: string) =>
      world.act(admin, { action: 'keys.revoke', params: { keyId }, reason: 'seen in a log' });
    expect((await revoke(theirs.id)).outcome).toMatchObject({
      status: 'refused',
      result: { message: `There is no key ${theirs.id}.` },
    });
    expect((await revoke(ours.id)).outcome).toMatchObject({
      status: 'done',
      result: { id: ours.id },
    });
    expect(await lastEntry()).toMatchObject({
      action: 'keys.revoke',
      subject: `api-key:${ours.id}`,
      reason: 'seen in a log',
      changed: { revokedAt: ['', expect.any(String)] },
    });
    const { rows } = await world.sql(
      'select id from api_keys where id = any($1::uuid[]) and revoked_at is not null',
      [ours.id, theirs.id],
    );
    expect(rows).toEqual([{ id: ours.id }]);
    const said = await command((input) =>
      keysCommand(world.ctx, { argv: ['revoke', theirs.id, '--note', 'gone'], ...input }),
    );
    expect(said).toContain(`${theirs.id} is revoked.`);
    expect(await lastEntry()).toMatchObject({
      action: 'keys.revoke',
      reason: 'gone',
      actor: { kind: 'command-line' },
    });
  });

  it('an issuer is trusted no more, by the project that trusted it', async () => {
    const admin = await world.anOperator('admin', world.projectId);
    const other = await createProject(world.ctx, { name: 'other' });
    const add = (projectId: string) =>
      addTrustedIssuer(world.ctx, {
        projectId,
        issuer: 'https://id.example',
        algorithm: 'RS256',
        jwksUrl: 'https://id.example/keys',
      });
    const [ours, theirs] = [await add(world.projectId), await add(other.id)];
    const remove = (issuerId: string) =>
      world.act(admin, { action: 'issuers.remove', params: { issuerId } });
    expect((await remove(theirs.id)).outcome).toMatchObject({ status: 'refused' });
    expect((await remove(ours.id)).outcome).toMatchObject({ status: 'done' });
    expect(await lastEntry()).toMatchObject({
      action: 'issuers.remove',
      subject: `issuer:${ours.id}`,
      changed: { trusted: ['https://id.example', ''] },
    });
    await command((input) => issuersCommand(world.ctx, { argv: ['remove', theirs.id], ...input }));
    expect(await lastEntry()).toMatchObject({
      action: 'issuers.remove',
      subject: `issuer:${theirs.id}`,
      actor: { kind: 'command-line' },
    });
    expect(
      (
        await world.sql('select id from trusted_issuers where id = any($1::uuid[])', [
          ours.id,
          theirs.id,
        ])
      ).rows,
    ).toEqual([]);
  });
});

it('identity checks are turned on and off for a project, here and at the command line', async () => {
  const admin = await world.anOperator('admin', world.projectId);
  const { hasIdentity } = await get(admin, `/projects/${world.projectId}`);
  expect(hasIdentity).toBe(true);
  const { outcome } = await world.act(admin, {
    action: 'identity.switch',
    params: { enabled: 'no' },
  });
  expect(outcome).toMatchObject({ status: 'done', result: { enabled: false } });
  expect(await lastEntry()).toMatchObject({
    action: 'identity.switch',
    changed: { identity: ['yes', 'no'] },
  });
  expect((await get(admin, `/projects/${world.projectId}`)).hasIdentity).toBe(false);
  await command((input) =>
    identityCommand(world.ctx, { argv: ['enable', '--note', 'back'], ...input }),
  );
  expect(await lastEntry()).toMatchObject({
    action: 'identity.switch',
    reason: 'back',
    changed: { identity: ['no', 'yes'] },
  });
});

it('the books are compared at the next look when somebody asks for it, whenever they were last', async () => {
  const support = await world.anOperator('support', world.projectId);
  const turn = async () => (await get(support, `/projects/${world.projectId}`)).comparison;
  await reconcileAll(world.workerCtx, { pauseMs: 0 });
  const first = await turn();
  expect(first).toMatchObject({ endedAt: expect.any(String), compared: expect.any(Number) });
  world.clock.advance(1_000);
  await reconcileAll(world.workerCtx, { pauseMs: 0 });
  expect((await turn()).endedAt).toBe(first.endedAt);
  const { outcome } = await world.act(support, { action: 'reconciliation.ask', params: {} });
  expect(outcome).toMatchObject({ status: 'done' });
  expect(await lastEntry()).toMatchObject({
    action: 'reconciliation.ask',
    projectId: world.projectId,
  });
  await reconcileAll(world.workerCtx, { pauseMs: 0 });
  expect(Date.parse((await turn()).endedAt)).toBeGreaterThan(Date.parse(first.endedAt));
});

it('none of it is done in a project without a role there, and all of it is in the chain of the log', async () => {
  const elsewhere = (await createProject(world.ctx, { name: 'Another' })).id;
  const admin = await world.anOperator('admin', world.projectId);
  for (const [action, params] of [
    ['approval-page.set', { name: 'x' }],
    ['identity.switch', { enabled: 'no' }],
    ['reconciliation.ask', {}],
    ['users.sign-out', { locator: 'userId:x' }],
    ['operators.sign-out', { operatorId: randomUUID() }],
    ['keys.revoke', { keyId: randomUUID() }],
    ['issuers.remove', { issuerId: randomUUID() }],
  ] as const)
    expect(
      (await world.act(admin, { action, params, projectId: elsewhere })).asked.status,
      action,
    ).toBe(403);
  expect(
    (await world.call('GET', `/api/projects/${elsewhere}`, { cookie: admin.cookie })).status,
  ).toBe(403);
  expect(await checkAudit(world.ctx, { hadEntries: true })).toMatchObject({ ok: true });
});
