import type { Logger } from 'pino';
import type { SolanaConfig } from '../../../config/config.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Store, Tx } from '../../../store/types.ts';
import type { KillPoint } from '../../family/late/types.ts';
import type { SpendingBounds } from '../../family/spending/budgets.ts';
import type { ChainEntrances, OperationOutcome } from '../../family.ts';
import type { Connect } from '../operation/node.ts';
import type { SigningAccount } from './keys.ts';

export interface RelayDeps extends Pick<ChainEntrances, 'signBuilt'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly chain: string;
  readonly connect: Connect;
  readonly feePayers: readonly SigningAccount[];
  /** Tops the fee payers up; absent: people do. */
  readonly treasury?: SigningAccount | undefined;
  readonly settings: SolanaConfig['relay'];
  /** Whose accounts the fee payers pay for; absent: there are no smart wallets. */
  readonly walletProgram?: string | undefined;
  readonly bounds: SpendingBounds;
  /** Called in the transaction that records how operations ended. */
  readonly settle: (tx: Tx, outcomes: readonly OperationOutcome[]) => Promise<void>;
  readonly workerName: string;
  readonly killPoint?: ((point: KillPoint) => void) | undefined;
}
