import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { shareOfNumbers } from '../../test/harness/long-share.ts';
import {
  type ChildWorker,
  readOrphans,
  readTakeoverMs,
  readVerdict,
  startChild,
  type Takeover,
} from './kill-kit.ts';
import { startFlows } from './start.ts';
import { aJobsCtx, eventually } from './test-kit.ts';
import { childTables, marathon } from './worker-child.ts';

const kills = shareOfNumbers({ first: 1, count: 1_000 }).length;
const leaseMs = 2_000;
const workersAtOnce = 4;
// Well below what the workers can run at once: what is measured is the takeover, not the queue.
const activeFlowsMin = 30;

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await startTestDatabase();
  await database.store.query({ text: childTables });
  // Bundled once: a thousand starts through a compiler would take most of the time.
  folder = await mkdtemp(join(tmpdir(), 'purser-kills-'));
  await build({
    entryPoints: [fileURLToPath(new URL('./worker-child.ts', import.meta.url))],
    outfile: join(folder, 'child.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test(
  `${kills} kills at random moments: nothing is lost, no database step happens twice, each flow is resumed within its lease and a second`,
  async () => {
    const ctx = aJobsCtx(database.store);
    const definition = marathon(1, 'starter', database.store);
    let born = 0;
    // Code of both versions is alive at once, as during an update: a flow the newer one has touched
    // is left to it.
    const spawnChild = () =>
      startChild([join(folder, 'child.cjs')], {
        url: database.url,
        name: `worker-${++born}`,
        version: born % 2 === 0 ? 2 : 1,
        leaseMs,
        pollMs: 250,
      });
    // Never killed: flows that newer code has touched have somebody at every moment.
    const newerKeeper = await startChild([join(folder, 'child.cjs')], {
      url: database.url,
      name: 'keeper',
      version: 2,
      leaseMs,
      pollMs: 250,
    });
    const alive: ChildWorker[] = await Promise.all(
      Array.from({ length: workersAtOnce }, spawnChild),
    );
    const orphans: Takeover[] = [];
    let flows = 0;

    const topUp = async () => {
      const { rows } = await ctx.store.query<{ n: number }>({
        text: `select count(*)::int as n from flows where status = 'active'`,
      });
      const missing = activeFlowsMin - rows[0]!.n;
      if (missing <= 0) return;
      const inputs = Array.from({ length: missing }, () => ({
        projectId: `p${flows++ % 6}`,
        state: {
          stepMs: Math.floor(Math.random() * 120),
          napMs: Math.random() < 0.3 ? Math.floor(Math.random() * 300) : undefined,
        },
      }));
      await ctx.store.transaction((tx) => startFlows(ctx, tx, definition, inputs));
    };

    try {
      for (let kill = 0; kill < kills; kill++) {
        await topUp();
        await delay(Math.random() * 150);
        const index = Math.floor(Math.random() * alive.length);
        const victim = alive[index]!;
        await victim.kill();
        orphans.push(...(await readOrphans(ctx.store, victim.name)));
        alive[index] = await spawnChild();
      }
      await eventually(
        'every flow has ended',
        async () => {
          const { rows } = await ctx.store.query<{ n: number }>({
            text: `select count(*)::int as n from flows where status = 'active'`,
          });
          return rows[0]!.n === 0;
        },
        120_000,
      );
    } finally {
      await Promise.all([newerKeeper, ...alive].map((child) => child.kill()));
    }

    const takeoverMs = (await readTakeoverMs(ctx.store, orphans)).sort((a, b) => a - b);
    const at = (part: number) =>
      Math.round(
        takeoverMs[Math.min(takeoverMs.length - 1, Math.floor(takeoverMs.length * part))]!,
      );
    console.log(
      `${kills} kills, ${flows} flows, ${orphans.length} cut short; resumed after p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms (lease ${leaseMs} ms)`,
    );
    expect(await readVerdict(ctx.store)).toEqual({
      notDone: 0,
      wrongSteps: 0,
      changedEffects: 0,
      withoutEffect: 0,
    });
    expect(orphans.length).toBeGreaterThan(kills);
    expect(takeoverMs.at(-1)).toBeLessThan(leaseMs + 1_000);
  },
  60 * 60_000,
);
