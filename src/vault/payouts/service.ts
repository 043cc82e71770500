import type { PayoutConfig } from '../../config/vault/payout-config.ts';
import type { PublicRoute } from '../../http/routes/public-routes.ts';
import { runScheduledJobs, type ScheduledJob } from '../../jobs/every.ts';
import { createWorker, defaultRetention } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createPayoutProviders } from '../../providers/payout/index.ts';
import type { SandboxBank } from '../../providers/payout/sandbox.ts';
import type { AnyInternalOperation, VaultCtx } from '../index.ts';
import { createPayoutVault } from './accounts.ts';
import { pruneBankEvents, receiveCallback } from './callbacks.ts';
import { payoutFlow } from './flow.ts';
import { createPayoutOperations } from './operations.ts';
import { reviveUnattended } from './operator.ts';
import type { PayoutCtx } from './types.ts';

/** Payouts as the vault process runs them. */
export interface Payouts {
  readonly ctx: PayoutCtx;
  readonly operations: readonly AnyInternalOperation[];
  readonly publicRoutes: readonly PublicRoute[];
  /** Starts the work: sending, looking up, waiting for the end of return windows. */
  start(): { stop(): Promise<void> };
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Puts payouts together: the allow-list of the configuration, the vault's payment methods, the
 * vault's database.
 */
export function createPayouts(
  vaultCtx: VaultCtx,
  config: PayoutConfig,
  options: { readonly newDestinationWaitHours?: number } = {},
): Payouts {
  const { store, clock, ids, log } = vaultCtx;
  const { newDestinationWaitHours } = options;
  const { providers, sandbox } = createPayoutProviders(config, { store, clock, ids });
  const ctx: PayoutCtx = {
    store,
    clock,
    ids,
    log,
    payouts: { providers, vault: createPayoutVault(vaultCtx), newDestinationWaitHours },
  };
  return {
    ctx,
    operations: createPayoutOperations(ctx),
    publicRoutes: [callbackRoute(ctx)],
    start: () => {
      const worker = createWorker(ctx, { flows: [payoutFlow], retention: defaultRetention });
      worker.start();
      const jobs = runScheduledJobs(payoutScheduledJobs(ctx, sandbox), log);
      return {
        stop: async () => {
          await jobs.stop();
          await worker.stop();
        },
      };
    },
  };
}

function payoutScheduledJobs(
  ctx: PayoutCtx,
  sandbox: SandboxBank | undefined,
): readonly ScheduledJob[] {
  return [
    { name: 'revive unattended payouts', everyMs: minuteMs, run: () => reviveUnattended(ctx) },
    { name: 'forget callbacks of banks', everyMs: 60 * minuteMs, run: () => pruneBankEvents(ctx) },
    ...(sandbox
      ? [
          {
            name: 'callbacks of the sandbox bank',
            everyMs: secondMs,
            run: () => deliverSandbox(ctx, sandbox),
          },
        ]
      : []),
  ];
}

/**
 * The sandbox bank has no network between it and us: its callbacks take the same way from the
 * signature on.
 */
function deliverSandbox(ctx: PayoutCtx, sandbox: SandboxBank): Promise<number> {
  return sandbox.deliverDue(async ({ headers, body }) => {
    await receiveCallback(ctx, { provider: sandbox.name, headers, body });
  });
}

/** Where banks post: `{vault_url}/callbacks/payouts/<provider>`. */
function callbackRoute(ctx: PayoutCtx): PublicRoute {
  return {
    method: 'POST',
    path: '/callbacks/payouts/:provider',
    handler: async (_, { params, headers, body }) => {
      const single = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? undefined : value,
        ]),
      );
      try {
        const outcome = await receiveCallback(ctx, {
          provider: params.provider ?? '',
          headers: single,
          body,
        });
        return { status: 200, headers: jsonHeaders, body: JSON.stringify({ outcome }) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return {
          status: error.status,
          headers: jsonHeaders,
          body: JSON.stringify({ error: true, message: error.message }),
        };
      }
    },
  };
}
