import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/harness/database.ts';
import { programArgs } from '../../../../test/harness/programs.ts';
import type { KillPoint } from '../../family/late/types.ts';
import type { OperationOutcome, Running } from '../../family.ts';
import { readOutcomes } from '../outcomes.ts';
import type { KillSetup } from './kill-point.ts';

/** Relays whose workers are killed, and what must be true whenever that was. */

/** At which passing of a point a worker dies; 1 is the first. */
export interface Kill<Point extends string = KillPoint> {
  readonly at: Point;
  readonly count: number;
}

/** Of a relay that signs one operation at a time. */
export const killPoints: readonly (readonly [KillPoint, number])[] = [
  ['before-signature', 1],
  ['before-store', 1],
  ['after-store', 1],
  ['after-broadcast', 2],
  ['after-inclusion', 1],
  ['before-confirmation', 1],
];

export interface KilledRelay<Point extends string, Batch> {
  submit(): Promise<Batch>;
  spawn(kill: Kill<Point>): ChildProcess;
  /** The one that takes over, in this process. */
  startNext(): Promise<Running>;
  expectOnce(batch: Batch): Promise<void>;
}

/**
 * One test of each point: a worker dies there, and another one takes over. `npm test` has the point
 * at which most can go wrong: bytes are out, and nobody has written that.
 */
export function itOutlivesKills<Point extends string, Batch>(
  points: readonly (readonly [Point, number])[],
  { submit, spawn: spawnWorker, startNext, expectOnce }: KilledRelay<Point, Batch>,
): void {
  for (const [at, count] of points)
    it(`${at}: another worker takes over, and each operation happens once or fails with a reason`, {
      tags: at === 'after-broadcast' ? [] : 'slow',
    }, async () => {
      const batch = await submit();
      const child = spawnWorker({ at, count });
      expect(await signalOf(child)).toBe('SIGKILL');
      const next = await startNext();
      await expectOnce(batch);
      await next.stop();
    });
}

/** By which signal it ends. */
export async function signalOf(child: ChildProcess): Promise<string | null> {
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

export interface Workers<Setup> {
  spawn(kill?: Kill, rest?: Partial<Setup>): ChildProcess;
  /** Those that live. */
  kill(): void;
}

/** Workers in processes of their own, by a script that takes its setup as JSON. */
export function openWorkers<Setup extends KillSetup>(
  script: string,
  setupOf: () => Omit<Setup, keyof KillSetup>,
): Workers<Setup> {
  const children: ChildProcess[] = [];
  return {
    spawn(kill, rest) {
      const setup = {
        ...setupOf(),
        ...rest,
        ...(kill && { killAt: kill.at, killAtCount: kill.count }),
      };
      const child = spawn(process.execPath, [...programArgs(script), JSON.stringify(setup)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      return child;
    },
    kill() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Of wallets that are keys, as a setup has them. */
export const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
export const hexSeeds = (seeds: ReadonlyMap<string, Uint8Array>) =>
  Object.fromEntries([...seeds].map(([id, seed]) => [id, hexOf(seed)]));

export interface Batch<Wallet extends { readonly address: string } = { readonly address: string }> {
  readonly wallet: Wallet;
  readonly recipient: string;
  readonly amounts: readonly bigint[];
  /** Of the operations, in the order of the amounts. */
  readonly ids: readonly string[];
}

interface KilledWorld {
  readonly database: TestDatabase;
  until(check: () => Promise<boolean>, what: string, waitMaxMs?: number): Promise<void>;
}

/** How they ended, each told once. */
export async function toldOnce(
  { database, until }: KilledWorld,
  ids: readonly string[],
  waitMaxMs?: number,
): Promise<OperationOutcome[]> {
  const told = async () =>
    (await readOutcomes(database.store)).filter(({ operationId }) => ids.includes(operationId));
  await until(async () => (await told()).length >= ids.length, 'outcomes of all', waitMaxMs);
  const outcomes = await told();
  expect(new Set(outcomes.map(({ operationId }) => operationId)).size).toBe(outcomes.length);
  return outcomes;
}

/**
 * Every operation once or failed with a reason, told once, and the chain says the same.
 * @param given what the wallet had
 * @returns what each moved, 0 where it failed
 */
export async function expectMovedOnce(
  world: KilledWorld,
  { wallet, recipient, amounts, ids }: Batch,
  {
    given,
    balanceOf,
    waitMaxMs,
  }: {
    readonly given: bigint;
    readonly balanceOf: (address: string) => Promise<bigint>;
    readonly waitMaxMs?: number;
  },
): Promise<readonly bigint[]> {
  const outcomes = await toldOnce(world, ids, waitMaxMs);
  const moved = ids.map((id, index) => {
    const outcome = outcomes.find(({ operationId }) => operationId === id)!;
    if (outcome.status === 'failed') expect(outcome.error.message.length).toBeGreaterThan(10);
    return outcome.status === 'success' ? amounts[index]! : 0n;
  });
  const sum = moved.reduce((total, amount) => total + amount, 0n);
  expect(sum).toBeGreaterThan(0n);
  expect([await balanceOf(recipient), await balanceOf(wallet.address)]).toEqual([sum, given - sum]);
  return moved;
}
