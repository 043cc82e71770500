import { z } from 'zod';
import { fromBase58, toBase58 } from '../base.ts';
import type { Landed } from '../history.ts';
import type { InnerInstruction } from '../machine.ts';
import {
  instructionsOf,
  isSigner,
  lookupsOf,
  type ParsedTransaction,
  parseTransaction,
} from '../message.ts';
import { codes, RpcError } from './errors.ts';

export const transactionEncodingSchema = z.enum([
  'base58',
  'base64',
  'json',
  'jsonParsed',
  'binary',
]);
export type TransactionEncoding = z.infer<typeof transactionEncodingSchema>;

export interface TransactionConfig {
  readonly encoding?: TransactionEncoding | null;
  readonly maxSupportedTransactionVersion?: number | null;
}

/**
 * A transaction with its outcome as `getTransaction` and `getBlock` write it. With `jsonParsed`
 * keys are described and instructions are written like those of programs that a node does not know.
 * @throws RpcError when the caller does not understand its version
 */
export function encodeTransaction(landed: Landed, config: TransactionConfig) {
  const version = versionOf(landed, config);
  const { encoding } = config;
  return {
    transaction: encodeBody(landed, encoding ?? 'json'),
    meta: encodeMeta(landed, encoding === 'jsonParsed'),
    ...version,
  };
}

/**
 * As `getBlock` writes it with `transactionDetails: 'accounts'`: what its accounts are and had, and
 * nothing of what it does.
 * @throws RpcError when the caller does not understand its version
 */
export function encodeAccounts(landed: Landed, config: TransactionConfig) {
  const version = versionOf(landed, config);
  const { transaction, message } = parseTransaction(Buffer.from(landed.wire, 'base64'));
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } =
    encodeMeta(landed, false);
  return {
    transaction: {
      signatures: signaturesOf(transaction),
      accountKeys: describeKeys(landed, message),
    },
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    ...version,
  };
}

function versionOf({ version }: Landed, { maxSupportedTransactionVersion }: TransactionConfig) {
  if (maxSupportedTransactionVersion != null) return { version };
  if (version === 'legacy') return {};
  throw new RpcError(
    codes.unsupportedVersion,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

function encodeBody(landed: Landed, encoding: TransactionEncoding): unknown {
  const wire = Buffer.from(landed.wire, 'base64');
  if (encoding === 'base64') return [landed.wire, 'base64'];
  if (encoding === 'base58') return [toBase58(wire), 'base58'];
  if (encoding === 'binary') return toBase58(wire);
  const parsed = parseTransaction(wire);
  return {
    signatures: signaturesOf(parsed.transaction),
    message: encoding === 'json' ? encodeCompiled(parsed) : encodeParsed(landed, parsed),
  };
}

function signaturesOf({ signatures }: ParsedTransaction['transaction']): string[] {
  return Object.values(signatures).map((signature) => toBase58(signature ?? new Uint8Array(64)));
}

function describeKeys(landed: Landed, message: ParsedTransaction['message']) {
  const writable = new Set(landed.writableKeys);
  return landed.keys.map((pubkey, index) => ({
    pubkey,
    signer: isSigner(message, index),
    writable: writable.has(pubkey),
    source: index < message.staticAccounts.length ? 'transaction' : 'lookupTable',
  }));
}

function encodeCompiled({ message }: ParsedTransaction) {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } =
    message.header;
  return {
    header: {
      numRequiredSignatures: numSignerAccounts,
      numReadonlySignedAccounts: numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
    },
    accountKeys: message.staticAccounts,
    recentBlockhash: message.lifetimeToken,
    instructions: instructionsOf(message).map(({ programIndex, accounts, data }) => ({
      programIdIndex: programIndex,
      accounts,
      data: toBase58(data),
      stackHeight: 1,
    })),
    ...(message.version === 0 ? { addressTableLookups: encodeLookups(message) } : {}),
  };
}

function encodeLookups(message: ParsedTransaction['message']) {
  return lookupsOf(message).map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
    accountKey: lookupTableAddress,
    writableIndexes,
    readonlyIndexes,
  }));
}

function encodeParsed(landed: Landed, { message }: ParsedTransaction) {
  return {
    accountKeys: describeKeys(landed, message),
    recentBlockhash: message.lifetimeToken,
    instructions: instructionsOf(message).map(({ program, accounts, data }) => ({
      programId: program,
      accounts: accounts.map((index) => landed.keys[index]),
      data: toBase58(data),
      stackHeight: 1,
    })),
    ...(message.version === 0 ? { addressTableLookups: encodeLookups(message) } : {}),
  };
}

export function statusOf(landed: Landed) {
  return landed.error === null ? { Ok: null } : { Err: landed.error };
}

function encodeMeta(landed: Landed, isParsed: boolean) {
  return {
    err: landed.error,
    status: statusOf(landed),
    fee: BigInt(landed.fee),
    preBalances: landed.preBalances.map(BigInt),
    postBalances: landed.postBalances.map(BigInt),
    preTokenBalances: landed.preTokenBalances,
    postTokenBalances: landed.postTokenBalances,
    innerInstructions: landed.inner.flatMap((list, index) =>
      list.length === 0
        ? []
        : [
            {
              index,
              instructions: isParsed ? describeInner(list, landed.keys) : encodeInner(list),
            },
          ],
    ),
    logMessages: landed.logs,
    rewards: [],
    ...(isParsed ? {} : { loadedAddresses: landed.loaded }),
    ...(landed.returnData
      ? {
          returnData: {
            programId: landed.returnData.program,
            data: [landed.returnData.data, 'base64'],
          },
        }
      : {}),
    computeUnitsConsumed: BigInt(landed.units),
  };
}

function encodeInner(list: readonly InnerInstruction[]) {
  return list.map(({ programIndex, accounts, data, stackHeight }) => ({
    programIdIndex: programIndex,
    accounts,
    data,
    stackHeight,
  }));
}

/** With addresses in place of numbers. */
export function describeInner(list: readonly InnerInstruction[], keys: readonly string[]) {
  return list.map(({ programIndex, accounts, data, stackHeight }) => ({
    programId: keys[programIndex],
    accounts: accounts.map((index) => keys[index]),
    data,
    stackHeight,
  }));
}

/** @throws RpcError */
export function decodeTransaction(text: string, encoding: 'base58' | 'base64'): ParsedTransaction {
  // What can be longer than a packet of the network is not worth being decoded.
  const charactersMax = encoding === 'base58' ? 1_683 : 1_644;
  if (text.length > charactersMax)
    throw new RpcError(
      codes.invalidParams,
      `${encoding} encoded transaction too large: ${text.length} bytes (max: encoded/raw ${charactersMax}/1232)`,
    );
  const wire = decodeText(text, encoding);
  try {
    return parseTransaction(wire);
  } catch (error) {
    throw new RpcError(
      codes.invalidParams,
      `failed to deserialize the transaction: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export function decodeText(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  try {
    if (encoding === 'base58') return fromBase58(text);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new Error('another character');
    return new Uint8Array(Buffer.from(text, 'base64'));
  } catch {
    throw new RpcError(
      codes.invalidParams,
      `invalid ${encoding} encoding: name the one that was used in \`encoding\``,
    );
  }
}
