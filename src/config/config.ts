import type { SpendingBounds } from '../chains/evm/config/networks.ts';
import type { Environment } from '../context.ts';
import type { Secret } from '../lib/sealing/secret.ts';

/**
 * Everything the processes are told from outside, checked at start-up. `load-config.ts` makes it
 * from the environment.
 */
export interface Config {
  readonly environment: Environment;
  readonly api: {
    readonly host: string;
    readonly port: number;
    /** Base address as callers see it, ending in `/api`. */
    readonly baseUrl: string;
    /** Proxies of ours before the process, each of which adds to `X-Forwarded-For`. */
    readonly trustedProxies: number;
  };
  /** The operators' console, at this address without a slash at its end; absent: there is none. */
  readonly console?: { readonly url: string };
  /**
   * Decimal amounts by currency above which an operator's decision takes a second person; absent:
   * one decides.
   */
  readonly secondPersonAbove?: ReadonlyMap<string, string>;
  /** Where `/metrics` is served; never the public port. Absent: not served. */
  readonly metrics?: { readonly host: string; readonly port: number };
  readonly database: { readonly url: Secret; readonly poolSize: number };
  /** Domain that self-issued JWTs name as audience. */
  readonly serviceDomain: string;
  /**
   * Ed25519 seed (32 bytes) that signs API keys of this environment; absent where keys are only
   * checked.
   */
  readonly keySigning: {
    readonly privateKeySeed?: Secret<Uint8Array>;
    readonly publicKey: Uint8Array;
  };
  /** Key-encryption keys of 32 bytes, by id; the first seals, all open. */
  readonly keyEncryptionKeys: readonly { readonly id: string; readonly key: Secret<Uint8Array> }[];
  /**
   * The same for keys of treasuries: empty but in the worker, and where an operator moves what lies
   * there.
   */
  readonly treasuryKeyEncryptionKeys: readonly {
    readonly id: string;
    readonly key: Secret<Uint8Array>;
  }[];
  /** Production only: hosts that are reached without verified TLS, because a setting allows it. */
  readonly plaintextHosts?: readonly string[];
  /** Absent: no rate limits (development). */
  readonly rateLimits?: { readonly writesPerMinute: number; readonly readsPerMinute: number };
  readonly evm: EvmConfig;
  readonly solana: SolanaConfig;
  readonly aptos: AptosConfig;
  readonly stellar: StellarConfig;
  readonly sui: SuiConfig;
  readonly pricing:
    | { readonly kind: 'sandbox' }
    | { readonly kind: 'coingecko'; readonly url: string; readonly apiKey?: Secret };
  readonly identity: IdentityConfig;
  readonly messaging: MessagingConfig;
  /** Who takes card payments. */
  readonly card: CardConfig;
  /** Where the cards of agent checkouts come from. */
  readonly cardSource: CardSourceConfig;
  /** One-time codes that one project may send in an hour. */
  readonly signerCodesPerHourMax: number;
  readonly screening: ScreeningConfig;
  /** How this process reaches the vault; absent: payment methods are refused. */
  readonly vault?: VaultLinkConfig;
  /** Where runners of agent checkouts ask the worker; absent: checkouts wait. */
  readonly runnerGateway?: RunnerGatewayConfig;
  /** Agent checkouts that may be open at once; 20 of a user and 1,000 of a project when absent. */
  readonly openCheckouts?: { readonly perUserMax: number; readonly perProjectMax: number };
  /** The app's page of a checkout, with `{checkoutId}` in it. */
  readonly checkoutPageUrl?: string;
  /** Days for which pictures of agent checkouts are kept; 30 when absent. */
  readonly checkoutPictureDays?: number;
  /** How the API asks runners for live pictures; absent: there are none. */
  readonly runnerLive?: RunnerLiveConfig;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
}

export interface RunnerGatewayConfig {
  readonly host: string;
  readonly port: number;
  /** Ed25519 seed (32 bytes) that signs answers to runners. */
  readonly signingSeed: Secret<Uint8Array>;
  /** Ed25519 public key (32 bytes) that runners sign with. */
  readonly runnerPublicKey: Uint8Array;
}

export interface RunnerLiveConfig {
  /** Ed25519 seed (32 bytes) that signs requests for live pictures. */
  readonly seed: Secret<Uint8Array>;
}

/** The vault as a process of the main side knows it. */
export interface VaultLinkConfig {
  /** Scheme, host and port of its internal requests. */
  readonly origin: string;
  /** Its interface as callers see it; ends in `/api`. */
  readonly publicUrl?: string;
  /** As whom this process asks: what the vault lets it do. */
  readonly peer: 'api' | 'worker';
  /** Ed25519 seed (32 bytes) that signs the requests. */
  readonly seed: Secret<Uint8Array>;
  /** Ed25519 public key (32 bytes) that answers must be signed with. */
  readonly vaultPublicKey: Uint8Array;
}

/** `off`: nothing is sent, and signers that need codes are refused. */
export interface MessagingConfig {
  readonly email:
    | { readonly kind: 'off' }
    | { readonly kind: 'sandbox' }
    | {
        readonly kind: 'smtp';
        readonly host: string;
        readonly port: number;
        readonly security: 'starttls' | 'tls' | 'none';
        readonly user?: string;
        readonly password?: Secret;
        /** An address, or `Name <address>`. */
        readonly from: string;
      };
  readonly sms:
    | { readonly kind: 'off' }
    | { readonly kind: 'sandbox' }
    | {
        readonly kind: 'http';
        readonly url: string;
        readonly accountId: string;
        readonly authToken: Secret;
        readonly from: string;
      };
}

/** The acquirer. `off`: orders are not paid by card. */
export type CardConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'sandbox' }
  | {
      readonly kind: 'stripe';
      readonly url: string;
      readonly secretKey: Secret;
      readonly publishableKey: string;
      /** Of the webhook endpoint; the first is the present one, all are accepted. */
      readonly webhookSecrets: readonly Secret[];
    };

/** `off`: agent checkouts pay by no card. `user`: each asks its user for one. */
export type CardSourceConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'user' }
  | { readonly kind: 'sandbox' }
  | {
      readonly kind: 'stripe-issuing';
      readonly url: string;
      readonly secretKey: Secret;
      /** Whose cards they are: `ich_…`. */
      readonly cardholderId: string;
    };

/** Sanctions lists. `off`: every address passes, and the start says so. */
export type ScreeningConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'files'; readonly paths: readonly string[] };

export interface IdentityConfig {
  readonly kyc: KycConfig;
  /**
   * When the privacy policy that is in force came: acceptances before it no longer count. Absent:
   * every acceptance counts.
   */
  readonly privacyPolicySince?: Date;
  /** Where people read the privacy policy; always set where a company is configured. */
  readonly privacyPolicyUrl?: string;
  /** Caps of one project in a day. */
  readonly limits: {
    readonly documentUploadsPerDayMax: number;
    readonly walletLinksPerDayMax: number;
    readonly identityStartsPerDayMax: number;
  };
}

/** The company that checks identities. `off`: no project has the product. */
export type KycConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'sandbox' }
  | {
      readonly kind: 'persona';
      readonly url: string;
      readonly hostedUrl: string;
      readonly version: string;
      readonly apiKey: Secret;
      /** The first is the present one; all are accepted. */
      readonly callbackSecrets: readonly Secret[];
      readonly templates: { readonly light: string; readonly full: string };
      readonly environmentId?: string;
      /** Template fields that take a file, by document type. */
      readonly documentFields: ReadonlyMap<string, string>;
      readonly passesWhen: 'approved' | 'completed';
    };

export interface EvmConfig {
  /** RPC address by chain name; a name without one is refused with the setting's name. */
  readonly rpcUrls: ReadonlyMap<string, string>;
  /**
   * A second, independent node by chain name: what it does not confirm of a deposit is not paid
   * for.
   */
  readonly secondRpcUrls?: ReadonlyMap<string, string>;
  /**
   * US dollars: deposits worth more are paid for only where a second node confirms them. Absent: no
   * bound.
   */
  readonly depositAloneMaxUsd?: string;
  /**
   * Private keys (0x, 32 bytes) of the accounts that send batches. Empty in a process that does not
   * relay.
   */
  readonly executorKeys: readonly Secret<`0x${string}`>[];
  /** Account that tops the executors up and, on test networks, mints test tokens. */
  readonly treasuryKey?: Secret<`0x${string}`>;
  /** Its address, where the key is not known. */
  readonly treasuryAddress?: `0x${string}`;
  readonly relay: {
    /** A batch is sent when it holds this many operations … */
    readonly batchSizeMax: number;
    /** … or when its oldest operation has waited this long. */
    readonly flushAfterMs: number;
    /** Batches of one executor that may be unconfirmed at once. */
    readonly inFlightMax: number;
    /** Age at which an unconfirmed transaction's fee is raised. */
    readonly bumpAfterMs: number;
    /** An executor below this balance (wei) is topped up to twice of it. */
    readonly executorBalanceMinWei: bigint;
    readonly leaseMs: number;
  };
  readonly watcher: {
    readonly pollMs: number;
    readonly blockRangeMax: number;
    /**
     * Block at which a chain never followed is begun, by chain name; without one: the block of its
     * first use.
     */
    readonly startHeights?: ReadonlyMap<string, bigint>;
  };
  readonly rpcTimeoutMs: number;
  /** What may be spent for gas, by chain name; what is absent is that of the network's data. */
  readonly bounds?: ReadonlyMap<string, Partial<SpendingBounds>>;
  /** Chains whose nodes do not know EIP-7702, whatever is known of the network. */
  readonly withoutDelegation?: ReadonlySet<string>;
  /** Where the test stablecoin stands, the same on every test network; absent: no test funding. */
  readonly testTokenAddress?: `0x${string}`;
}

export interface AptosConfig {
  /** Absent: the chain is refused with the setting's name. */
  readonly rpcUrl?: string;
  /**
   * Seeds (32 bytes) of the Ed25519 keys of the accounts that pay the fees. Empty in a process that
   * does not relay.
   */
  readonly feePayerKeys: readonly Secret<Uint8Array>[];
  /** Of the account that tops the fee payers up and, on test networks, gives test tokens. */
  readonly treasuryKey?: Secret<Uint8Array>;
  /** Its address, where the key is not known. */
  readonly treasuryAddress?: string;
  /** Fungible asset that is the test stablecoin; absent: no test funding. */
  readonly testTokenAddress?: string;
  readonly relay: {
    /** Units of gas of one transaction. */
    readonly gasAmountMax: bigint;
    /** In octas, whatever a node says. */
    readonly gasUnitPriceMax: bigint;
    /** A fee payer below this balance is topped up to twice of it. */
    readonly feePayerBalanceMinOctas: bigint;
    /** Given to fee payers in 24 hours, at most. */
    readonly topUpDayMaxOctas: bigint;
    /** Operations of one worker that may be under way at once. */
    readonly inFlightMax: number;
    /** Pause after which an unconfirmed transaction is sent again. */
    readonly resendAfterMs: number;
    readonly leaseMs: number;
  };
  readonly watcher: {
    readonly pollMs: number;
    /** Versions that are read and recorded in one step. */
    readonly versionsMax: number;
    /** Version at which a chain never followed is begun; absent: the one of its first use. */
    readonly startVersion?: bigint;
  };
  readonly rpcTimeoutMs: number;
}

export interface SolanaConfig {
  /** Absent: the chain is refused with the setting's name. */
  readonly rpcUrl?: string;
  /** A second, independent node: what it does not confirm of a deposit is not paid for. */
  readonly secondRpcUrl?: string;
  /**
   * US dollars: deposits worth more are paid for only where a second node confirms them. Absent: no
   * bound.
   */
  readonly depositAloneMaxUsd?: string;
  /**
   * Keypairs (seed and public key, 64 bytes) of the accounts that pay the fees. Empty in a process
   * that does not relay.
   */
  readonly feePayerKeys: readonly Secret<Uint8Array>[];
  /**
   * Keypair of the account that tops the fee payers up and, on test clusters, mints test tokens.
   */
  readonly treasuryKey?: Secret<Uint8Array>;
  /** Its address, where the keypair is not known. */
  readonly treasuryAddress?: string;
  /** Mint of the test stablecoin; absent: no test funding. */
  readonly testTokenMint?: string;
  /** Where the wallet program stands; absent: no smart wallets. */
  readonly walletProgramId?: string;
  readonly relay: {
    /** Per compute unit, whatever a node says. */
    readonly priorityFeeMaxMicroLamports: bigint;
    /** Nonce accounts of the pool. */
    readonly noncesMax: number;
    /** A fee payer below this balance is topped up to twice of it. */
    readonly feePayerBalanceMinLamports: bigint;
    /** Given to fee payers in 24 hours, at most. */
    readonly topUpDayMaxLamports: bigint;
    /** Transactions of one fee payer that may be unconfirmed at once. */
    readonly inFlightMax: number;
    /** Pause after which an unconfirmed transaction is sent again. */
    readonly resendAfterMs: number;
    readonly leaseMs: number;
  };
  readonly watcher: {
    readonly pollMs: number;
    /** Blocks that are read and recorded in one step. */
    readonly blocksMax: number;
    /** Slot at which a chain never followed is begun; absent: the slot of its first use. */
    readonly startSlot?: bigint;
  };
  readonly rpcTimeoutMs: number;
}

export interface StellarConfig {
  /** Absent: the chain is refused with the setting's name. */
  readonly rpcUrl?: string;
  /** A second, independent node: what it does not confirm of a deposit is not paid for. */
  readonly secondRpcUrl?: string;
  /**
   * US dollars: deposits worth more are paid for only where a second node confirms them. Absent: no
   * bound.
   */
  readonly depositAloneMaxUsd?: string;
  /**
   * Ed25519 seeds (32 bytes) of the accounts that send transactions and pay the fees. Empty in a
   * process that does not relay.
   */
  readonly feePayerKeys: readonly Secret<Uint8Array>[];
  /** Seed of the account that tops the fee payers up and, on test networks, issues test tokens. */
  readonly treasuryKey?: Secret<Uint8Array>;
  /** Its address, where the seed is not known. */
  readonly treasuryAddress?: string;
  /** Contract of the test stablecoin; absent: no test funding. */
  readonly testTokenContract?: string;
  /** Where the wallet factory stands; absent: no smart wallets. */
  readonly walletFactoryId?: string;
  /** SHA-256 of the code that `upgrade-wallet` puts in place, in hexadecimal; absent: none. */
  readonly walletCodeHash?: string;
  readonly relay: {
    /** Of one transaction, whatever a node says, rent included. */
    readonly feeMaxStroops: bigint;
    /** A fee payer below this balance is topped up to twice of it. */
    readonly feePayerBalanceMinStroops: bigint;
    /** Given to fee payers in 24 hours, at most. */
    readonly topUpDayMaxStroops: bigint;
    /** Pause after which a transaction that no ledger has is sent again. */
    readonly resendAfterMs: number;
    readonly leaseMs: number;
  };
  readonly watcher: {
    readonly pollMs: number;
    /** Ledgers that are read and recorded in one step. */
    readonly ledgersMax: number;
    /** Ledger at which a chain never followed is begun; absent: the ledger of its first use. */
    readonly startLedger?: number;
  };
  readonly rpcTimeoutMs: number;
}

export interface SuiConfig {
  /** Absent: the chain is refused with the setting's name. */
  readonly rpcUrl?: string;
  /** A second, independent node: what it does not confirm of a deposit is not paid for. */
  readonly secondRpcUrl?: string;
  /**
   * US dollars: deposits worth more are paid for only where a second node confirms them. Absent: no
   * bound.
   */
  readonly depositAloneMaxUsd?: string;
  /**
   * Seeds of the Ed25519 keys of the accounts that sponsor transactions. Empty in a process that
   * does not relay.
   */
  readonly feePayerKeys: readonly Secret<Uint8Array>[];
  /** Seed of the account that tops the fee payers up and, on test networks, mints test tokens. */
  readonly treasuryKey?: Secret<Uint8Array>;
  /** Its address, where the key is not known. */
  readonly treasuryAddress?: string;
  /** Type of the coins of the test stablecoin; absent: no test funding. */
  readonly testCoinType?: string;
  /** Amounts are in MIST. */
  readonly relay: {
    /** For a unit of computation, whatever a node says. */
    readonly priceMaxMist: bigint;
    /** What one transaction may cost. */
    readonly budgetMaxMist: bigint;
    /** Coins that are kept to pay for transactions. */
    readonly gasCoinsMax: number;
    /** A fee payer below this balance is topped up to twice of it. */
    readonly feePayerBalanceMinMist: bigint;
    /** Given to fee payers in 24 hours, at most. */
    readonly topUpDayMaxMist: bigint;
    /** Operations under way at once in one process. */
    readonly inFlightMax: number;
    /** Pause after which a transaction that no checkpoint has is sent again. */
    readonly resendAfterMs: number;
    readonly leaseMs: number;
  };
  readonly watcher: {
    readonly pollMs: number;
    /** Checkpoints that are read and recorded in one step. */
    readonly checkpointsMax: number;
    /** Checkpoint at which a chain never followed is begun; absent: that of its first use. */
    readonly startCheckpoint?: bigint;
  };
  readonly rpcTimeoutMs: number;
}
