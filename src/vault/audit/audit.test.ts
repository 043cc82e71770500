import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { readHead } from '../../store/audit-log.ts';
import { vaultCommand } from '../commands/vault.ts';
import { openPaymentMethod } from '../methods/open.ts';
import { aCardBody, aUsBody } from '../testing/methods-kit.ts';
import { chainHash, checkAudit } from './audit.ts';

const path = '/unstable/payment-methods';
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.close());

const sql = (text: string, values: unknown[] = []) =>
  vault.operator.store.query<Record<string, never>>({ text, values });
const append = (action: string, count = 1) =>
  vault.ctx.store.transaction((tx) =>
    vault.ctx.vault.audit.append(
      tx,
      Array.from({ length: count }, () => ({ actor: 'vault', action })),
    ),
  );
const check = (anchor?: { seq: bigint; hash: Buffer }) =>
  checkAudit(vault.operator, { key: vault.ctx.vault.keys.audit, anchor });
const entries = async () =>
  (
    await vault.operator.store.query<{ seq: string; entry: string; hash: Buffer }>({
      text: 'select seq, entry, hash from audit_entries order by seq',
    })
  ).rows;

describe('the audit log', () => {
  it('has every use of a payment method, with who and which, and no number or name', async () => {
    const before = (await entries()).length;
    const { body: method } = await vault.call('POST', path, { body: aUsBody() });
    await vault.call('POST', path, { body: aUsBody() });
    await vault.call('PATCH', `${path}/${method.paymentMethodId}`, {
      body: { billing: { name: 'Bob Changed' } },
    });
    await openPaymentMethod(vault.ctx, {
      id: method.paymentMethodId,
      tenant: vault.api.projectId,
      reason: 'payout 4711',
    });
    await vault.api.call('DELETE', `${path}/${method.paymentMethodId}`);
    await vault.clients.worker.eraseUser({
      projectId: vault.api.projectId,
      owners: ['userId:alice'],
      actor: 'operator:ada',
    });
    const seen = (await entries())
      .slice(before)
      .map(({ entry }) => JSON.parse(entry) as Record<string, unknown>);
    expect(seen.map(({ action }) => action)).toEqual([
      'payment-method.created',
      'payment-method.repeated',
      'payment-method.updated',
      'payment-method.opened',
      'payment-method.deleted',
      'user.erased',
    ]);
    expect(
      seen
        .slice(0, 5)
        .every(
          ({ subject, projectId }) =>
            subject === method.paymentMethodId && projectId === vault.api.projectId,
        ),
    ).toBe(true);
    expect(seen.map(({ actor }) => String(actor).replace(/[0-9a-f-]{36}/, '<id>'))).toEqual([
      'key:<id>',
      'key:<id>',
      'key:<id>',
      'vault',
      'key:<id> by api',
      'operator:ada by worker',
    ]);
    expect(seen[3]!.detail).toEqual({ reason: 'payout 4711' });
    expect(JSON.stringify(seen)).not.toMatch(/Alice|Bob|userId|6259|021000021/);
  });

  it('is one chain, however many append at once', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => append(`burst-${index}`, 1 + (index % 3))),
    );
    const verdict = await check();
    expect(verdict).toMatchObject({ ok: true });
    const seqs = (await entries()).map(({ seq }) => Number(seq));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it('takes nothing of a transaction that is rolled back', async () => {
    const before = (await entries()).length;
    await expect(
      vault.ctx.store.transaction(async (tx) => {
        await vault.ctx.vault.audit.append(tx, [{ actor: 'vault', action: 'never' }]);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await entries()).length).toBe(before);
  });

  it.each([
    ['an entry is changed', `update audit_entries set entry = 'x' where seq = 1`, /append-only/],
    ['an entry is deleted', 'delete from audit_entries where seq = 1', /append-only/],
    ['it is emptied', 'truncate audit_entries', /append-only/],
    ['its head is deleted', 'delete from audit_head', /append-only/],
    ['its head goes back', 'update audit_head set seq = seq - 1', /only goes forward/],
  ])('the database refuses when %s', async (_what, statement, message) => {
    await expect(sql(statement)).rejects.toThrow(message);
    expect(await check()).toMatchObject({ ok: true });
  });
});

describe('purser vault audit check', () => {
  const run = async (...argv: string[]) => {
    const printed: string[] = [];
    const code = await vaultCommand(async () => vault.operator, {
      argv: ['audit', 'check', ...argv],
      print: (line) => void printed.push(line),
    });
    return { code, text: printed.join('\n') };
  };
  let kept: Awaited<ReturnType<typeof entries>>;
  let keptHead: { seq: bigint; hash: Buffer };

  /** Whoever owns the database can take the triggers away. */
  const tamper = async (...statements: string[]) => {
    await sql('alter table audit_entries disable trigger all');
    await sql('alter table audit_head disable trigger all');
    for (const statement of statements) await sql(statement);
  };
  beforeEach(async () => {
    await append('before', 12);
    kept = await entries();
    keptHead = (await readHead(vault.operator.store))!;
  });
  afterEach(async () => {
    await tamper('delete from audit_entries');
    await sql(
      'insert into audit_entries (seq, entry, hash) select * from unnest($1::bigint[], $2::text[], $3::bytea[])',
      [kept.map(({ seq }) => seq), kept.map(({ entry }) => entry), kept.map(({ hash }) => hash)],
    );
    await sql('delete from audit_head');
    await sql('insert into audit_head (id, seq, hash) values (1, $1, $2)', [
      keptHead.seq.toString(),
      keptHead.hash,
    ]);
    await sql('alter table audit_entries enable trigger all');
    await sql('alter table audit_head enable trigger all');
    expect(await check()).toMatchObject({ ok: true });
  });

  it('says that a log is whole, and its head', async () => {
    const { code, text } = await run();
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(
        /^The audit log is whole: \d+ entries\. Its head, for --anchor: \d+:[0-9a-f]{64}$/,
      ),
    ]);
  });

  it.each([
    [
      'changed',
      `update audit_entries set entry = replace(entry, 'vault', 'nobody') where seq in (7, 9)`,
      7,
    ],
    [
      'changed in its hash',
      `update audit_entries set hash = decode(repeat('ab', 32), 'hex') where seq = 5`,
      5,
    ],
    ['removed', 'delete from audit_entries where seq in (6, 8)', 6],
    [
      'put in another place',
      'update audit_entries set seq = case seq when 4 then -5 when 5 then 4 end where seq in (4, 5)',
      4,
    ],
    [
      'removed at the end',
      'delete from audit_entries where seq > (select max(seq) - 3 from audit_entries)',
      undefined,
    ],
  ])('names the first entry that was %s', async (_what, statement, first) => {
    await tamper(statement);
    const expected = first ?? kept.length - 2;
    const { code, text } = await run();
    expect([code, text]).toEqual([
      1,
      expect.stringContaining(`Entry ${expected} of the audit log:`),
    ]);
  });

  it('is not fooled by a chain that was made anew without the key', async () => {
    const forged = kept.map(({ seq, entry }) => ({
      seq,
      entry: entry.replace('before', 'forged'),
    }));
    let before: Buffer = Buffer.alloc(32);
    const hashes = forged.map(
      ({ seq, entry }) =>
        (before = chainHash(createHash('sha256').update('guess').digest(), {
          seq: BigInt(seq),
          before,
          text: entry,
        })),
    );
    await tamper('delete from audit_entries');
    await sql(
      'insert into audit_entries (seq, entry, hash) select * from unnest($1::bigint[], $2::text[], $3::bytea[])',
      [forged.map(({ seq }) => seq), forged.map(({ entry }) => entry), hashes],
    );
    await sql('update audit_head set hash = $1', [hashes.at(-1)]);
    expect(await run()).toMatchObject({ code: 1, text: expect.stringContaining('Entry 1 of') });
  });

  it('finds an end that was cut off with its head by a head that was noted before', async () => {
    const anchor = `${keptHead.seq}:${keptHead.hash.toString('hex')}`;
    const last = kept.at(-4)!;
    await tamper(
      `delete from audit_entries where seq > ${last.seq}`,
      `update audit_head set seq = ${last.seq}, hash = decode('${last.hash.toString('hex')}', 'hex')`,
    );
    expect((await run()).code).toBe(0);
    expect(await run('--anchor', anchor)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`Entry ${Number(last.seq) + 1} of`),
    });
    await append('new after the cut', 3);
    expect(await run('--anchor', anchor)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`Entry ${keptHead.seq} of`),
    });
  });

  it('says what an anchor looks like', async () => {
    await expect(run('--anchor', 'x')).rejects.toThrow(/--anchor is a head/);
  });

  it('reads a log of several pages', async () => {
    await append('many', 2_300);
    const { code, text } = await run('--json');
    expect([code, JSON.parse(text)]).toEqual([
      0,
      { ok: true, entries: kept.length + 2_300, head: expect.any(String) },
    ]);
    kept = await entries();
    keptHead = (await readHead(vault.operator.store))!;
  });
});

describe('without its entry in the log', () => {
  it('nothing happens: a creation, a change and an opening fail when the log cannot be written', async () => {
    const { body: method } = await vault.call('POST', path, {
      body: aUsBody({ userLocator: 'userId:logged' }),
    });
    await sql('alter table audit_entries rename to audit_entries_away');
    try {
      expect(
        (await vault.call('POST', path, { body: aCardBody({ userLocator: 'userId:logged' }) }))
          .status,
      ).toBe(500);
      expect((await vault.call('DELETE', `${path}/${method.paymentMethodId}`)).status).toBe(500);
      await expect(
        openPaymentMethod(vault.ctx, {
          id: method.paymentMethodId,
          tenant: vault.api.projectId,
          reason: 'x',
        }),
      ).rejects.toThrow();
    } finally {
      await sql('alter table audit_entries_away rename to audit_entries');
    }
    const { body } = await vault.call('GET', `${path}?userLocator=userId:logged`);
    expect(body.data).toEqual([method]);
  });
});
