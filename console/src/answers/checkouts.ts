import type { InboxItem, Money } from './shared.ts';

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
