import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { CommandError } from '../lib/command.ts';
import { ledgerCommand } from './command.ts';
import { holdEntries, postEntries } from './index.ts';
import { aLedger, anEntry, aProject, legs } from './test-kit.ts';

let database: TestDatabase;
const projectId = aProject();
const orderId = aProject();

beforeAll(async () => {
  database = await startTestDatabase({ damagesLedger: true });
  const ledger = aLedger(database.store);
  await ledger.store.transaction(async (tx) => {
    const clearing = `order:${orderId}:clearing`;
    await postEntries(ledger, tx, [
      anEntry({
        projectId,
        reference: 'deposit',
        kind: 'deposit-final',
        orderId,
        postings: legs(clearing, 'bank:b:account', 1_050n),
      }),
    ]);
    ledger.clock.advance(60_000);
    await holdEntries(ledger, tx, [
      anEntry({
        projectId,
        reference: 'payout',
        kind: 'payout-submitted',
        postings: legs('bank:b:account', 'suspense:held', 50n),
      }),
    ]);
    await postEntries(ledger, tx, [anEntry({ projectId: aProject() })]);
  });
});
afterAll(() => database.close());

async function run(...argv: string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const projectOf = async (named: string | undefined) => named ?? projectId;
  const code = await ledgerCommand(database.store, {
    argv,
    print: (line) => lines.push(line),
    projectOf,
  });
  return { code, out: lines.join('\n') };
}

it('purser ledger balances lists accounts, by prefix, at an instant, and as JSON', async () => {
  expect((await run('balances')).out.split('\n')).toEqual([
    `ACCOUNT${' '.repeat(46)}ASSET  POSTED  PENDING`,
    `bank:b:account${' '.repeat(39)}usd    10.5    -0.5`,
    `order:${orderId}:clearing  usd    -10.5   0`,
    `suspense:held${' '.repeat(40)}usd    0       0.5`,
  ]);
  expect((await run('balances', 'bank:', '--at', '2026-01-15T12:00:30Z')).out).toMatch(
    /^ACCOUNT .*\nbank:b:account +usd +10.5 +0$/,
  );
  expect(JSON.parse((await run('balances', 'susp', '--json')).out)).toEqual([
    { account: 'suspense:held', asset: 'usd', postedMinor: '0', pendingMinor: '50' },
  ]);
  expect((await run('balances', '--project', aProject())).out).toBe('No accounts.');
});

it('purser ledger entries and order list what was posted, leg by leg', async () => {
  expect((await run('entries')).out).toMatch(
    /^RECORDED .*\n2026-01-15T12:01:00.000Z +payout-submitted +hold +payout +bank:b:account +-0.5 +usd\n +suspense:held +0.5 +usd\n.* deposit /,
  );
  expect((await run('entries', 'suspense:held')).out).not.toContain('deposit');
  expect((await run('order', orderId.toUpperCase())).out).toMatch(
    /deposit-final +post +deposit +order:/,
  );
  expect((await run('order', orderId)).out).not.toContain('payout');
  expect((await run('order', aProject())).out).toBe('No entries.');
});

it('purser ledger trial-balance adds up one project or all, at an instant', async () => {
  const { code, out } = await run('trial-balance', '--project', projectId);
  expect(code).toBe(0);
  expect(out).toMatch(/\nusd +order:\*:clearing +0 +10.5 +0\n[^]*\nusd +total +10.5 +10.5$/);
  expect((await run('trial-balance')).out).toMatch(/\nusd +total +11.5 +11.5$/);
  expect((await run('trial-balance', '--at', '2026-01-01')).out).toBe('Nothing is posted.');
});

it('purser ledger says what is wrong with its words', async () => {
  for (const [argv, message] of [
    [['dance'], 'Unknown command "ledger dance".'],
    [['order'], 'Name the order by its id'],
    [['order', 'x'], 'Name the order by its id'],
    [['entries', 'pocket'], '"pocket" is no account'],
    [['balances', '--at', 'noon'], '"noon" is no time'],
    [['balances', '--limit', '0'], '--limit is a whole number from 1 to 1000.'],
    [['balances', 'a', 'b'], 'Too many words: b.'],
    [['balances', '--frobnicate'], 'frobnicate'],
  ] as const)
    await expect(run(...argv)).rejects.toThrow(new CommandError(message).message);
  expect((await run()).out).toContain('purser ledger check');
  expect((await run('--help')).code).toBe(0);
});

it('purser ledger check ends with 0 when the books are in order, and with 1 and the entry when they are not', async () => {
  expect(await run('check')).toEqual({
    code: 0,
    out: 'In order: 3 entries with 6 postings, 5 balances.',
  });
  await database.store.transaction(async (tx) => {
    await tx.query({ text: "set local session_replication_role = 'replica'" });
    await tx.query({
      text: `update ledger_postings set posted_minor = posted_minor + 1 where account = 'bank:b:account' and posted_minor > 0`,
    });
  });
  const { code, out } = await run('check');
  expect(code).toBe(1);
  expect(out).toMatch(
    /^entry [0-9a-f-]+ \(post of deposit, project [0-9a-f-]+\): its posted legs in usd add up to 1 instead of 0\n/,
  );
  expect(out).toMatch(/\n1 faults in 3 entries/);
  expect(JSON.parse((await run('check', '--json')).out)).toMatchObject({
    entries: 3,
    findings: [{ problem: 'its posted legs in usd add up to 1 instead of 0' }],
  });
  const unbalanced = await run('trial-balance', '--project', projectId);
  expect(unbalanced.code).toBe(1);
  expect(unbalanced.out).toContain('total: NOT BALANCED');
});
