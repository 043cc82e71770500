import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import {
  askPayout,
  readPayout,
  readPayoutSwitch,
} from '../../areas/payment-methods/payout-client.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { payoutsCommand } from '../commands/payouts.ts';
import { aUsBody } from '../testing/methods-kit.ts';
import { createPayouts } from './service.ts';

const clock = createMovableClock();
const methods: string[] = [];
let vault: TestVault;
let projectId: string;

beforeAll(async () => {
  vault = await startTestVault({ clock });
  for (let index = 0; index < 12; index++) {
    const body = aUsBody({}, { accountNumber: `44556677${1000 + index}` });
    const answer = await vault.call('POST', '/unstable/payment-methods', { body });
    methods.push((answer.body as { paymentMethodId: string }).paymentMethodId);
  }
  const { rows } = await vault.database.store.query<{ projectId: string }>({
    text: 'select project_id as "projectId" from payment_methods limit 1',
  });
  projectId = rows[0]!.projectId;
});
afterAll(() => vault.close());

/** With the worker's own key: what a stolen worker has. */
const worker = () => ({
  ...vault.api.ctx,
  providers: { ...vault.api.ctx.providers, vault: vault.clients.worker },
});
const ask = (amountMinor: bigint, method: number) =>
  askPayout(worker(), {
    projectId,
    paymentMethodId: methods[method % methods.length]!,
    payoutId: systemIds.randomUuid(),
    object: `order:${systemIds.randomUuid()}`,
    rail: 'rtp',
    amountMinor,
    currency: 'usd',
  });
const statusOf = async (payoutId: string) =>
  (await readPayout(worker(), { projectId, payoutId }))?.status;

/** On the vault's host. */
async function run(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  await payoutsCommand(async () => createPayouts(vault.operator, [{ kind: 'sandbox' }]).ctx, {
    argv,
    print: (line) => lines.push(line),
  });
  return lines.join('\n');
}

describe('a stolen worker', () => {
  test('that asks for many payouts at once gets no more than the limits of a day, whatever it asks for', async () => {
    clock.advance(2 * 86_400_000);
    await vault.directory.run();
    expect(await ask(10_000_01n, 0)).toMatchObject({
      status: 'rejected',
      code: 'limit-payout',
      reason: 'amount-not-allowed',
    });
    const one = await Promise.all(Array.from({ length: 8 }, () => ask(9_999_00n, 0)));
    expect(one.filter(({ status }) => status !== 'rejected')).toHaveLength(2);
    expect(one.find(({ status }) => status === 'rejected')).toMatchObject({
      code: 'limit-destination-day',
    });
    const all = await Promise.all(Array.from({ length: 36 }, (_, index) => ask(9_999_00n, index)));
    expect(all.filter(({ status }) => status !== 'rejected')).toHaveLength(8);
    expect(all.filter(({ code }) => code === 'limit-project-day').length).toBeGreaterThan(0);
    const { used = [], limits } = await readPayoutSwitch(worker());
    // What was rejected counts for nothing: what is told as used is what the limit was held
    // against.
    const sum =
      BigInt([...one, ...all].filter(({ status }) => status !== 'rejected').length) * 9_999_00n;
    expect(used).toEqual([{ projectId, currency: 'usd', amountMinor: sum.toString() }]);
    expect(sum).toBeLessThanOrEqual(
      BigInt(limits.find(({ currency }) => currency === 'usd')!.projectDayMinor),
    );
  });

  test('that marks what a bank has as rejected frees nothing of the day', async () => {
    clock.advance(2 * 86_400_000);
    await vault.directory.run();
    const sent = await Promise.all([ask(9_999_00n, 3), ask(9_999_00n, 3)]);
    for (const { payoutId } of sent) {
      await eventually('the bank has it', async () => (await statusOf(payoutId)) === 'pending');
      await vault.database.store.query({
        text: `update payouts set status = 'needs-operator' where id = $1`,
        values: [payoutId],
      });
      await vault.clients.worker.ask(
        'payouts.mark',
        { payoutId, actor: 'operator', as: 'rejected' },
        z.unknown(),
      );
      expect(await statusOf(payoutId)).toBe('rejected');
    }
    expect(await ask(9_999_00n, 3)).toMatchObject({
      status: 'rejected',
      code: 'limit-destination-day',
    });
  });

  test('that asks for many days ahead gets no day above its limit: what has yet to leave counts until it has', async () => {
    clock.advance(2 * 86_400_000);
    await vault.directory.run();
    await run('stop', '--reason', 'nothing leaves');
    await ask(9_999_00n, 4);
    await ask(9_999_00n, 4);
    clock.advance(2 * 86_400_000);
    await vault.directory.run();
    expect(await ask(9_999_00n, 4)).toMatchObject({ code: 'limit-destination-day' });
    await run('start');
  });

  test('that has an account saved by another user gets no second day for it', async () => {
    clock.advance(2 * 86_400_000);
    await vault.directory.run();
    const body = aUsBody({ userLocator: 'userId:mallory' }, { accountNumber: '445566771005' });
    const { paymentMethodId } = (await vault.call('POST', '/unstable/payment-methods', { body }))
      .body as { paymentMethodId: string };
    expect(methods).not.toContain(paymentMethodId);
    methods.push(paymentMethodId);
    await ask(9_999_00n, 5);
    await ask(9_999_00n, 5);
    expect(await ask(9_999_00n, methods.length - 1)).toMatchObject({
      status: 'rejected',
      code: 'limit-destination-day',
    });
    methods.pop();
  });

  test('raises no limit and starts nothing: no operation does', async () => {
    for (const name of ['payouts.limits', 'payouts.set-limits', 'payouts.start', 'payouts.stop'])
      await expect(vault.clients.worker.ask(name, {}, z.unknown())).rejects.toThrow();
    const { operations } = createPayouts(vault.ctx, [{ kind: 'sandbox' }]);
    expect(
      operations
        .map(({ name }) => name)
        .filter((name) => /limit|stop|start|approve|held|wait|refuse/.test(name)),
    ).toEqual([]);
  });

  test('is shown what the limits are, and whether payouts are stopped', async () => {
    for (const peer of ['api', 'worker'] as const) {
      const shown = await readPayoutSwitch({ providers: { vault: vault.clients[peer] } });
      expect(shown.limits).toContainEqual(
        expect.objectContaining({
          currency: 'usd',
          perPayoutMinor: expect.stringMatching(/^\d+$/),
        }),
      );
      expect(shown.stop).toBeUndefined();
    }
    await run('stop', '--reason', 'to be seen');
    const { stop } = await readPayoutSwitch({ providers: { vault: vault.clients.api } });
    expect(stop).toEqual({ stoppedAt: expect.any(String), reason: 'to be seen' });
    await run('start');
  });

  test('has nothing handed in while payouts are stopped', async () => {
    clock.advance(2 * 86_400_000);
    await vault.directory.run();
    await run('stop', '--reason', 'the worker was stolen');
    expect(await run('limits')).toMatch(/STOPPED since .*: the worker was stolen/);
    const { payoutId } = await ask(100_00n, 1);
    await eventually('it was looked at', async () => {
      const { rows } = await vault.database.store.query<{ waits: boolean }>({
        text: `select run_at > $2 as waits from flows where kind = 'payout' and key = $1`,
        values: [payoutId, clock.now()],
      });
      return rows[0]?.waits === true;
    });
    expect(await statusOf(payoutId)).toBe('accepted');
    await run('start');
    clock.advance(61_000);
    await eventually('it goes on', async () => (await statusOf(payoutId)) !== 'accepted');
  });
});

test('limits are set on the vault’s host, by name, and the audit log says by whom', async () => {
  clock.advance(2 * 86_400_000);
  await vault.directory.run();
  await expect(run('limits', '--per-payout', '5')).rejects.toThrow('Name the currency, yourself');
  await expect(run('limits', '--set', 'xau', '--as', 'ada', '--per-payout', '5')).rejects.toThrow(
    'The vault pays no xau',
  );
  await expect(run('stop')).rejects.toThrow('Say why');
  expect(await run('limits', '--set', 'usd', '--as', 'ada', '--per-payout', '5')).toMatch(
    /usd +5 +10000000 +2500000 +1000000/,
  );
  expect(await ask(6n, 2)).toMatchObject({ status: 'rejected', code: 'limit-payout' });
  const { rows } = await vault.database.store.query<{ entry: string }>({
    text: 'select entry from audit_entries order by seq',
  });
  const entries = rows.map(({ entry }) => entry).join('\n');
  for (const noted of [
    'payouts.limits-set',
    'operator:ada',
    'payouts.stopped',
    'payouts.started',
    'payout.refused-by-limit',
  ])
    expect(entries).toContain(noted);
});
