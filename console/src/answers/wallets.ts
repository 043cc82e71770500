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
