/** @module-tag slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/database.ts';
import { programArgs } from '../../../test/harness/programs.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { systemIds } from '../../lib/id.ts';
import { startPayoutDatabase } from '../../providers/payout/test-kit.ts';
import { type ChildArguments, deathPlaces } from '../testing/payout-child.ts';
import { aPayoutWorld, aVault, takenBy } from '../testing/payout-kit.ts';
import { addApprover, approvePayout } from './approvals.ts';
import { findPayout } from './store.ts';

const program = programArgs('src/vault/testing/payout-child.ts');
let database: TestDatabase;
let children: ChildProcess[] = [];
const startedAtMs = Date.now();

beforeEach(async () => {
  database = await startPayoutDatabase();
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  children = [];
  await database.close();
});

async function startChild(
  args: Omit<ChildArguments, 'url' | 'startedAtMs'>,
): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [...program, 'run', JSON.stringify({ ...args, url: database.url, startedAtMs })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  const ready = await Promise.race([
    once(child.stdout!, 'data').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!ready) throw new Error('The child ended before it was ready.');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const isFinal = async (id: string) => (await findPayout(database.store, id))?.status === 'final';

/** The bank would recognise a second call by its key; that none is made is our own doing. */
async function callsPerPayout(): Promise<number[]> {
  const { rows } = await database.store.query<{ calls: number }>({
    text: 'select calls from sandbox_bank_transfers',
  });
  return rows.map(({ calls }) => calls);
}

test.each(deathPlaces)('a vault that is killed %s pays once in the end', async (dieAt) => {
  const payoutId = systemIds.randomUuid();
  const victim = await startChild({ dieAt, payoutId });
  await eventually('the victim is dead', async () => victim.signalCode === 'SIGKILL');
  expect(await isFinal(payoutId)).toBe(false);
  // The caller has got no answer, so it asks again with the same id.
  await startChild({ dieAt: 'nowhere', payoutId });
  await eventually('the payout is final', () => isFinal(payoutId), 60_000);
  expect(await takenBy(database.store)).toEqual(new Map([[`purser-${payoutId}`, 1]]));
  expect(await callsPerPayout()).toEqual([1]);
  const { rows } = await database.store.query<{ type: string }>({
    text: 'select type from outbox order by written',
  });
  expect(rows.map(({ type }) => type)).toEqual([
    'payouts.submitted',
    'payouts.settled',
    'payouts.final',
  ]);
});

test('a payout that a second person approved while the vault was dead pays once, and a death before the call changes nothing', async () => {
  await database.store.query({ text: 'update payout_limits set second_person_minor = 100' });
  const payoutId = systemIds.randomUuid();
  const victim = await startChild({ dieAt: 'nowhere', payoutId });
  await eventually(
    'it is held',
    async () => (await findPayout(database.store, payoutId))?.needsApproval === true,
  );
  await kill(victim);
  const { ctx } = aPayoutWorld(database.store, aVault(new Map()).vault);
  const token = await addApprover(ctx, { name: 'grace', as: 'ada' });
  await approvePayout(ctx, { payoutId, as: 'ada', token });
  const second = await startChild({ dieAt: 'before the call' });
  await eventually('the second is dead', async () => second.signalCode === 'SIGKILL', 60_000);
  expect(await takenBy(database.store)).toEqual(new Map());
  await startChild({ dieAt: 'nowhere' });
  await eventually('the payout is final', () => isFinal(payoutId), 60_000);
  expect(await callsPerPayout()).toEqual([1]);
});

test('payouts of vaults that are killed again and again at random are each paid once', async () => {
  const ids: string[] = [];
  for (let round = 0; round < 6; round++) {
    const payoutId = systemIds.randomUuid();
    ids.push(payoutId);
    const child = await startChild({ dieAt: 'anywhere', payoutId });
    await delay(Math.random() * 120);
    await kill(child);
  }
  await startChild({ dieAt: 'nowhere' });
  const stored = (await Promise.all(ids.map((id) => findPayout(database.store, id)))).filter(
    (payout) => payout !== undefined,
  );
  for (const { id } of stored)
    await eventually('every stored payout is final', () => isFinal(id), 60_000);
  expect([...(await takenBy(database.store)).values()]).toEqual(stored.map(() => 1));
  expect(await callsPerPayout()).toEqual(stored.map(() => 1));
});
