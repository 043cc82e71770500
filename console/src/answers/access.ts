import type { InboxItem, Money, Role } from './shared.ts';

export interface ProjectLine {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly role: Role;
}

export interface ProjectAnswer {
  readonly project: ProjectLine;
  readonly approvalPage: {
    readonly name?: string;
    readonly hasLogo: boolean;
    readonly accent?: string;
    readonly accentDark?: string;
    readonly frameOrigins: readonly string[];
    readonly passkeyDomain?: string;
  };
  readonly hasIdentity: boolean;
  readonly comparison: {
    readonly endedAt?: string;
    readonly compared?: number;
    readonly skipped: readonly string[];
  };
}

export interface TransferLine {
  readonly id: string;
  readonly projectId: string;
  readonly subject: string;
  readonly chain: string;
  readonly amount: string;
  readonly currency: string;
  readonly recipient: string;
  readonly status: string;
  readonly txId?: string;
  readonly error?: string;
  readonly createdAt: string;
}

export interface KeyLine {
  readonly id: string;
  readonly projectId: string;
  readonly kind: string;
  readonly name: string;
  readonly hint: string;
  readonly state: 'active' | 'ending' | 'ended';
  readonly scopes: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly createdAt: string;
  readonly revokedAt?: string;
  readonly isChanged?: true;
}

export interface IssuerLine {
  readonly id: string;
  readonly projectId: string;
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly algorithm: string;
  readonly jwksUrl?: string;
  readonly keys?: number;
  readonly rules: {
    readonly namespace: string;
    readonly vouchesForEmail: boolean;
    readonly ageMaxSeconds: number;
  };
  readonly createdAt: string;
  readonly isChanged?: true;
}

export interface UserLine {
  readonly id: string;
  readonly projectId: string;
  readonly locator?: string;
  readonly hasData: boolean;
  readonly createdAt: string;
  readonly isChanged?: true;
}

export interface UserAnswer {
  readonly user: {
    readonly id: string;
    readonly projectId: string;
    readonly locator: string;
    readonly locators: readonly string[];
    readonly createdAt: string;
    readonly data: readonly string[];
    readonly documents: readonly string[];
    readonly legalDocuments: readonly {
      readonly type: string;
      readonly acceptedAt: string;
      readonly isInForce: boolean;
    }[];
  };
  readonly eligibility: readonly {
    readonly type: string;
    readonly status: string;
    readonly missingData?: readonly string[];
    readonly missingDocuments?: readonly string[];
  }[];
  readonly limits: readonly {
    readonly kind?: string;
    readonly method?: string;
    readonly subject: string;
    readonly token?: string;
    readonly period: string;
    readonly limit: string;
    readonly used: string;
    readonly hoursUntilReset: string;
    readonly currency: string;
  }[];
}

export interface HoldLine {
  readonly kind: 'order' | 'payout' | 'deposit';
  readonly id: string;
  readonly projectId: string;
  readonly since: string;
  readonly title: string;
  readonly reason: string;
  readonly amount?: Money;
  readonly orderId?: string;
}

export interface UnmatchedItem extends InboxItem {
  readonly days: number;
  readonly likely?: readonly {
    readonly id: string;
    readonly kind: string;
    readonly state: string;
    readonly createdAt: string;
    readonly pay: Money;
    readonly isSameAmount: boolean;
    readonly isSameSender: boolean;
    readonly takesIt: boolean;
  }[];
}

export interface ClockAnswer {
  readonly now: string;
  readonly aheadMs: number;
  readonly mayAdvance: boolean;
  readonly parts: readonly { readonly name: string; readonly aheadMs: number }[];
}
