import pino from 'pino';
import { developmentConfig } from '../../../config/development-config.ts';
import type { Ctx } from '../../../context.ts';
import { createWorker, type FlowDefinition } from '../../../jobs/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { composeCtx } from '../../../processes/compose.ts';
import { checkoutFlow, orderRefundFlow } from '../index.ts';

// The flows of crypto-paid orders and of refunds as a process of its own, which kills itself where
// the test says.

export interface FlowsChildInput {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly rpcUrls: readonly (readonly [string, string])[];
  readonly testTokenAddress: `0x${string}`;
  readonly leaseMs: number;
  /** The transaction at which it ends, from 1 on, and whether that one is still committed. */
  readonly kill: { readonly at: number; readonly commits: boolean };
}

if (process.argv[2] === 'run') {
  const { rpcUrls, leaseMs, kill, ...input } = JSON.parse(process.argv[3]!) as FlowsChildInput;
  const config = developmentConfig({ ...input, rpcUrls: new Map(rpcUrls) });
  const ctx = await composeCtx(config, { log: pino({ level: 'silent' }), process: 'flows-child' });
  const { store } = ctx;
  let count = 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  const mortal: Ctx = {
    ...ctx,
    store: {
      ...store,
      async transaction(work) {
        count += 1;
        if (count !== kill.at) return store.transaction(work);
        if (!kill.commits)
          return store.transaction(async (tx) => void (await work(tx), die())) as never;
        const result = await store.transaction(work);
        die();
        return result;
      },
    },
  };
  const flows = [checkoutFlow, orderRefundFlow] as unknown as readonly FlowDefinition<
    JsonObject,
    Ctx
  >[];
  createWorker(mortal, { flows, leaseMs, pollMs: 50 }).start();
}
