import type { Timeline } from './orders.ts';

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
