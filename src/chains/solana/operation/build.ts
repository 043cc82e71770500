import { type Address, type Instruction, isSolanaError, isWritableRole } from '@solana/kit';
import bs58 from 'bs58';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type {
  FamilyWallet,
  PreparedOperation,
  Signer,
  Tokens,
  TransferIntent,
} from '../../family.ts';
import { readRent } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { approvalMessage } from '../signing/p256-message.ts';
import type { NumberInput } from '../wallet/numbers.ts';
import { readSmartSetup } from '../wallet/smart-plan.ts';
import { insufficientBalance, simulationFailed } from './failure.ts';
import { readPlainTransfer, unitLimit, unitPrice } from './instructions.ts';
import {
  type MessagePlan,
  type ReadInstruction,
  readMessage,
  signersOf,
  type Tables,
  transactionBytesMax,
  writeMessage,
  writeTransaction,
} from './message.ts';
import { type ChainAccount, type Connect, readAccounts, type Simulated, simulate } from './node.ts';
import { type Accounts, counterpartiesOf, nameChanges, walletChanges } from './preview.ts';
import { countChecked, feeOf, readUnitPrice } from './prices.ts';
import { paidAccountsMax, programAccountRentMax, tokenAccountRentMax } from './sponsor.ts';
import { storeOperation } from './stored.ts';
import { programs } from './wrapping/programs.ts';

/** From instructions to an operation: bound to a nonce, simulated, priced. */

/** A nonce account that nobody else uses until it is given back or its time is over. */
export interface LeasedNonce {
  readonly lease: string;
  readonly account: string;
  readonly value: string;
  readonly feePayer: string;
}

export interface NonceLeases {
  /** @throws provider-unavailable all are in use, or the wallet has its share */
  lease(input: {
    readonly chain: string;
    readonly wallet: string;
    readonly projectId?: string | undefined;
    readonly until: Date;
    /** Refused when the wallet has as many; by default its share of all. */
    readonly perWalletMax?: number;
  }): Promise<LeasedNonce>;
  /** Of an operation that is not there: nothing was signed with it. */
  giveBack(lease: string): Promise<void>;
}

export interface BuildDeps {
  readonly connect: Connect;
  readonly nonces: NonceLeases;
  /** Numbers for what P-256 keys approve. */
  readonly claimNumbers: (input: NumberInput) => Promise<bigint>;
  readonly tokens: Pick<Tokens, 'resolveToken'>;
  /** The most that a unit of computation may cost, in millionths of a lamport. */
  readonly unitPriceMax: bigint;
}

/** How long signers may take; after it the operation is ended (supplement, section 22). */
const approvalWindowMs = 24 * 60 * 60 * 1000;
/**
 * What nobody has to approve is handed to the relay in the same request; it looks so long at what
 * it was handed.
 */
const custodyLeaseMs = 10 * 60 * 1000;
const leaseMarginMs = 5 * 60 * 1000;
/**
 * Operations of a wallet that is a key which others have yet to approve: half of its share of
 * nonces, so that it can go on with what nobody has to approve.
 */
export const waitingPerKeyMax = 32;
const unitsMax = 1_400_000n;
/** The advance of the nonce, and what a slightly other state of the accounts takes. */
const unitsMargin = 10_000n;
/** What the wallet program takes to look at a P-256 approval, which a simulation leaves out. */
const approvalUnits = 20_000n;
/** The runtime takes this for each signature that it checks for a transaction. */
const approvalsCountedMax = 8;

/** What an operation runs behind its nonce and compute budget, and who signs it. */
export interface Composition {
  readonly instructions: readonly Instruction[];
  /** What is simulated instead, where nobody can have signed yet what a program wants. */
  readonly simulated?: readonly Instruction[];
  /** Beside the fee payer. */
  readonly signers: readonly Address[];
  /** Token accounts that the fee payer pays for, if they are not there. */
  readonly paidAccounts: readonly Address[];
  /** Accounts of the wallet program that the fee payer pays for. */
  readonly programAccounts: readonly Address[];
  /** As the caller wrote them. */
  readonly plain: readonly ReadInstruction[];
  /** What approvals add to the transaction at most. */
  readonly reservedBytes: number;
}

export interface BuildInput {
  readonly wallet: FamilyWallet;
  readonly tables: Tables;
  readonly now: Date;
  /** Before the window for approvals is over. */
  readonly endsAt?: Date;
  readonly transfer?: TransferIntent;
  /** That the caller calls. */
  readonly programs: readonly Address[];
  readonly counterparties?: readonly string[];
  /** Of a quorum, those that will sign. */
  readonly members?: readonly Signer[] | undefined;
  /** Who signs beside the wallet; asked as well. */
  readonly coSigners?: readonly Signer[];
  /** `params` of the answer. */
  readonly paramsOf: (transaction: string) => JsonObject;
  readonly compose: (given: {
    readonly feePayer: Address;
    readonly validUntil: Date;
  }) => Promise<Composition>;
}

/**
 * @throws transaction-invalid, transaction-simulation-failed, insufficient-balance, and what
 * `compose` throws
 */
export async function buildOperation(
  deps: BuildDeps,
  connection: SolanaConnection,
  input: BuildInput,
): Promise<PreparedOperation> {
  const { wallet, now, endsAt, coSigners = [] } = input;
  const isWaiting = wallet.type === 'smart' || coSigners.length > 0;
  const windowEnd = new Date(now.getTime() + approvalWindowMs);
  const validUntil = endsAt && endsAt < windowEnd ? endsAt : windowEnd;
  const nonce = await deps.nonces.lease({
    chain: connection.network.name,
    wallet: wallet.address,
    projectId: wallet.projectId,
    until: new Date(
      now.getTime() + (isWaiting ? approvalWindowMs + leaseMarginMs : custodyLeaseMs),
    ),
    ...(wallet.type === 'mpc' && isWaiting && { perWalletMax: waitingPerKeyMax }),
  });
  try {
    const composition = await input.compose({ feePayer: nonce.feePayer as Address, validUntil });
    return await build(deps, connection, { input, composition, nonce, validUntil });
  } catch (error) {
    await deps.nonces.giveBack(nonce.lease);
    throw error;
  }
}

interface Plan {
  readonly input: BuildInput;
  readonly composition: Composition;
  readonly nonce: LeasedNonce;
  readonly validUntil: Date;
}

async function build(
  deps: BuildDeps,
  connection: SolanaConnection,
  plan: Plan,
): Promise<PreparedOperation> {
  const { input, composition, nonce, validUntil } = plan;
  const { network } = connection;
  const wallet = input.wallet.address;
  const feePayer = nonce.feePayer as Address;
  const {
    instructions,
    simulated: inner,
    paidAccounts,
    programAccounts,
    reservedBytes,
  } = composition;
  const isP256 = inner !== undefined;
  // Who checks an approval has the bytes alone: what a P-256 key signs may not depend on a table.
  const tables = isP256 ? {} : tablesWithout(input.tables, wallet);
  const write = (
    of: readonly Instruction[],
    units: bigint,
    price: bigint,
    lifetime?: { account: Address; value: string },
  ) =>
    writeWritable({
      feePayer,
      tables,
      instructions: [unitLimit(units), unitPrice(price), ...of],
      ...(lifetime ? { nonce: lifetime } : {}),
    });
  const written = writtenBy(instructions, wallet);
  const [before, simulated, price, leastLamports] = await Promise.all([
    readAccounts(connection, written),
    simulate(connection, {
      wire: requireFitting(write(inner ?? instructions, unitsMax, 0n), 0, isP256),
      addresses: written,
      anyLifetime: true,
    }),
    readUnitPrice(connection, written, deps.unitPriceMax),
    readRent(connection, 0),
  ]);
  if (simulated.err !== null)
    throw explain(simulated, {
      transfer: input.transfer,
      source: sourceOf(plan, { before, written }),
      leastLamports,
    });
  const units = unitsOf(
    simulated.units + (isP256 ? approvalUnits * BigInt(Math.max(1, instructions.length)) : 0n),
  );
  const messageBytes = write(instructions, units, price, {
    account: nonce.account as Address,
    value: nonce.value,
  });
  const wire = requireFitting(messageBytes, reservedBytes, isP256);
  const signers = signersOf(readMessage(messageBytes));
  const isCoSigner = (signer: Address) =>
    input.coSigners?.some(({ address }) => address === signer) === true;
  for (const signer of composition.signers)
    if (!signers.includes(signer))
      throw unsigned(isCoSigner(signer) ? signer : `the wallet ${wallet}`);
  const fee = feeOf({
    signatures: signers.length + countChecked(instructions) + (isP256 ? approvalsCountedMax : 0),
    units,
    price,
  });
  const isMissing = (address: Address) => !before[written.indexOf(address)];
  const rent = BigInt(paidAccounts.filter(isMissing).length) * tokenAccountRent;
  const accounts = written.map(
    (address, index): Accounts => ({
      address,
      before: before[index],
      after: simulated.accounts[index],
    }),
  );
  requireOwnAccount(accounts, wallet);
  const changes = walletChanges(wallet, accounts);
  const programRent = rentOf(programAccounts, accounts);
  const transaction = bs58.encode(wire);
  return {
    chain: network.name,
    params: {
      ...input.paramsOf(transaction),
      ...(input.wallet.type === 'smart' && { feeConfig: feeConfig(fee + rent + programRent) }),
    },
    operation: storeOperation({
      chain: network.name,
      wallet,
      messageBytes,
      lease: nonce.lease,
      validUntil,
      costMax:
        fee +
        BigInt(Math.min(paidAccounts.length, paidAccountsMax)) * tokenAccountRentMax +
        BigInt(programAccounts.length) * programAccountRentMax,
    }),
    // By it a client tells that this is the program which holds the wallet.
    onChain: {
      transaction,
      ...(input.wallet.type === 'smart' && {
        walletSeed: bs58.encode(readSmartSetup(input.wallet).addresses.id),
      }),
    },
    message: approvalMessage(messageBytes),
    ...(input.members && { members: input.members }),
    ...(input.coSigners && { coSigners: input.coSigners }),
    validUntil,
    feesEstimate: {
      computeUnits: units.toString(),
      priceMicroLamports: price.toString(),
      amountLamports: (fee + rent + programRent).toString(),
      token: network.native.symbol,
    },
    preview: {
      balanceChanges: await nameChanges(deps.tokens, network, changes),
      gas: simulated.units.toString(),
      sponsored: true,
    },
    counterparties: input.counterparties ?? [
      ...new Set([
        ...counterpartiesOf(
          { wallet, feePayer, programs: input.programs },
          accounts.filter(({ address }) => !programAccounts.includes(address as Address)),
        ),
        ...(input.coSigners ?? []).map(({ address }) => address as string),
      ]),
    ],
  };
}

/**
 * As {@link writeMessage}, of what a caller wrote: alone it may fit into a message, and not with
 * what the service adds. @throws transaction-invalid
 */
function writeWritable(plan: MessagePlan): Uint8Array {
  try {
    return writeMessage(plan);
  } catch (error) {
    if (!isSolanaError(error)) throw error;
    throw new ServiceError('transaction-invalid', {
      message:
        'params.transaction fits into no message with what the service adds: it has too many accounts, or names a program as an account that it changes.',
      cause: error,
    });
  }
}

/**
 * As `requireKept` of the instructions, of what programs do in them: whoever called them with the
 * signature of the wallet let them. @throws transaction-invalid
 */
function requireOwnAccount(accounts: readonly Accounts[], wallet: string): void {
  const after = accounts.find(({ address }) => address === wallet)?.after;
  if (!after || (after.owner === programs.system && after.data.length === 0)) return;
  throw new ServiceError('transaction-invalid', {
    message: `params.transaction gives the account of the wallet to another program, ${after.owner}, or makes it hold data.`,
  });
}

/**
 * What accounts of the wallet program get; of those that were not simulated the most that it could
 * be.
 */
function rentOf(programAccounts: readonly Address[], accounts: readonly Accounts[]): bigint {
  return programAccounts.reduce((sum, address) => {
    const { before, after } = accounts.find((one) => one.address === address) ?? {};
    return sum + (after ? after.lamports - (before?.lamports ?? 0n) : programAccountRentMax);
  }, 0n);
}

/** A wallet stands in the bytes themselves: they are known to be its own without a node. */
function tablesWithout(tables: Tables, wallet: string): Tables {
  return Object.fromEntries(
    Object.entries(tables).filter(([, entries]) => !entries.includes(wallet as Address)),
  );
}

/**
 * Who pays, as answers of smart wallets say it (supplement, section 6): the service, so many whole
 * SOL.
 */
function feeConfig(lamports: bigint): JsonObject {
  return { feePayer: 'svc', amount: formatAmount(lamports, 9) };
}

/** Of a token account without extensions. */
const tokenAccountRent = 2_039_280n;

/** @param who an address, or `the wallet <address>` */
export function unsigned(who: string): ServiceError {
  return new ServiceError('transaction-invalid', {
    message: `No instruction of params.transaction needs the signature of ${who}.`,
  });
}

/** Accounts that the instructions may change, the wallet's own first. */
function writtenBy(instructions: readonly Instruction[], wallet: string): string[] {
  const written = instructions.flatMap(({ accounts = [] }) =>
    accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address),
  );
  return [...new Set<string>([wallet, ...written])];
}

function unitsOf(used: bigint): bigint {
  const units = (used * 12n) / 10n + unitsMargin;
  return units < unitsMax ? units : unitsMax;
}

/** The account that a plain transfer takes from. */
function sourceOf(
  { composition, input }: Plan,
  {
    before,
    written,
  }: {
    readonly before: readonly (ChainAccount | undefined)[];
    readonly written: readonly string[];
  },
): ChainAccount | undefined {
  const address =
    input.transfer &&
    composition.plain.map(readPlainTransfer).find((one) => one !== undefined)?.source;
  return address === undefined ? undefined : before[written.indexOf(address)];
}

function explain(
  { err, logs }: Simulated,
  at: {
    readonly transfer: TransferIntent | undefined;
    readonly source: ChainAccount | undefined;
    readonly leastLamports: bigint;
  },
): ServiceError {
  return (
    (at.transfer && insufficientBalance(at.transfer, at.source, at.leastLamports)) ??
    simulationFailed(err, logs)
  );
}

/** @throws transaction-invalid what does not fit into a packet */
function requireFitting(
  messageBytes: Uint8Array,
  reservedBytes: number,
  isP256: boolean,
): Uint8Array {
  const wire = writeTransaction(messageBytes);
  const bytes = wire.length + reservedBytes;
  if (bytes <= transactionBytesMax) return wire;
  throw new ServiceError('transaction-invalid', {
    message: `With what the service adds (fee payer, nonce, compute budget, and of a smart wallet its program, its creation the first time and approvals) params.transaction has ${bytes} bytes, and may have ${transactionBytesMax}. ${isP256 ? 'For a signer with a P-256 key every address stands in it: use several transactions, or a signer that is an address.' : 'Use an address lookup table, or several transactions.'}`,
  });
}
