import type { Config } from '../../config/config.ts';
import type { Environment } from '../../context.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CommandInput } from '../../lib/command.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { SealedTable } from '../../store/row-mac.ts';
import type { Db, Store } from '../../store/types.ts';
import type { ChainFamily } from '../family.ts';
import type { ChainType } from './capabilities/networks.ts';
import type { Messages, MessageVerifier, SignatureType } from './capabilities/signatures.ts';
import type { SubmittedApproval } from './capabilities/signers.ts';
import type { WalletType } from './capabilities/wallets.ts';
import type { FeeBook } from './spending/fee-book.ts';

/** A family by name. Wallets of `xion` can only be linked. */
export type FamilyName = ChainType | 'xion';

/**
 * What is known of a family without its chain library and without a node: plain data, and rules
 * that need no more than the text before them. It is read at every start, whatever is configured;
 * its code is read by {@link FamilyFacts.load}.
 */
export interface FamilyFacts {
  readonly name: FamilyName;
  /** Types that the interface has, the default first; empty: no wallets. */
  readonly walletTypes: readonly WalletType[];
  readonly signatureTypes: readonly SignatureType[];
  /**
   * What `params` of a transaction are, for each type of wallet, as the interface's description
   * says it.
   */
  readonly transactionParams: Readonly<Partial<Record<WalletType, string>>>;
  /**
   * True where one family has several networks: registering a signer then names one, and starts
   * with a signature.
   */
  readonly severalNetworks: boolean;
  /** The one chain read for a wallet that has done nothing yet, where the instance has it. */
  readonly firstChain?: { readonly production: string; readonly test: string };
  /** Under which name the interface gives a token's address (supplement, section 10). */
  readonly tokenAddressField: 'contractAddress' | 'mintHash' | 'contractId';
  /** The interface gives smart wallets a list of plugins. This version knows none. */
  readonly hasPlugins?: true;
  /** `config.creationSeed` names one of several wallets of the same signers. */
  readonly hasCreationSeed?: true;
  /** Transfers may carry a memo. */
  readonly takesMemo: boolean;
  /**
   * `outputSignature` of an operation that was approved by the signatures route: what its signers
   * gave.
   */
  outputOf(approvals: readonly SubmittedApproval[]): string;
  readonly linking: Linking;
  /** The one spelling of a transaction's id; undefined for text that cannot be one. */
  readTxId(text: string): TxIdRead;
  /** Absent: no wallets, transfers or orders there. */
  readonly code?: FamilyCode;
}

/** `mistake`: the rest of a sentence that begins with the field. */
export type TxIdRead = { readonly txId: string } | { readonly mistake: string };

/** How a family is read and started. Each part is imported when it is asked for. */
export interface FamilyCode {
  /** Whether this instance has a node of the family. */
  isConfigured(config: Config): boolean;
  /** The setting without which a chain of the family is not served here; undefined: it is there. */
  missingSetting(config: Config, chain: string): string | undefined;
  load(): Promise<{ readonly create: (deps: FamilyDeps) => ChainFamily }>;
  /** Verbs of `purser chains …` that no other family has, with what they say of themselves. */
  readonly commands: Readonly<Record<string, FamilyCommand>>;
  /** What its operations cost the service, and may cost. */
  loadFees(): Promise<FeeBook>;
  /** Its tables whose rows carry seals. */
  loadSealedTables?(): Promise<readonly SealedTable[]>;
  /**
   * Signers of callers, made of a secret (supplement, section 5); absent where wallets have no
   * signers.
   */
  loadServerSigners?(): Promise<{ readonly derive: (input: ServerSignerInput) => ServerSigner }>;
}

export interface FamilyDeps {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shown with the leases that this process holds. */
  readonly workerName?: string;
}

export interface FamilyCommand {
  readonly usage: string;
  /** @throws CommandError */
  load(): Promise<(ctx: CommandCtx, input: CommandInput) => Promise<void>>;
}

export interface CommandCtx {
  readonly config: Config;
  readonly store: Db;
}

export interface ServerSignerInput {
  /** 64 hexadecimal digits; text in front of them that ends with `_` is left out. */
  readonly secret: string;
  readonly projectId: string;
  readonly environment: string;
  /** Concrete chain name, or the family's name for one key on all of them. */
  readonly chain: string;
}

export interface ServerSigner {
  readonly locator: string;
  /** @throws TypeError for a text that no approval asks to sign */
  sign(message: string): Promise<string>;
}

/**
 * Wallets of people that are linked: their addresses, and proofs of who controls them (supplement,
 * section 20).
 */
export interface Linking {
  /** How the challenge names the account: "… sign in with your <label> account:". */
  readonly label: string;
  /**
   * Chains by name, main and test; the family's own name where both have one. Undefined: none of
   * this family.
   */
  findChain(name: string, environment: Environment): LinkedChain | undefined;
  /**
   * What is wrong with an address, a mistyped checksum included, as the rest of a sentence that
   * begins with its field.
   */
  checkAddress(text: string): string | undefined;
  /** As the challenge shows it. */
  formatAddress(address: string): string;
  /**
   * Whose signature of the text the proof is; undefined: nobody's. Absent: no proofs are taken.
   * @param messages of the family that this instance serves @throws chain-not-supported when it
   * serves none
   * @throws invalid-proof where no proof is possible, chain-not-supported, provider-unavailable,
   * upstream-error
   */
  readonly verifyProof?: (
    input: LinkProof,
    messages: () => Messages,
  ) => Promise<MessageVerifier | undefined>;
}

export interface LinkedChain {
  readonly testnet: boolean;
  /** How the challenge names the network (CAIP-2 reference), where there is a name. */
  readonly reference?: string;
}

export interface LinkProof {
  readonly address: string;
  readonly chain: string;
  /** The challenge, to the letter. */
  readonly text: string;
  readonly proof: string;
}
