/** @module-tag slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programArgs } from '../../../../test/harness/programs.ts';
import { createSeen, readSeen } from '../../testing/kills/seen.ts';
import { type Bed, sol, startBed } from '../testing/bed.ts';
import type { WatcherSetup } from '../testing/watcher-process.ts';

let bed: Bed;
let wallet: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  bed = await startBed();
  await bed.connections.connect('solana');
  await createSeen(bed.store);
  wallet = await bed.anAddress();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await bed?.close();
});

function startWatcher(mode: WatcherSetup['mode']): ChildProcess {
  const { url: databaseUrl } = bed.database;
  const setup: WatcherSetup = {
    databaseUrl,
    rpcUrl: bed.chain.url,
    testTokenMint: bed.mint,
    wallet,
    leaseMs: 1_000,
    mode,
  };
  const script = programArgs('src/chains/solana/testing/watcher-process.ts');
  const child = spawn(process.execPath, [...script, JSON.stringify(setup)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

/**
 * @param times it wrote that something is recorded: while it hangs there is a transaction that
 * nobody will end
 */
async function killAfter(child: ChildProcess, times: number): Promise<void> {
  let seen = 0;
  for await (const chunk of child.stdout!) {
    seen += String(chunk).split('recorded').length - 1;
    if (seen >= times) break;
  }
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const pay = (amount: bigint) => bed.send([bed.solTransfer(bed.payer, wallet, amount)]);

it('a watcher killed inside a transaction, and between two, loses nothing and tells of nothing twice', async () => {
  const paid = [await pay(sol), await pay(sol + 1n)];
  await killAfter(startWatcher('hang'), 1);
  expect(await readSeen(bed.store)).toEqual([]);
  const second = startWatcher('run');
  const killed = killAfter(second, 2);
  for (const amount of [2n, 3n, 4n]) paid.push(await pay(sol + amount));
  await killed;
  paid.push(await pay(sol + 5n));
  const third = startWatcher('run');
  await bed.until(
    async () => (await readSeen(bed.store)).length >= paid.length,
    'all that was paid',
  );
  const last = await pay(sol + 6n);
  await bed.until(async () => (await readSeen(bed.store)).includes(last), 'the last');
  expect((await readSeen(bed.store)).toSorted()).toEqual([...paid, last].toSorted());
  third.kill('SIGKILL');
});
