/** @module-tag slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { findFreePort } from '../../../../test/harness/processes.ts';
import { programArgs } from '../../../../test/harness/programs.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import type { ReceiverArguments, ReceiverState } from '../testing/receiver-child.ts';
import type { SenderArguments } from '../testing/sender-child.ts';
import { startWorld, type World } from '../testing/test-kit.ts';

const orderCount = 12;
const rounds = 15;

let world: World;
let database: TestDatabase;
let folder: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  database = await startTestDatabase();
  world = await startWorld({}, database);
  folder = mkdtempSync(join(tmpdir(), 'purser-webhooks-'));
});
afterEach(async () => {
  await Promise.all([...children].map(kill));
  await world.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  program: 'receiver-child' | 'sender-child',
  args: ReceiverArguments | SenderArguments,
): Promise<ChildProcess> {
  const path = programArgs(`src/areas/webhooks/testing/${program}.ts`);
  const child = spawn(process.execPath, [...path, 'run', JSON.stringify(args)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  await once(child.stdout!, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (!children.delete(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function aReceiver(): Promise<{ readonly args: ReceiverArguments; state(): ReceiverState }> {
  const port = await findFreePort();
  const { secret } = await world.anEndpoint({ url: `http://127.0.0.1:${port}/` });
  const stateFile = join(folder, `${port}.json`);
  return {
    args: { port, stateFile, secret },
    state: () =>
      existsSync(stateFile)
        ? (JSON.parse(readFileSync(stateFile, 'utf8')) as ReceiverState)
        : { taken: [], orders: {} },
  };
}

/** Retries that wait are made due, so that a day of them passes in seconds. */
const hurry = () =>
  world.api.ctx.store.query({
    text: `update webhook_lanes set run_at = now() where run_at > now()`,
  });

it('a receiver that is killed at any moment, by senders that are killed too, ends with the state of one that never was', async () => {
  const [steady, killed] = [await aReceiver(), await aReceiver()];
  await start('receiver-child', steady.args);
  let victim = await start('receiver-child', killed.args);
  const senderArgs: SenderArguments = { url: database.url, leaseMs: 1_000 };
  let sender = await start('sender-child', senderArgs);
  const happening = (async () => {
    for (let n = 0; n < rounds; n++) {
      await world.happen(
        Array.from({ length: orderCount }, (_, order) => ({
          object: `order:${order}`,
          data: { n },
        })),
      );
      await delay(150);
    }
  })();
  for (let kills = 0; kills < 3; kills++) {
    await delay(200 + Math.random() * 600);
    await kill(victim);
    if (kills % 2 === 0) {
      await kill(sender);
      sender = await start('sender-child', senderArgs);
    }
    victim = await start('receiver-child', killed.args);
    await hurry();
  }
  await happening;
  const total = orderCount * rounds;
  await eventually(
    'both receivers have everything',
    async () => {
      await hurry();
      return steady.state().taken.length === total && killed.state().taken.length === total;
    },
    60_000,
  );
  const expected = Object.fromEntries(
    Array.from({ length: orderCount }, (_, order) => [
      order,
      Array.from({ length: rounds }, (__, n) => n),
    ]),
  );
  expect(steady.state().orders).toEqual(expected);
  expect(killed.state().orders).toEqual(expected);
  await eventually('nothing is left in the queue', async () => {
    await hurry();
    const { rows } = await world.api.ctx.store.query<{ n: number }>({
      text: 'select count(*)::int as n from webhook_lanes',
    });
    return rows[0]!.n === 0;
  });
  const { rows } = await world.api.ctx.store.query({
    text: `select status, count(*)::int as n from webhook_deliveries group by status`,
  });
  expect(rows).toEqual([{ status: 'delivered', n: 2 * total }]);
}, 180_000);
