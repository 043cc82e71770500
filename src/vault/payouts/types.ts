import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type {
  CorrectedAccount,
  PayoutDestination,
  PayoutProvider,
} from '../../providers/payout/payout.ts';
import type {
  PayoutAccountType,
  PayoutCurrency,
  PayoutRail,
} from '../../providers/payout/rails.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { PayoutStatus } from './machine.ts';

/** A payout as the vault's database keeps it. It names accounts by tokens only. */
export interface Payout {
  readonly id: string;
  readonly projectId: string;
  readonly paymentMethodId: string;
  readonly accountType: PayoutAccountType;
  readonly object: string;
  readonly provider: string;
  readonly rail: PayoutRail;
  readonly amountMinor: bigint;
  readonly currency: PayoutCurrency;
  readonly statement: string;
  readonly status: PayoutStatus;
  readonly bankKey: string;
  readonly counterparty: string | null;
  readonly entityType: 'individual' | 'business' | null;
  readonly bankReference: string | null;
  readonly code: string | null;
  readonly attention: string | null;
  readonly calls: number;
  readonly looks: number;
  readonly firstSentAt: Date | null;
  readonly lastSentAt: Date | null;
  readonly submittedAt: Date | null;
  readonly settledAt: Date | null;
  readonly finalAt: Date | null;
  readonly endedAt: Date | null;
  readonly overdueAt: Date | null;
  /**
   * What it waits for before it is handed in, as was told; false and null where it waits for
   * nothing.
   */
  readonly needsApproval: boolean;
  readonly heldUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What payouts need of the rest of the vault. */
export interface PayoutVault {
  /** @throws payment-method-not-found */
  describe(method: MethodRef): Promise<DescribedMethod>;
  /** The number, for one call to a bank. @throws payment-method-not-found, provider-unavailable */
  open(method: MethodRef & { readonly reason: string }): Promise<PayoutDestination>;
  /** False when the user has the corrected account already. @throws ServiceError */
  correct(
    method: MethodRef & { readonly reason: string; readonly correction: CorrectedAccount },
  ): Promise<boolean>;
  /** Notes the latest payout of a method. */
  notePayout(db: Db, payout: MethodRef & { readonly at: Date }): Promise<void>;
  /** The last statement of a transaction. */
  audit(
    tx: Tx,
    entry: {
      readonly actor: string;
      readonly action: string;
      readonly projectId: string;
      readonly subject: string;
      readonly detail?: JsonObject;
    },
  ): Promise<void>;
}

export interface DescribedMethod {
  readonly type: string;
  /** Keyed hash of the account within the project: the same for every payment method with it. */
  readonly destination: Buffer;
  /** When its person saved it first. */
  readonly since: Date;
}

export interface MethodRef {
  readonly id: string;
  readonly projectId: string;
}

/** What rules about payouts receive: they run in the vault process only. */
export interface PayoutCtx extends Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'> {
  readonly payouts: {
    /** The allow-list, in the order of preference. */
    readonly providers: readonly PayoutProvider[];
    readonly vault: PayoutVault;
    /** How long a new destination waits where no operator has said; 0 when absent. */
    readonly newDestinationWaitHours?: number;
    /** For the jitter of retries. */
    readonly random?: () => number;
  };
}

/** The provider that a stored payout was given to. @throws when it is not configured any more */
export function providerOf(ctx: PayoutCtx, payout: Pick<Payout, 'provider'>): PayoutProvider {
  const provider = ctx.payouts.providers.find(({ name }) => name === payout.provider);
  if (provider === undefined)
    throw new Error(
      `Payouts are under way with the provider "${payout.provider}", which PAYOUT_PROVIDERS does not name: put it back until they are done.`,
    );
  return provider;
}
