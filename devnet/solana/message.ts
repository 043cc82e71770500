import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from '@solana/kit';
import type { Account } from './accounts.ts';
import { readU32, readU64, toBase58 } from './base.ts';
import {
  builtinPrograms,
  computeBudgetProgram,
  lookupTableProgram,
  memoPrograms,
  signaturePrecompiles,
  systemProgram,
} from './program-ids.ts';

type Compiled = Exclude<CompiledTransactionMessage, { version: 1 }> &
  CompiledTransactionMessageWithLifetime;

export interface ParsedTransaction {
  readonly transaction: Transaction;
  readonly message: Compiled;
  /**
   * Base58 of the first signature, which names the transaction; that of a missing one is all zeros.
   */
  readonly signature: string;
  readonly feePayer: string;
}

export interface Instruction {
  readonly program: string;
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export interface LoadedKeys {
  /** Static ones, then those of lookup tables: writable before read-only. */
  readonly keys: readonly string[];
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

/** More do not fit into a packet of the network. */
export const transactionBytesMax = 1232;
const lamportsPerSignature = 5_000n;
const unitsMax = 1_400_000;
const advanceNonce = 4;
const lookupMetaBytes = 56;

/** @throws Error whose message says what is wrong with the bytes */
export function parseTransaction(wire: Uint8Array): ParsedTransaction {
  if (wire.length > transactionBytesMax)
    throw new Error(
      `too large: ${wire.length} bytes (max: encoded/raw ${transactionBytesMax}/${transactionBytesMax})`,
    );
  const transaction = getTransactionDecoder().decode(wire);
  const message = parseMessage(new Uint8Array(transaction.messageBytes));
  const first = Object.values(transaction.signatures)[0];
  return {
    transaction,
    message,
    signature: toBase58(first ?? new Uint8Array(64)),
    feePayer: message.staticAccounts[0]!,
  };
}

export function parseMessage(bytes: Uint8Array): Compiled {
  const message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime =
    getCompiledTransactionMessageDecoder().decode(bytes);
  if (message.version === 1)
    throw new Error('messages of version 1 are not supported by this emulator: use version 0');
  const { staticAccounts, header, instructions } = message;
  const signers = header.numSignerAccounts;
  if (signers < 1 || signers > staticAccounts.length || header.numReadonlySignerAccounts >= signers)
    throw new Error('no fee payer among its signers');
  if (header.numReadonlyNonSignerAccounts > staticAccounts.length - signers)
    throw new Error('more read-only accounts than accounts');
  if (new Set(staticAccounts).size !== staticAccounts.length)
    throw new Error('an account is named twice');
  const known =
    staticAccounts.length +
    lookupsOf(message).reduce(
      (sum, one) => sum + one.writableIndexes.length + one.readonlyIndexes.length,
      0,
    );
  for (const { programAddressIndex, accountIndices = [] } of instructions) {
    if (programAddressIndex === 0 || programAddressIndex >= staticAccounts.length)
      throw new Error('an instruction names no program');
    if (accountIndices.some((index) => index >= known))
      throw new Error('an instruction names an account that is not there');
  }
  return message;
}

export function lookupsOf(message: Compiled) {
  return (message.version === 0 && message.addressTableLookups) || [];
}

export function instructionsOf(message: Compiled): Instruction[] {
  return message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
    program: message.staticAccounts[programAddressIndex]!,
    programIndex: programAddressIndex,
    accounts: accountIndices ?? [],
    data: new Uint8Array(data ?? []),
  }));
}

/** @returns the name of an error when a lookup table does not hold what the message asks for */
export function loadKeys(
  message: Compiled,
  read: (address: string) => Account | null,
): LoadedKeys | string {
  const writable: string[] = [];
  const readonly: string[] = [];
  for (const lookup of lookupsOf(message)) {
    const table = read(lookup.lookupTableAddress);
    if (!table) return 'AddressLookupTableNotFound';
    if (table.owner !== lookupTableProgram) return 'InvalidAddressLookupTableOwner';
    const take = (index: number) =>
      table.data.subarray(lookupMetaBytes + index * 32, lookupMetaBytes + index * 32 + 32);
    const parts = [...lookup.writableIndexes, ...lookup.readonlyIndexes].map(take);
    if (parts.some((part) => part.length !== 32)) return 'InvalidAddressLookupTableIndex';
    writable.push(...lookup.writableIndexes.map((index) => toBase58(take(index))));
    readonly.push(...lookup.readonlyIndexes.map((index) => toBase58(take(index))));
  }
  return { keys: [...message.staticAccounts, ...writable, ...readonly], writable, readonly };
}

export function isSigner(message: Compiled, index: number): boolean {
  return index < message.header.numSignerAccounts;
}

export function isWritable(message: Compiled, loaded: LoadedKeys, index: number): boolean {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } =
    message.header;
  const statics = message.staticAccounts.length;
  if (index < numSignerAccounts) return index < numSignerAccounts - numReadonlySignerAccounts;
  if (index < statics) return index < statics - numReadonlyNonSignerAccounts;
  return index < statics + loaded.writable.length;
}

/** The nonce account of a transaction that begins with its advance. */
export function nonceAccountOf(message: Compiled): Address | undefined {
  const [first] = instructionsOf(message);
  if (
    !first ||
    first.program !== systemProgram ||
    first.data.length < 4 ||
    readU32(first.data, 0) !== advanceNonce
  )
    return undefined;
  const index = first.accounts[0];
  return index === undefined ? undefined : message.staticAccounts[index];
}

/** Who may let this transaction use that nonce. */
export function signersOfFirst(message: Compiled): string[] {
  return (instructionsOf(message)[0]?.accounts ?? [])
    .filter((index) => isSigner(message, index))
    .map((index) => message.staticAccounts[index]!);
}

export interface Price {
  /** Micro-lamports. */
  readonly perUnit: bigint;
  readonly lamports: bigint;
}

/** What the network takes for a message. */
export function priceOf(message: Compiled): Price {
  const instructions = instructionsOf(message);
  let perUnit = 0n;
  let limit: number | undefined;
  for (const { program, data } of instructions) {
    if (program !== computeBudgetProgram) continue;
    if (data[0] === 2 && data.length >= 5) limit = readU32(data, 1);
    if (data[0] === 3 && data.length >= 9) perUnit = readU64(data, 1);
  }
  const usual = instructions.reduce(
    (sum, { program }) => sum + (builtinPrograms.has(program) ? 3_000 : 200_000),
    0,
  );
  const units = BigInt(Math.min(limit ?? usual, unitsMax));
  const precompiled = instructions.reduce(
    (sum, { program, data }) => sum + (signaturePrecompiles.has(program) ? (data[0] ?? 0) : 0),
    0,
  );
  const signatures = BigInt(message.header.numSignerAccounts + precompiled);
  return {
    perUnit,
    lamports: signatures * lamportsPerSignature + (units * perUnit + 999_999n) / 1_000_000n,
  };
}

/** The memos of a transaction as `getSignaturesForAddress` writes them. */
export function memoOf(message: Compiled): string | null {
  const memos = instructionsOf(message)
    .filter(({ program }) => memoPrograms.has(program))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}
