import { randomBytes } from 'node:crypto';
import type { PayoutConfig } from '../../config/vault/payout-config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Store } from '../../store/types.ts';
import { createColumn } from './column.ts';
import type { PayoutProvider } from './payout.ts';
import { createSandboxBank, type SandboxBank } from './sandbox.ts';

export interface PayoutMeans {
  /** The vault's database: the sandbox keeps its books there. */
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * The allow-list as adapters. `sandbox` is there again by itself: somebody must hand over its
 * callbacks.
 */
export function createPayoutProviders(
  config: PayoutConfig,
  means: PayoutMeans,
): { readonly providers: readonly PayoutProvider[]; readonly sandbox?: SandboxBank } {
  const sandbox = config.some(({ kind }) => kind === 'sandbox')
    ? createSandboxBank({ ...means, callbackSecret: new Secret(randomBytes(32).toString('hex')) })
    : undefined;
  const providers = config.map((entry) =>
    entry.kind === 'sandbox' ? sandbox! : createColumn({ ...entry, clock: means.clock }),
  );
  return { providers, ...(sandbox && { sandbox }) };
}
