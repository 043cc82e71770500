import type { Clock } from '../../../lib/clock.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import type { ChainEntrances } from '../capabilities/entrances.ts';
import type { readBudgets, SpendingBounds } from '../spending/budgets.ts';
import type { FeeKind } from '../spending/fee-tables.ts';
import type { LateNetwork } from './network.ts';

/** Points at which a test ends the process. */
export type KillPoint =
  | 'before-signature'
  | 'before-store'
  | 'after-store'
  | 'after-broadcast'
  | 'after-inclusion'
  | 'before-confirmation';

export interface LateRelayDeps extends Pick<ChainEntrances, 'settleOperations' | 'signBuilt'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly chain: string;
  readonly network: LateNetwork;
  /** `onChain` of a transaction that no block has. */
  readonly onChainOf: (txId: string) => JsonObject;
  readonly settings: LateRelaySettings;
  readonly bounds: SpendingBounds;
  /** Where it stands what projects and owners spend, and may. */
  readonly kind: FeeKind;
  /** Where others draw on the same budgets. */
  readonly readBudgets?: typeof readBudgets;
  /** How people call the smallest unit of the native token, e.g. `octas`. */
  readonly unit: string;
  readonly workerName: string;
  readonly killPoint?: ((point: KillPoint) => void) | undefined;
}

export interface LateRelaySettings {
  /** Operations under way at once in one process. */
  readonly inFlightMax: number;
  /** A transaction that no block has is sent again, the same bytes, after this pause. */
  readonly resendAfterMs: number;
  /** After this another worker takes over from one that died. */
  readonly leaseMs: number;
}
