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
