import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programArgs } from '../../../test/harness/programs.ts';
import {
  fileKek,
  startTestVault,
  type TestVault,
  testVaultConfig,
} from '../../../test/harness/vault.ts';
import type { KekConfig } from '../../config/vault/vault-config.ts';
import { createManualClock } from '../../lib/clock.ts';
import { composeVaultCtx } from '../../processes/vault/compose.ts';
import { vaultCommand } from '../commands/vault.ts';
import { openPaymentMethod } from '../methods/open.ts';
import { aUsBody } from '../testing/methods-kit.ts';
import type { VaultCtx } from '../vault.ts';
import { createFileKek } from './keks/file.ts';
import { createKeyRing } from './key-ring.ts';
import { countKeys, rewrapKeys } from './rewrap.ts';
import { openRecord, sealRecord } from './sealed-record.ts';
import { createUserKeys, dataKeyCacheMs } from './user-keys.ts';

const path = '/unstable/payment-methods';
const silent = pino({ level: 'silent' });
const clock = createManualClock(new Date('2026-05-04T10:00:00.000Z'));
let vault: TestVault;
let ids: string[];
const usersMax = 30;
beforeAll(async () => {
  vault = await startTestVault({ clock });
  ids = [];
  for (let user = 0; user < usersMax; user++) {
    const { body } = await vault.call('POST', path, {
      body: aUsBody(
        { userLocator: `userId:u${user}` },
        { accountNumber: String(70_000_000 + user) },
      ),
    });
    ids.push(body.paymentMethodId);
  }
});
afterAll(() => vault?.close());

/** The same database, opened with these key-encryption keys. */
async function withKeks<T>(
  keks: readonly KekConfig[],
  use: (ctx: VaultCtx) => Promise<T>,
): Promise<T> {
  const ctx = await composeVaultCtx(testVaultConfig(vault.database.url, { keks }), {
    log: silent,
    process: 'test',
    clock,
  });
  try {
    return await use(ctx);
  } finally {
    await ctx.store.close();
  }
}
const numberOf = async (ctx: VaultCtx, id: string) => {
  const opened = await openPaymentMethod(ctx, { id, tenant: vault.api.projectId, reason: 'test' });
  const account = opened.account.reveal();
  return account.type === 'bank-account-us' ? account.accountNumber : undefined;
};
const allNumbers = (ctx: VaultCtx) => Promise.all(ids.map((id) => numberOf(ctx, id)));
const expected = Array.from({ length: usersMax }, (_, user) => String(70_000_000 + user));
const run = async (ctx: VaultCtx, ...argv: string[]) => {
  const printed: string[] = [];
  await vaultCommand(async () => ctx, { argv, print: (line) => void printed.push(line) });
  return printed.join('\n');
};

describe('sealed records', () => {
  const key = Buffer.alloc(32, 7);
  const place = { tenant: 'project', type: 'card', id: 'one', version: 3, part: 'account' };

  it('open in their place only: tenant, type, id, version and part are bound', () => {
    const sealed = sealRecord(key, { number: '4242' }, place);
    expect(openRecord(key, sealed, place)).toEqual({ number: '4242' });
    for (const other of [
      { tenant: 'other' },
      { type: 'bank' },
      { id: 'two' },
      { version: 4 },
      { part: 'details' },
      { tenant: 'projectcard', type: '' },
    ])
      expect(() => openRecord(key, sealed, { ...place, ...other })).toThrow('sealed');
    expect(() => openRecord(Buffer.alloc(32, 8), sealed, place)).toThrow('sealed');
  });

  it('do not open when any byte is changed, cut off or added', () => {
    const sealed = sealRecord(key, { number: '4242' }, place);
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(() => openRecord(key, changed, place)).toThrow('sealed');
    }
    for (const wrong of [
      sealed.subarray(0, -1),
      sealed.subarray(1),
      Buffer.concat([sealed, Buffer.alloc(1)]),
      Buffer.alloc(0),
    ])
      expect(() => openRecord(key, wrong, place)).toThrow('sealed');
  });

  it('of one value are never the same twice', () => {
    const seen = new Set(
      Array.from({ length: 500 }, () => sealRecord(key, 'x', place).toString('hex')),
    );
    expect(seen.size).toBe(500);
  });

  it('put from one row into another are not opened, nor is an older version put back', {
    tags: 'slow',
  }, async () => {
    const { store } = vault.operator;
    const [a, b] = ids as [string, string];
    const read = async (id: string) =>
      (
        await store.query<{ sealed_account: Buffer; sealed_details: Buffer }>({
          text: 'select sealed_account, sealed_details from payment_methods where id = $1',
          values: [id],
        })
      ).rows[0]!;
    const [mine, theirs] = [await read(a), await read(b)];
    const put = (id: string, account: Buffer) =>
      store.query({
        text: 'update payment_methods set sealed_account = $2 where id = $1',
        values: [id, account],
      });
    await put(a, theirs.sealed_account);
    await expect(numberOf(vault.ctx, a)).rejects.toThrow('sealed');
    await put(a, mine.sealed_account);
    expect(await numberOf(vault.ctx, a)).toBe(expected[0]);

    const before = await read(b);
    await vault.call('PATCH', `${path}/${b}`, { body: { billing: { name: 'Changed' } } });
    await store.query({
      text: 'update payment_methods set sealed_details = $2 where id = $1',
      values: [b, before.sealed_details],
    });
    expect((await vault.call('GET', `${path}/${b}`)).status).toBe(500);
    const after = await vault.operator.store.query({
      text: 'update payment_methods set version = version - 1 where id = $1 returning version',
      values: [b],
    });
    expect(after.rowCount).toBe(1);
    expect((await vault.call('GET', `${path}/${b}`)).status).toBe(200);
  });
});

describe('a stolen database', () => {
  it('shows nobody: no name, address, phone, locator or bank of a person, in any table', async () => {
    const { store } = vault.operator;
    const { rows: tables } = await store.query<{ name: string }>({
      text: `select tablename as name from pg_tables where schemaname = 'public'`,
    });
    const texts = await Promise.all(
      tables.map(
        async ({ name }) =>
          (await store.query<{ row: string }>({ text: `select t::text as row from ${name} t` }))
            .rows,
      ),
    );
    const dump = texts
      .flat()
      .map(({ row }) => row)
      .join('\n');
    expect(dump.length).toBeGreaterThan(10_000);
    const known = [
      'Alice',
      'Main Street',
      'San Francisco',
      '+14155550123',
      'userId:u1',
      'Example Bank',
      'Bank Street',
      '021000021',
    ];
    for (const text of known)
      for (const form of [text, Buffer.from(text).toString('hex')])
        expect([form, dump.includes(form)]).toEqual([form, false]);
  });

  it('does not tell by its fingerprints whose account is which: they are keyed, and other in each project and vault', {
    tags: 'slow',
  }, async () => {
    const parts = ['account', 'bank-account-us', '021000021', '70000001'];
    const mine = vault.ctx.vault.fingerprint(vault.api.projectId, parts).toString('hex');
    const stored = await vault.operator.store.query<{ fingerprint: Buffer }>({
      text: 'select fingerprint from payment_methods where id = $1',
      values: [ids[1]],
    });
    expect(stored.rows[0]!.fingerprint.toString('hex')).toBe(mine);
    const guesses = [
      parts.join(''),
      parts.join(':'),
      JSON.stringify(parts),
      '70000001',
      '02100002170000001',
    ];
    for (const guess of guesses)
      expect(createHash('sha256').update(guess).digest('hex')).not.toBe(mine);
    expect(vault.ctx.vault.fingerprint('another project', parts).toString('hex')).not.toBe(mine);
    const other = await startTestVault();
    expect(other.ctx.vault.fingerprint(vault.api.projectId, parts).toString('hex')).not.toBe(mine);
    await other.close();
  });
});

describe('key-encryption keys', () => {
  it('one data key per user; a wrapped key of another user does not open', async () => {
    const { rows } = await vault.operator.store.query<{ id: string; wrapped: Buffer }>({
      text: 'select id, wrapped from user_keys order by created_at limit 2',
    });
    expect(rows[0]!.wrapped.equals(rows[1]!.wrapped)).toBe(false);
    await expect(
      vault.ctx.vault.userKeys.use(
        {
          id: rows[0]!.id,
          projectId: vault.api.projectId,
          kekId: 'first',
          wrapped: rows[1]!.wrapped,
        },
        () => 1,
      ),
    ).resolves.toBe(1);
    vault.ctx.vault.userKeys.forget();
    await expect(
      vault.ctx.vault.userKeys.use(
        {
          id: rows[0]!.id,
          projectId: vault.api.projectId,
          kekId: 'first',
          wrapped: rows[1]!.wrapped,
        },
        () => 1,
      ),
    ).rejects.toMatchObject({ code: 'internal-error' });
  });

  it('two are live at once: a new one in front wraps what is new, the old one still opens', async () => {
    await withKeks([fileKek('second'), fileKek('first')], async (ctx) => {
      expect(await allNumbers(ctx)).toEqual(expected);
      expect(await run(ctx, 'keys')).toMatch(/second +wraps +0\nfirst +unwraps only +33/);
    });
  });

  it('a wrong or missing one stops the start, and says which', async () => {
    await expect(withKeks([fileKek('second')], async () => undefined)).rejects.toMatchObject({
      cause: expect.objectContaining({
        message: expect.stringContaining('"first", which is not configured'),
      }),
    });
    const impostor = { ...fileKek('another'), id: 'first' } as KekConfig;
    await expect(withKeks([impostor], async () => undefined)).rejects.toMatchObject({
      code: 'internal-error',
    });
  });

  it('purser vault rewrap, killed at any point, loses nothing, and the next run goes on where it ended', {
    tags: 'slow',
  }, async () => {
    const hexOf = (id: string) =>
      Buffer.from((fileKek(id) as Extract<KekConfig, { kind: 'file' }>).key.reveal()).toString(
        'hex',
      );
    const child = programArgs('src/vault/testing/rewrap-child.ts');
    let moved = 0;
    for (const keys of [5, 9]) {
      const running = spawn(
        process.execPath,
        [...child, vault.database.url, hexOf('second'), hexOf('first'), String(keys)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await once(running.stdout!, 'data');
      running.kill('SIGKILL');
      await once(running, 'close');
      moved += keys;
      const counts = await countKeys(vault.ctx);
      expect(counts.find(({ kekId }) => kekId === 'second')?.count).toBe(moved);
      await withKeks([fileKek('second'), fileKek('first')], async (ctx) =>
        expect(await allNumbers(ctx)).toEqual(expected),
      );
    }

    await withKeks([fileKek('second'), fileKek('first')], async (ctx) => {
      expect(await run(ctx, 'rewrap')).toMatch(/keys rewrapped. Every key is under "second" now/);
      expect(await run(ctx, 'rewrap')).toMatch(/^0 keys rewrapped/);
    });
    await withKeks([fileKek('second')], async (ctx) =>
      expect(await allNumbers(ctx)).toEqual(expected),
    );
  });

  it('a running vault rewraps in the background, and meanwhile serves with either', {
    tags: 'slow',
  }, async () => {
    await withKeks([fileKek('third'), fileKek('second')], async (ctx) => {
      const { ring, audit } = ctx.vault;
      // One call moves no more than it was told; the vault's own three keys come first.
      expect(await rewrapKeys(ctx, { ring, audit, actor: 'vault', limit: 5 })).toEqual({
        done: 5,
        left: usersMax - 2,
      });
      const [progress] = await Promise.all([
        rewrapKeys(ctx, { ring, audit, actor: 'vault', limit: 1_000 }),
        rewrapKeys(ctx, { ring, audit, actor: 'vault', limit: 1_000 }),
        allNumbers(ctx),
      ]);
      expect(progress.left).toBe(0);
      expect(await countKeys(ctx)).toEqual([{ kekId: 'third', count: usersMax + 3 }]);
    });
    await withKeks([fileKek('third')], async (ctx) =>
      expect(await allNumbers(ctx)).toEqual(expected),
    );
  });

  it('a data key is unwrapped again after a minute at the latest', async () => {
    let unwraps = 0;
    const file = createFileKek((fileKek('third') as Extract<KekConfig, { kind: 'file' }>).key);
    const ring = createKeyRing([
      {
        id: 'third',
        provider: { ...file, unwrap: (...input) => (unwraps++, file.unwrap(...input)) },
      },
    ]);
    const keys = createUserKeys(vault.ctx, ring);
    const ownerRef = Buffer.alloc(32, 9);
    const key = await keys.ensure({ projectId: vault.api.projectId, ownerRef });
    for (let use = 0; use < 5; use++) await keys.use(key, () => undefined);
    expect(unwraps).toBe(0);
    clock.advance(dataKeyCacheMs);
    for (let use = 0; use < 5; use++) await keys.use(key, () => undefined);
    expect(unwraps).toBe(1);
  });
});
