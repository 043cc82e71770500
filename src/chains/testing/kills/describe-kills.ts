import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { programArgs } from '../../../../test/harness/programs.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { factsOf } from '../../families.ts';
import type { ChainFamily, ResolvedToken } from '../../family.ts';
import { createOutcomes } from '../outcomes.ts';
import { type KillAt, type KillingNode, startKillingNode } from './killing-node.ts';
import { createSeen, readSeen } from './seen.ts';
import { configOf, type WorkerSetup } from './setup.ts';

/** A family whose worker is killed, and its chain. */
export interface KillGround extends Omit<WorkerSetup, 'databaseUrl' | 'rpcUrl'> {
  readonly url: string;
  /** What each fee payer began with: less than it is to have. */
  readonly feePayerMinor: bigint;
  readonly feePayerAddresses: readonly string[];
  /** The most that a fee payer spends in the test. */
  readonly feesMaxMinor: bigint;
  readonly kills: readonly (KillAt & { readonly what: string })[];
  /** What else has to be true in the end. */
  check?(database: TestDatabase): Promise<void>;
  stop(): Promise<void>;
}

const waitMaxMs = 60_000;
const gift = 7n;
/** How long a worker has for its kill before more is asked of it. */
const askAgainMs = 8_000;
const asksMax = 8;

/**
 * Everything that a worker does beside operations of wallets, killed at each call by which
 * something becomes true on the chain: mints, top-ups, upkeep of coins, and what is read of the
 * chain.
 */
export function describeKilledWorkers(open: () => Promise<KillGround>): void {
  let ground: KillGround;
  let database: TestDatabase;
  let node: KillingNode;
  let family: ChainFamily;
  let setup: WorkerSetup;
  let token: ResolvedToken;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    [ground, database] = await Promise.all([open(), startTestDatabase()]);
    await createOutcomes(database.store);
    await createSeen(database.store);
    node = await startKillingNode(ground.url);
    const { feePayers, treasury, testToken, balanceMinMinor, wallet } = ground;
    setup = {
      family: ground.family,
      databaseUrl: database.url,
      rpcUrl: node.url,
      feePayers,
      treasury,
      testToken,
      balanceMinMinor,
      wallet,
    };
    const { create } = await factsOf(ground.family).code!.load();
    const log = createLogger({ level: 'silent', process: 'test' });
    family = create({
      config: configOf({ ...setup, rpcUrl: ground.url }),
      store: database.store,
      clock: systemClock,
      log,
    });
    token = await family.resolveToken(ground.family, { symbol: 'usdxm' });
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    node?.close();
    await ground?.stop();
    await database?.close();
  });

  function spawnWorker(): ChildProcess {
    const script = programArgs('src/chains/testing/kills/worker.ts');
    const child = spawn(process.execPath, [...script, JSON.stringify(setup)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }
  async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
    for (const endAt = Date.now() + waitMaxMs; !(await isSo()); await delay(50))
      if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
  }
  const amountOf = async (address: string, of: ResolvedToken) =>
    (await family.readBalances(address, [of]))[0]!.amountMinor;
  /** A mint that somebody asks for; who waits may hear nothing. */
  const ask = (reference: string) =>
    family
      .funding!.fund({
        chain: ground.family,
        token,
        amountMinor: gift,
        recipientAddress: ground.wallet,
        reference,
      })
      .then(
        () => undefined,
        () => undefined,
      );

  /** Of what reads the chain: ten seconds that pass at once. */
  async function endLeases(): Promise<void> {
    await database.store.query({ text: 'update followed_chains set lease_until = now()' });
  }

  it('killed at each call that changes the chain: what was to happen happens once, and is told once', async () => {
    const asked: Promise<void>[] = [];
    for (const at of ground.kills) {
      const child = spawnWorker();
      node.arm(child, at);
      const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
      let signal: string | null | undefined;
      // On a slow machine one call may do what two do elsewhere, and a life ends before its kill:
      // then there is more to do.
      for (let asks = 0; signal === undefined && asks < asksMax; asks++) {
        asked.push(ask(randomUUID()));
        signal = await Promise.race([
          exit.then(([, by]) => by),
          delay(askAgainMs, undefined, { ref: false }),
        ]);
      }
      expect([at.what, signal]).toEqual([at.what, 'SIGKILL']);
      await endLeases();
    }
    const last = spawnWorker();
    await Promise.all(asked);
    const minted = BigInt(asked.length) * gift;
    await until(async () => (await amountOf(ground.wallet, token)) >= minted, 'every mint');
    await until(
      async () => (await readSeen(database.store)).length >= asked.length,
      'every transfer',
    );
    const native = await family.resolveToken(ground.family, {
      symbol: family.requireNetwork(ground.family).native.symbol,
    });
    const toppedUp = ground.feePayerMinor + 2n * BigInt(ground.balanceMinMinor);
    const held = () =>
      Promise.all(ground.feePayerAddresses.map((address) => amountOf(address, native)));
    await until(
      async () => (await held()).every((one) => one > ground.feePayerMinor),
      'every top-up',
    );
    // Whatever would happen a second time has had its turn.
    await delay(1_500);
    expect(await amountOf(ground.wallet, token)).toBe(minted);
    const seen = await readSeen(database.store);
    expect([seen.length, new Set(seen).size]).toEqual([asked.length, asked.length]);
    for (const one of await held())
      expect([one <= toppedUp, one > toppedUp - ground.feesMaxMinor]).toEqual([true, true]);
    await ground.check?.(database);
    last.kill('SIGKILL');
  });
}
