import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { askPayout, readPayout } from '../../areas/payment-methods/payout-client.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { payoutsCommand } from '../commands/payouts.ts';
import { aUsBody } from '../testing/methods-kit.ts';
import { takenBy } from '../testing/payout-kit.ts';
import { createPayouts } from './service.ts';

/**
 * The vault as production has it: a new account waits for a day, and above an amount a second
 * person says so.
 */
const clock = createMovableClock();
const hourMs = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'purser-approvers-'));
let vault: TestVault;
let projectId: string;
let known: string;
let accounts = 0;

beforeAll(async () => {
  vault = await startTestVault({ clock, newDestinationWaitHours: 24 });
  known = await anAccount();
  const { rows } = await vault.database.store.query<{ projectId: string }>({
    text: 'select project_id as "projectId" from payment_methods',
  });
  projectId = rows[0]!.projectId;
  await run(
    'limits',
    '--set',
    'usd',
    '--as',
    'ada',
    '--per-payout',
    '5000000',
    '--second-person',
    '1000000',
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await vault.close();
});
/** Each test has a day of its own. */
beforeEach(() => pass(48 * hourMs));

async function pass(ms: number) {
  clock.advance(ms);
  await vault.directory.run();
}

async function anAccount(): Promise<string> {
  const body = aUsBody({}, { accountNumber: `44556677${2000 + accounts++}` });
  return (
    (await vault.call('POST', '/unstable/payment-methods', { body })).body as {
      paymentMethodId: string;
    }
  ).paymentMethodId;
}

/** With the worker's own key: what a stolen worker has. */
const worker = () => ({
  ...vault.api.ctx,
  providers: { ...vault.api.ctx.providers, vault: vault.clients.worker },
});
const ask = (paymentMethodId: string, amountMinor = 100_00n) =>
  askPayout(worker(), {
    projectId,
    paymentMethodId,
    payoutId: systemIds.randomUuid(),
    object: `order:${systemIds.randomUuid()}`,
    rail: 'rtp',
    amountMinor,
    currency: 'usd',
  });
const read = async (payoutId: string) => (await readPayout(worker(), { projectId, payoutId }))!;
const isTaken = async (payoutId: string) =>
  (await takenBy(vault.database.store)).has(`purser-${payoutId}`);
const sent = (payoutId: string) => eventually('the bank has it', () => isTaken(payoutId));
/** Its work has looked at it since, and sleeps. */
const looked = (payoutId: string) =>
  eventually('it was looked at', async () => {
    const { rows } = await vault.database.store.query<{ waits: boolean }>({
      text: `select run_at > $2 and lease_until is null as waits from flows where kind = 'payout' and key = $1`,
      values: [payoutId, clock.now()],
    });
    return rows[0]?.waits === true;
  });
async function toldOf(payoutId: string): Promise<string[]> {
  const { rows } = await vault.database.store.query<{ type: string }>({
    text: 'select type from outbox where object = $1 order by written',
    values: [`payout:${payoutId}`],
  });
  return rows.map(({ type }) => type);
}

/** On the vault's host. */
async function run(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const { ctx } = createPayouts(vault.operator, [{ kind: 'sandbox' }], {
    newDestinationWaitHours: 24,
  });
  await payoutsCommand(async () => ctx, { argv, print: (line) => lines.push(line) });
  return lines.join('\n');
}

async function anApprover(name: string): Promise<string> {
  const { token } = JSON.parse(await run('approver', 'add', name, '--as', 'root', '--json')) as {
    token: string;
  };
  const file = join(folder, name);
  writeFileSync(file, `${token}\n`);
  return file;
}

describe('a payout to an account that was saved a moment ago', () => {
  test('is held with the time when it goes on, and goes on then by itself', async () => {
    const { payoutId, held, status } = await ask(await anAccount());
    expect([status, held?.needsApproval]).toEqual(['accepted', false]);
    expect(Date.parse(held!.until!) - clock.now().getTime()).toBeGreaterThan(23.9 * hourMs);
    expect(await run('held')).toMatch(new RegExp(`${payoutId} .* no +${held!.until!}`));
    expect(await run('list', '--limit', '1')).toMatch(/ held +order:/);
    await pass(23 * hourMs);
    await looked(payoutId);
    expect(await isTaken(payoutId)).toBe(false);
    await pass(2 * hourMs);
    await sent(payoutId);
    await eventually('it is told', async () =>
      (await toldOf(payoutId)).includes('payouts.submitted'),
    );
    expect((await toldOf(payoutId)).slice(0, 2)).toEqual(['payouts.held', 'payouts.submitted']);
    expect((await read(payoutId)).held).toBeUndefined();
    expect(await run('held')).toBe('No payout is held.');
  });

  test('goes at once where the account was saved a day before, also when it was deleted and saved again', async () => {
    const first = await anAccount();
    accounts--;
    await pass(25 * hourMs);
    expect((await vault.call('DELETE', `/unstable/payment-methods/${first}`)).status).toBe(204);
    const again = await anAccount();
    expect(again).not.toBe(first);
    const { payoutId, held } = await ask(again);
    expect(held).toBeUndefined();
    await sent(payoutId);
  });

  test('does not go while payouts are stopped, though its time is over', async () => {
    const { payoutId } = await ask(await anAccount());
    await looked(payoutId);
    await run('stop', '--reason', 'the worker was stolen');
    await pass(25 * hourMs);
    await looked(payoutId);
    expect(await isTaken(payoutId)).toBe(false);
    await run('start');
    await pass(61_000);
    await sent(payoutId);
  });

  test('goes when an operator of the vault shortens the time, which nobody else can', async () => {
    const { payoutId } = await ask(await anAccount());
    for (const name of ['payouts.set-wait', 'payouts.limits', 'payouts.approve'])
      await expect(vault.clients.worker.ask(name, {}, z.unknown())).rejects.toThrow();
    await expect(run('limits', '--new-destination-wait', '0')).rejects.toThrow('Name yourself');
    await expect(run('limits', '--new-destination-wait', '200', '--as', 'ada')).rejects.toThrow(
      'from 0 to 168',
    );
    expect(await run('limits', '--new-destination-wait', '0', '--as', 'ada')).toContain(
      'A new destination waits 0 h.',
    );
    await pass(11 * 60_000);
    await sent(payoutId);
    expect(await run('limits', '--new-destination-wait', '24', '--as', 'ada')).toContain(
      'A new destination waits 24 h.',
    );
  });
});

describe('a payout above the amount of one person', () => {
  test('goes when a second one says so, and by nobody else’s word', async () => {
    const { payoutId, held } = await ask(known, 20_000_00n);
    expect(held).toEqual({ needsApproval: true });
    await looked(payoutId);
    const [grace, ada] = [await anApprover('grace'), await anApprover('ada')];
    const approve = (as: string, file: string) =>
      run('approve', payoutId, '--as', as, '--token-file', file);
    await expect(approve('grace', grace)).rejects.toThrow('Two persons are needed');
    await expect(approve('linus', ada)).rejects.toThrow('ada has set the limits of usd last');
    writeFileSync(join(folder, 'nobody'), 'approver_of-nobody');
    await expect(approve('linus', join(folder, 'nobody'))).rejects.toThrow(
      'The token is no approver’s',
    );
    await expect(run('approve', payoutId, '--as', 'linus')).rejects.toThrow(
      '--token-file /dev/stdin',
    );
    await expect(run('approver', 'add', 'eve', '--as', 'eve')).rejects.toThrow(
      'Nobody is a second person to himself',
    );
    expect(await isTaken(payoutId)).toBe(false);
    expect(await approve('linus', grace)).toBe('grace has approved it. It goes on.');
    await sent(payoutId);
    await expect(approve('linus', grace)).rejects.toThrow('There is nothing to approve');
    const { rows } = await vault.database.store.query<{ entry: string }>({
      text: `select entry from audit_entries where entry like '%"payout.approved"%'`,
    });
    expect(JSON.parse(rows[0]!.entry)).toMatchObject({
      actor: 'operator:linus',
      subject: payoutId,
      detail: { approver: 'grace' },
    });
  });

  test('does not go by the token of an approver who was removed, nor by one that was replaced', async () => {
    const { payoutId } = await ask(known, 20_000_00n);
    const old = await anApprover('grace');
    const copy = join(folder, 'copy');
    copyFileSync(old, copy);
    const fresh = await anApprover('grace');
    await expect(run('approve', payoutId, '--as', 'linus', '--token-file', copy)).rejects.toThrow(
      'no approver’s',
    );
    await run('approver', 'remove', 'grace', '--as', 'root');
    await expect(run('approve', payoutId, '--as', 'linus', '--token-file', fresh)).rejects.toThrow(
      'no approver’s',
    );
    expect(await run('approver', 'list')).toMatch(/grace +root/);
    expect(await run('refuse', payoutId, '--as', 'linus', '--reason', 'nobody knows it')).toContain(
      'It was never sent',
    );
    expect((await read(payoutId)).status).toBe('canceled');
  });

  test('is ended by one person, for a reason, and told as canceled', async () => {
    const { payoutId } = await ask(known, 20_000_00n);
    await expect(run('refuse', payoutId, '--as', 'linus')).rejects.toThrow('Say why');
    await run('refuse', payoutId, '--as', 'linus', '--reason', 'the customer did not ask for it');
    expect(await toldOf(payoutId)).toEqual(['payouts.held', 'payouts.canceled']);
    await expect(run('refuse', payoutId, '--as', 'linus', '--reason', 'again')).rejects.toThrow(
      'canceled and not held',
    );
  });

  test('that somebody changes after it was approved is held again', async () => {
    const { payoutId } = await ask(known, 20_000_00n);
    await looked(payoutId);
    const grace = await anApprover('grace');
    await run('stop', '--reason', 'to see it wait');
    await run('approve', payoutId, '--as', 'linus', '--token-file', grace);
    await vault.database.store.query({
      text: 'update payouts set amount_minor = amount_minor + 1 where id = $1',
      values: [payoutId],
    });
    await run('start');
    await pass(61_000);
    await looked(payoutId);
    expect(await isTaken(payoutId)).toBe(false);
    expect((await read(payoutId)).held).toEqual({ needsApproval: true });
  });
});
