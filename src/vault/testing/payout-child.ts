import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createWorker } from '../../jobs/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { PayoutProvider } from '../../providers/payout/payout.ts';
import { createSandboxBank } from '../../providers/payout/sandbox.ts';
import { aUsAccount } from '../../providers/payout/test-kit.ts';
import { createStore } from '../../store/pool.ts';
import type { Store } from '../../store/types.ts';
import { disburse } from '../payouts/disburse.ts';
import { payoutFlow } from '../payouts/flow.ts';
import type { PayoutCtx } from '../payouts/types.ts';
import { aVault, projectId } from './payout-kit.ts';

// A vault that pays out as a process of its own, for the tests that kill it at a chosen place.

/** In the order in which a payout passes them. */
export const deathPlaces = [
  'before it is stored',
  'after it is stored',
  'after the destination is known',
  'before the call',
  'after the bank took it',
  'before the answer is recorded',
  'after the answer is recorded',
] as const;
export type DeathPlace = (typeof deathPlaces)[number] | 'nowhere' | 'anywhere';

export interface ChildArguments {
  readonly url: string;
  readonly dieAt: DeathPlace;
  /**
   * From this moment the children's clock runs fifty times as fast, so that seconds of a rail are
   * not waited for.
   */
  readonly startedAtMs: number;
  /** Asks for this payout before it works. */
  readonly payoutId?: string;
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

async function runChild({ url, dieAt, payoutId, startedAtMs }: ChildArguments): Promise<void> {
  const clock: Clock = { now: () => new Date(startedAtMs + (Date.now() - startedAtMs) * 50) };
  const store = createStore({ url, poolSize: 6, applicationName: 'payout child' });
  const dies = (place: DeathPlace) => {
    if (dieAt === place) die();
  };
  let answered = false;
  const watched: Store = {
    ...store,
    transaction: async (work) => {
      if (answered) dies('before the answer is recorded');
      const result = await store.transaction(work);
      if (answered) dies('after the answer is recorded');
      return result;
    },
  };
  const bank = createSandboxBank({
    store,
    clock,
    ids: systemIds,
    callbackSecret: new Secret('whisper'),
  });
  const provider: PayoutProvider = {
    ...bank,
    introduce: async (input, signal) => {
      const introduced = await bank.introduce(input, signal);
      dies('after the destination is known');
      return introduced;
    },
    submit: async (order, signal) => {
      dies('before the call');
      // Long enough that a kill from outside lands in it.
      await delay(dieAt === 'anywhere' ? 5 : 0);
      const report = await bank.submit(order, signal);
      dies('after the bank took it');
      await delay(dieAt === 'anywhere' ? 5 : 0);
      answered = true;
      return report;
    },
  };
  const ctx: PayoutCtx = {
    store: watched,
    clock,
    ids: systemIds,
    log: pino({ level: 'silent' }),
    payouts: { providers: [provider], vault: aVault(new Map([['settles', aUsAccount()]])).vault },
  };
  process.stdout.write('ready\n');
  if (payoutId !== undefined) {
    dies('before it is stored');
    await disburse(ctx, {
      projectId,
      paymentMethodId: 'settles',
      payout: {
        id: payoutId,
        object: `order:${payoutId}`,
        rail: 'rtp',
        amountMinor: 500_00n,
        currency: 'usd',
      },
    });
    dies('after it is stored');
  }
  const worker = createWorker(ctx, {
    flows: [payoutFlow],
    leaseMs: 1_000,
    pollMs: 50,
    concurrency: 8,
  });
  worker.start();
  process.once('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
}

if (process.argv[2] === 'run') await runChild(JSON.parse(process.argv[3]!) as ChildArguments);
