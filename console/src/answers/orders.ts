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
