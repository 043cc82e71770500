import type { Logger } from 'pino';
import type { Operation } from '../../../../contracts/index.ts';
import type { EvmConfig } from '../../../config/config.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Store, Tx } from '../../../store/types.ts';
import type { OperationOutcome } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import type { EvmNetwork } from '../config/networks.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import type { SignedDelegation } from '../wallet/delegation.ts';

export type { Hex };

/** A fully signed wallet operation for the relay. */
export interface RelayItem {
  /**
   * The transaction's id (UUID); comes back in the outcome. Enqueuing it twice is the same as once.
   */
  readonly operationId: string;
  /** What it is for; comes back in the outcome. */
  readonly subject: string;
  readonly projectId: string;
  /** Whose budget for gas it takes beside the project's; the wallet itself by default. */
  readonly owner?: string;
  readonly chain: string;
  /** EIP-712 hash of `op`, as `hashOperation` gives it. */
  readonly operationHash: Hex;
  /** End of `op.validUntil`. */
  readonly validUntil: Date;
  /** Gas cap of deployment and operation together. */
  readonly gasLimit: bigint;
  readonly op: Operation;
  readonly signature: Hex;
  /** `0x` when the wallet is known to be deployed. */
  readonly deployment: Hex;
  /** Of an account that is not known to have delegated to our code for a while. */
  readonly delegation?: SignedDelegation;
}

/** Points at which a test ends the process. */
export type KillPoint =
  | 'before-store'
  | 'after-store'
  | 'after-broadcast'
  | 'after-inclusion'
  | 'before-confirmation';

export interface RelayDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: EvmConfig;
  readonly rpc: (chain: string) => RpcClient;
  /** The second node of a chain; undefined where none is configured. */
  readonly secondRpc?: (chain: string) => Promise<RpcClient | undefined>;
  readonly network: (chain: string) => EvmNetwork;
  /**
   * Called in the transaction that records how operations ended. May tell the same operation again
   * after a reorganisation.
   */
  readonly settle: (tx: Tx, outcomes: readonly OperationOutcome[]) => Promise<void>;
  /** Shown with the leases that this process holds. */
  readonly workerName: string;
  readonly killPoint?: (point: KillPoint) => void;
}

/** The fee of a transaction, wei per gas. On a chain without EIP-1559 both are the gas price. */
export interface Fees {
  readonly maxFeeWei: bigint;
  readonly tipWei: bigint;
  readonly legacy: boolean;
}
