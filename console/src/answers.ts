/**
 * The routes of the console; everything that they answer may hold text of others, and is shown as
 * text.
 */

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Decision {
  readonly rule: string;
  readonly label: string;
  readonly effect: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly asks?: readonly {
    readonly name: string;
    readonly label: string;
    readonly optional?: boolean;
  }[];
}

export interface InboxItem {
  readonly kind: string;
  readonly id: string;
  readonly projectId: string;
  readonly since: string;
  readonly deadlineAt?: string;
  readonly title: string;
  readonly reason: string;
  readonly amount?: Money;
  readonly orderId?: string;
  readonly decisions: readonly Decision[];
  readonly command: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export type Role = 'viewer' | 'support' | 'finance' | 'admin';
export const roles: readonly Role[] = ['viewer', 'support', 'finance', 'admin'];

export interface Me {
  readonly id: string;
  readonly name: string;
  readonly console: string;
  readonly environment: string;
  readonly now: string;
  readonly sessionExpiresAt: string;
  readonly isAdmin: boolean;
  /** Has a role in every project, and so may look at the instance as a whole. */
  readonly seesWhole: boolean;
  readonly passkeys: readonly { readonly id: string; readonly transports: readonly string[] }[];
  readonly projects: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly rules: Readonly<Record<string, Role>>;
  readonly eventTypes: readonly string[];
}

export interface TermsAmount {
  readonly currency: string;
  readonly decimals: number;
  readonly amountMinor: string;
}

export interface OrderLine {
  readonly id: string;
  readonly projectId: string;
  readonly kind: string;
  readonly state: string;
  readonly attention: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deadlineAt: string | null;
  readonly terms: { readonly pay: TermsAmount; readonly receive: TermsAmount } | null;
}

export interface Timeline {
  readonly order: {
    readonly id: string;
    readonly projectId: string;
    readonly kind: string;
    readonly state: string;
    readonly attention?: string;
    readonly userLocator?: string;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly deadlineAt?: string;
    readonly terms?: {
      readonly pay: TermsAmount;
      readonly receive: TermsAmount;
      readonly fees: readonly (TermsAmount & { readonly type: string })[];
    };
  };
  readonly moves: readonly {
    readonly nr: number;
    readonly from?: string;
    readonly event: string;
    readonly to: string;
    readonly note?: string;
    readonly at: string;
  }[];
  readonly deposits: readonly {
    readonly id: string;
    readonly status: string;
    readonly chain: string;
    readonly amountMinor: string;
    readonly token: {
      readonly decimals: number;
      readonly symbol?: string;
      readonly locator: string;
    };
    readonly sender: string;
    readonly txId: string;
    readonly explorerLink?: string;
    readonly seenAt: string;
  }[];
  readonly refunds: readonly {
    readonly id: string;
    readonly reason: string;
    readonly status: string;
    readonly amountMinor: string;
    readonly decimals: number;
    readonly asset: string;
    readonly recipient: string;
    readonly error?: string;
    readonly createdAt: string;
  }[];
  readonly payout?: {
    readonly id: string;
    readonly rail: string;
    readonly status: string;
    readonly currency: string;
    readonly askedAt: string;
    readonly code?: string;
    readonly reason?: string;
  };
  readonly payoutWait?: string;
  readonly ledger: readonly {
    readonly account: string;
    readonly asset: string;
    readonly postedMinor: string;
    readonly pendingMinor: string;
  }[];
  readonly entries: readonly {
    readonly id: string;
    readonly kind: string;
    readonly phase: string;
    readonly reference: string;
    readonly recordedAt: string;
    readonly postings: readonly {
      readonly account: string;
      readonly asset: string;
      readonly amountMinor: string;
    }[];
  }[];
  readonly assets: Readonly<Record<string, { readonly decimals: number; readonly symbol: string }>>;
}

export type Assets = Readonly<
  Record<string, { readonly decimals: number; readonly symbol: string }>
>;

export interface Books {
  readonly groups: readonly {
    readonly prefix: string;
    readonly title: string;
    readonly meaning: string;
    readonly rows: Timeline['ledger'];
  }[];
  readonly assets: Assets;
}

export interface TrialBalance {
  readonly balances: readonly {
    readonly asset: string;
    readonly debitMinor: string;
    readonly creditMinor: string;
    readonly accounts: readonly {
      readonly account: string;
      readonly debitMinor: string;
      readonly creditMinor: string;
      readonly pendingMinor: string;
    }[];
  }[];
  readonly assets: Assets;
}

export interface BookedEntry {
  readonly id: string;
  readonly kind: string;
  readonly phase: string;
  readonly orderId?: string;
  readonly recordedAt: string;
  readonly postings: readonly {
    readonly account: string;
    readonly asset: string;
    readonly amountMinor: string;
    readonly decimals: number;
    readonly symbol: string;
  }[];
}

export interface ChainHealth {
  readonly chain: string;
  readonly failure?: string;
  readonly watch?: {
    readonly lagBlocks: string;
    readonly silentMs: number;
    readonly followed: boolean;
    readonly stalled: boolean;
    readonly failure?: string;
    readonly alarm?: string;
  };
  readonly relay?: {
    readonly queued: number;
    readonly inFlight: number;
    readonly oldestQueuedMs: number;
    readonly alarm?: string;
    readonly accounts: readonly {
      readonly address: string;
      readonly role: string;
      readonly balance?: string;
      readonly currency?: string;
      readonly alarm?: string;
    }[];
  };
}

/** Counts of every hour, from `since` on. */
export interface HealthHours {
  readonly since: string;
  readonly orders: readonly number[];
  readonly events: readonly number[];
}

interface CallSum {
  readonly calls: number;
  readonly failures: number;
}

export interface Health {
  readonly readiness: {
    readonly ready: boolean;
    readonly checks: Readonly<Record<string, string>>;
  };
  readonly chains: readonly ChainHealth[];
  readonly failing: readonly {
    readonly kind: string;
    readonly lastError: string;
    readonly count: number;
    readonly lastAt: string;
  }[];
  readonly due: readonly {
    readonly kind: string;
    readonly due: number;
    readonly oldestMs: number;
  }[];
  readonly readers: readonly {
    readonly name: string;
    readonly behind: number;
    readonly parked: number;
    readonly lastError: string | null;
  }[];
  readonly webhooks: {
    readonly due: number;
    readonly waiting: number;
    readonly oldestDueMs: number;
  };
  readonly providers: readonly {
    readonly provider: string;
    readonly hour: CallSum;
    readonly twoDays: CallSum;
    /** Start of the last ten minutes in which one failed. */
    readonly lastFailureAt?: string;
  }[];
  readonly stopped: readonly {
    readonly id: string;
    readonly kind: string;
    readonly step: string;
    readonly attempts: number;
    readonly lastError: string | null;
    readonly updatedAt: string;
  }[];
}

export interface AuditLine {
  readonly seq: string;
  readonly at: string;
  readonly actor:
    | { readonly kind: 'operator'; readonly name: string; readonly role: string }
    | { readonly kind: 'command-line'; readonly osUser: string; readonly host: string };
  readonly action: string;
  readonly outcome: string;
  readonly projectId?: string;
  readonly subject?: string;
  readonly reason: string;
  readonly changed: Readonly<Record<string, unknown>>;
}

export interface OperatorLine {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly roles: Readonly<Record<string, Role>>;
  readonly createdAt: string;
  readonly passkeys: readonly string[];
  readonly sessions: number;
  readonly invitedUntil?: string;
}

export interface WalletLine {
  readonly id: string;
  readonly projectId: string;
  readonly chainType: string;
  readonly type: string;
  readonly address: string;
  readonly owner?: string;
  readonly alias?: string;
  readonly purpose?: string;
  readonly createdAt: string;
  readonly isChanged?: true;
}

export interface SignerLine {
  readonly type: string;
  readonly threshold?: number;
  readonly members?: readonly SignerLine[];
  readonly scopes?: readonly {
    readonly tokenLocator: string;
    readonly recipients?: readonly string[];
    readonly spendingLimit?: { readonly amount: string; readonly interval?: number };
  }[];
  readonly [field: string]: unknown;
}

export interface WalletAnswer {
  readonly wallet: WalletLine;
  readonly recovery: readonly SignerLine[];
  readonly signers: readonly (SignerLine & {
    readonly addedAt: string;
    readonly withWallet: boolean;
    readonly expiresAt?: string;
    readonly chains: readonly {
      readonly chain: string;
      readonly state: string;
      readonly registration?: string;
    }[];
  })[];
}

/** What a network says of the limits of one delegated signer, by its locator. */
export type SignerLimits = { readonly signer: string; readonly chain: string } & (
  | {
      readonly limits: readonly {
        readonly currency: string;
        readonly limit: string;
        readonly used: string;
        readonly intervalSeconds?: number;
        readonly renewsAt?: string;
      }[];
    }
  | { readonly unknown: string }
);

export interface TransactionLine {
  readonly id: string;
  readonly chain: string;
  readonly subject: string;
  readonly status: string;
  readonly txId?: string;
  readonly explorerLink?: string;
  readonly send?: { readonly amount?: string; readonly recipient?: string };
  readonly tokenLocator?: string;
  readonly approvals: { readonly given: number; readonly open: number };
  readonly error?: string;
  readonly createdAt: string;
}

export interface CheckoutLine {
  readonly id: string;
  readonly projectId: string;
  readonly status: string;
  readonly step: string;
  readonly outcome?: string;
  readonly target: { readonly url: string; readonly request?: string };
  readonly failure?: { readonly message?: unknown; readonly reason?: unknown };
  readonly createdAt: string;
  readonly endedAt?: string;
}

export interface CheckoutAnswer {
  readonly checkout: CheckoutLine & {
    readonly constraints?: Readonly<Record<string, unknown>>;
    readonly receipt?: Readonly<Record<string, unknown>>;
  };
  readonly permit?: { readonly amount: string; readonly currency: string; readonly origin: string };
  readonly steps: readonly {
    readonly nr: number;
    readonly step: string;
    readonly at: string;
    readonly url?: string;
    readonly detail?: Readonly<Record<string, unknown>>;
    readonly hasPicture: boolean;
  }[];
  readonly progress: readonly {
    readonly title?: string;
    readonly message?: string;
    readonly createdAt: string;
  }[];
  readonly actions: readonly {
    readonly kind: string;
    readonly status: string;
    readonly createdAt: string;
  }[];
  readonly cards: readonly {
    readonly nr: number;
    readonly source: string;
    readonly limit: Money;
    readonly closedAt?: string;
  }[];
  readonly decision?: { readonly outcome: string; readonly by: string; readonly note: string };
  readonly waiting?: InboxItem;
}

export interface LiquidityLine {
  readonly projectId: string;
  readonly place: string;
  readonly account: string;
  readonly asset: string;
  readonly currency: string;
  readonly held: string;
  readonly pending: string;
  readonly promised?: { readonly amount: string; readonly orders: number };
  readonly isShort: boolean;
  readonly lastDay: string;
  readonly hoursLeft?: number;
}

export interface LiquidityAnswer {
  readonly rows: readonly LiquidityLine[];
  readonly gas?: readonly {
    readonly chain: string;
    readonly address: string;
    readonly role: string;
    readonly balance?: string;
    readonly currency?: string;
    readonly alarm?: string;
    readonly spentHour?: string;
  }[];
}

export interface PayoutLine {
  readonly payoutId: string;
  readonly id: string;
  readonly projectId: string;
  readonly state: string;
  readonly payout: {
    readonly rail: string;
    readonly currency: string;
    readonly decimals: number;
    readonly amountMinor: string;
    readonly status: string;
    readonly askedAt: string;
    readonly code?: string;
    readonly reason?: string;
  };
  readonly waits?: string;
  readonly isLate: boolean;
}

export interface PayoutSwitch {
  readonly limits?: readonly {
    readonly currency: string;
    readonly perPayout: string;
    readonly projectDay: string;
    readonly secondPersonAbove: string;
    readonly used: readonly {
      readonly projectId: string;
      readonly amount: string;
      readonly isFull: boolean;
    }[];
  }[];
  readonly newDestinationWaitHours: number;
  readonly stop?: { readonly stoppedAt: string; readonly reason: string };
}

export interface EndpointLine {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly description?: string;
  readonly events?: readonly string[];
  readonly status: string;
  readonly disabledReason?: string;
  readonly failingSince?: string;
  readonly createdAt: string;
}

export interface DeliveryLine {
  readonly id: string;
  readonly endpointId: string;
  readonly eventType: string;
  readonly object: string;
  readonly kind: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly createdAt: string;
}

export interface DeliveryAnswer extends Omit<DeliveryLine, 'attemptCount'> {
  readonly projectId: string;
  readonly attempts: readonly {
    readonly at: string;
    readonly statusCode?: number;
    readonly durationMs: number;
    readonly error?: string;
    readonly answer?: string;
  }[];
  readonly payload: unknown;
  readonly nextAttemptAt?: string;
}

export interface EventLine {
  readonly id: string;
  readonly projectId: string;
  readonly type: string;
  readonly object: string;
  readonly createdAt: string;
  readonly payload: unknown;
  readonly isChanged?: true;
}
