import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/harness/database.ts';
import { startVaultDatabase } from '../../../test/harness/vault.ts';
import { developmentVaultEnvironment } from '../../config/development-config.ts';
import { asRole } from '../../store/grants.ts';
import { vaultServiceRole } from '../../vault/grants.ts';
import { runPurser } from './purser.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'purser-vault-commands-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await startVaultDatabase();
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true, force: true });
  await database?.close();
});

async function run(url: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const env = developmentVaultEnvironment({ dataDir, databaseUrl: url, port: 3_001 });
  const code = await runPurser({ args, env, print: (line) => lines.push(line) });
  return { code, text: lines.join('\n') };
}

describe('purser vault and purser payouts', () => {
  it('leave a line when they begin and one when they end, in the vault’s own database, without names and secrets', async () => {
    await run(
      database.url,
      'payouts',
      'limits',
      '--set',
      'usd',
      '--as',
      'ada.lovelace',
      '--per-payout',
      '500000',
    );
    await run(database.url, 'vault', 'keys');
    await expect(
      run(database.url, 'payouts', 'approver', 'add', 'grace.hopper', '--as', 'grace.hopper'),
    ).rejects.toThrow();
    await run(database.url, 'vault', 'migrate');
    const { text } = await run(database.url, 'vault', 'log', '--limit', '20');
    const lines = text.split('\n').map((line) => line.replace(/^\S+ +(\S+) +\S+@\S+ +/, '$1 '));
    expect(lines.map((line) => line.replaceAll(/#[0-9a-f]+/g, '#'))).toEqual([
      'begun purser vault log --limit 20',
      'done purser vault migrate',
      'begun purser vault migrate',
      'failed purser payouts approver add # --as #',
      'begun purser payouts approver add # --as #',
      'done purser vault keys',
      'begun purser vault keys',
      'done purser payouts limits --set # --as # --per-payout 500000',
      'begun purser payouts limits --set # --as # --per-payout 500000',
    ]);
    expect(text).not.toMatch(/ada|grace/);
    await expect(database.store.query({ text: 'delete from operator_commands' })).rejects.toThrow(
      'append-only',
    );
  });

  it('work as the owner of the database only: with the password of the running vault they say so', async () => {
    const service = asRole(database.url, vaultServiceRole);
    for (const words of [
      ['payouts', 'limits', '--set', 'usd', '--as', 'ada', '--per-payout', '1'],
      ['payouts', 'start'],
      ['vault', 'keys'],
    ])
      await expect(run(service, ...words)).rejects.toThrow('as the owner of the vault’s database');
  });
});
