import { type Address, type Instruction, isSignerRole, isWritableRole } from '@solana/kit';
import bs58 from 'bs58';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { PreparedOperation, PrepareOperationInput, Tokens, TransferIntent } from '../../family.ts';
import { readRent } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { insufficientBalance, simulationFailed } from './failure.ts';
import { readPlainTransfer, unitLimit, unitPrice } from './instructions.ts';
import {
  instructionsOf,
  type Message,
  type ReadInstruction,
  readMessage,
  readTable,
  signersOf,
  type Tables,
  tablesOf,
  transactionBytesMax,
  writeMessage,
  writeTransaction,
} from './message.ts';
import { type ChainAccount, type Connect, readAccounts, type Simulated, simulate } from './node.ts';
import { type Accounts, counterpartiesOf, nameChanges, walletChanges } from './preview.ts';
import { feeOf, readUnitPrice } from './prices.ts';
import { programs } from './programs.ts';
import { paidAccountsMax, sponsorInstructions, tokenAccountRentMax } from './sponsor.ts';
import { messageDigest, storeOperation } from './stored.ts';
import { readTransactionParams } from './transaction-params.ts';

/** A nonce account that nobody else uses until it is given back or its time is over. */
export interface LeasedNonce {
  readonly lease: string;
  readonly account: string;
  readonly value: string;
  readonly feePayer: string;
}

export interface NonceLeases {
  /** @throws provider-unavailable all are in use, or the wallet has its share */
  lease(input: { readonly chain: string; readonly wallet: string; readonly until: Date }): Promise<LeasedNonce>;
  /** Of an operation that is not there: nothing was signed with it. */
  giveBack(lease: string): Promise<void>;
}

export interface PrepareDeps {
  readonly connect: Connect;
  readonly nonces: NonceLeases;
  readonly tokens: Pick<Tokens, 'resolveToken'>;
  /** The most that a unit of computation may cost, in millionths of a lamport. */
  readonly unitPriceMax: bigint;
}

/** How long signers may take; after it the operation is ended (supplement, section 22). */
const approvalWindowMs = 24 * 60 * 60 * 1000;
/** What nobody has to approve is handed to the relay in the same request; it looks so long at what it was handed. */
const custodyLeaseMs = 10 * 60 * 1000;
const leaseMarginMs = 5 * 60 * 1000;
const unitsMax = 1_400_000n;
/** The advance of the nonce, and what a slightly other state of the accounts takes. */
const unitsMargin = 10_000n;

/** As {@link ChainFamily.prepareOperation} for wallets that are moved by their own key. */
export async function prepareSolanaOperation(deps: PrepareDeps, input: PrepareOperationInput): Promise<PreparedOperation> {
  const { message, requiredSigners, params } = readTransactionParams(input.params);
  const { wallet, now } = input;
  const connection = await deps.connect('solana');
  const tables = await readTables(connection, message);
  const instructions = readInstructions(message, tables);
  refuseOtherSigners(instructions, { wallet: wallet.address, requiredSigners });
  const validUntil = new Date(now.getTime() + approvalWindowMs);
  const nonce = await deps.nonces.lease({
    chain: connection.network.name,
    wallet: wallet.address,
    until: new Date(now.getTime() + (wallet.type === 'mpc' ? custodyLeaseMs : approvalWindowMs + leaseMarginMs)),
  });
  try {
    return await build(deps, connection, { input, instructions, tables, nonce, validUntil, params });
  } catch (error) {
    await deps.nonces.giveBack(nonce.lease);
    throw error;
  }
}

interface Plan {
  readonly input: PrepareOperationInput;
  readonly instructions: readonly ReadInstruction[];
  readonly tables: Tables;
  readonly nonce: LeasedNonce;
  readonly validUntil: Date;
  readonly params: JsonObject;
}

async function build(deps: PrepareDeps, connection: SolanaConnection, plan: Plan): Promise<PreparedOperation> {
  const { input, tables, nonce, validUntil } = plan;
  const { network } = connection;
  const wallet = input.wallet.address;
  const feePayer = nonce.feePayer as Address;
  const { instructions, paidAccounts } = await asInvalid(() => sponsorInstructions(plan.instructions, { wallet, feePayer }));
  const write = (units: bigint, price: bigint, lifetime?: { account: Address; value: string }) =>
    writeMessage({
      feePayer,
      tables,
      instructions: [unitLimit(units), unitPrice(price), ...instructions],
      ...(lifetime ? { nonce: lifetime } : {}),
    });
  const written = writtenBy(instructions, wallet);
  const [before, simulated, price, leastLamports] = await Promise.all([
    readAccounts(connection, written),
    simulate(connection, { wire: requireFitting(write(unitsMax, 0n)), addresses: written, anyLifetime: true }),
    readUnitPrice(connection, written, deps.unitPriceMax),
    readRent(connection, 0),
  ]);
  if (simulated.err !== null)
    throw explain(simulated, { transfer: input.transfer, source: sourceOf(plan, { before, written }), leastLamports });
  const units = unitsOf(simulated.units);
  const messageBytes = write(units, price, { account: nonce.account as Address, value: nonce.value });
  const wire = requireFitting(messageBytes);
  const signers = signersOf(readMessage(messageBytes));
  if (!signers.includes(wallet as Address)) throw unsigned(wallet);
  const fee = feeOf({ signatures: signers.length, units, price });
  const missing = paidAccounts.filter((address) => !before[written.indexOf(address)]).length;
  const accounts = written.map((address, index): Accounts => ({ address, before: before[index], after: simulated.accounts[index] }));
  const changes = walletChanges(wallet, accounts);
  return {
    chain: network.name,
    params: plan.params,
    operation: storeOperation({
      chain: network.name,
      wallet,
      messageBytes,
      lease: nonce.lease,
      validUntil,
      costMax: fee + BigInt(Math.min(paidAccounts.length, paidAccountsMax)) * tokenAccountRentMax,
    }),
    onChain: { transaction: bs58.encode(wire) },
    message: messageDigest(messageBytes),
    validUntil,
    feesEstimate: {
      computeUnits: units.toString(),
      priceMicroLamports: price.toString(),
      amountLamports: (fee + BigInt(missing) * tokenAccountRent).toString(),
      token: network.native.symbol,
    },
    preview: { balanceChanges: await nameChanges(deps.tokens, network, changes), gas: simulated.units.toString(), sponsored: true },
    counterparties: counterpartiesOf(
      { wallet, feePayer, programs: plan.instructions.map(({ programAddress }) => programAddress) },
      accounts,
    ),
  };
}

/** Of a token account without extensions. */
const tokenAccountRent = 2_039_280n;

async function readTables(connection: SolanaConnection, message: Message): Promise<Tables> {
  const addresses = tablesOf(message);
  const accounts = await readAccounts(connection, addresses);
  return Object.fromEntries(
    addresses.map((address, index) => {
      const account = accounts[index];
      const entries = account?.owner === programs.lookupTable ? readTable(account.data) : undefined;
      if (!entries)
        throw new ServiceError('transaction-invalid', {
          message: `params.transaction names ${address}, which is no address lookup table.`,
        });
      return [address, entries];
    }),
  );
}

/** Without what the service replaces: lifetime and compute budget. */
function readInstructions(message: Message, tables: Tables): ReadInstruction[] {
  const all = asInvalidSync(() => instructionsOf(message, tables));
  const instructions = all.filter((instruction, index) => !isFrame(instruction, index));
  if (instructions.length === 0) throw new ServiceError('transaction-invalid', { message: 'params.transaction has no instructions.' });
  return instructions;
}

function isFrame({ programAddress, data }: ReadInstruction, index: number): boolean {
  if (programAddress === programs.computeBudget) return data[0] === 2 || data[0] === 3;
  return index === 0 && programAddress === programs.system && data.length === 4 && data[0] === 4;
}

function refuseOtherSigners(
  instructions: readonly ReadInstruction[],
  { wallet, requiredSigners }: { readonly wallet: string; readonly requiredSigners: readonly string[] },
): void {
  const signers = new Set(
    instructions.flatMap(({ accounts }) => accounts.filter(({ role }) => isSignerRole(role)).map(({ address }) => address)),
  );
  const others = [...signers].filter((address) => address !== wallet);
  if (others.length > 0)
    throw new ServiceError('transaction-invalid', {
      message: `params.transaction needs the signature of ${others.slice(0, 3).join(', ')}: the wallet ${wallet} alone signs.`,
    });
  if (requiredSigners.length > 0)
    throw new ServiceError('transaction-invalid', {
      message: 'params.requiredSigners names signers that no instruction of params.transaction asks for: leave it out.',
    });
  if (!signers.has(wallet as Address)) throw unsigned(wallet);
}

function unsigned(wallet: string): ServiceError {
  return new ServiceError('transaction-invalid', {
    message: `No instruction of params.transaction needs the signature of the wallet ${wallet}.`,
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
  { instructions, input }: Plan,
  { before, written }: { readonly before: readonly (ChainAccount | undefined)[]; readonly written: readonly string[] },
): ChainAccount | undefined {
  const address = input.transfer && instructions.map(readPlainTransfer).find((one) => one !== undefined)?.source;
  return address === undefined ? undefined : before[written.indexOf(address)];
}

function explain(
  { err, logs }: Simulated,
  at: { readonly transfer: TransferIntent | undefined; readonly source: ChainAccount | undefined; readonly leastLamports: bigint },
): ServiceError {
  return (at.transfer && insufficientBalance(at.transfer, at.source, at.leastLamports)) ?? simulationFailed(err, logs);
}

/** @throws transaction-invalid what does not fit into a packet */
function requireFitting(messageBytes: Uint8Array): Uint8Array {
  const wire = writeTransaction(messageBytes);
  if (wire.length <= transactionBytesMax) return wire;
  throw new ServiceError('transaction-invalid', {
    message: `With what the service adds (fee payer, nonce, compute budget) params.transaction has ${wire.length} bytes, and may have ${transactionBytesMax}. Use an address lookup table, or several transactions.`,
  });
}

async function asInvalid<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw invalidOf(error);
  }
}

function asInvalidSync<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw invalidOf(error);
  }
}

function invalidOf(error: unknown): unknown {
  return error instanceof TypeError ? new ServiceError('transaction-invalid', { message: `params.transaction ${error.message}.` }) : error;
}
