import { Account, Memo, Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { z } from 'zod';
import { deployAndCallEncoded } from '../../../../contracts/stellar/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { invokeOperation } from '../operation/simulate.ts';
import { addressCredentials, readOperation, type StoredOperation } from '../operation/stored.ts';

/**
 * Transactions of the service: one call of an operation, with the entries of those who allow it.
 */

/** An approved operation, as it waits for the relay. */
export interface ApprovedOperation {
  readonly operation: StoredOperation;
  /** The wallet's, with what its signers gave. */
  readonly entry: xdr.SorobanAuthorizationEntry;
}

const approvedSchema = z.object({ prepared: z.record(z.string(), z.json()), entry: z.string() });

export function storeApproved(
  prepared: JsonObject,
  entry: xdr.SorobanAuthorizationEntry,
): JsonObject {
  return { prepared, entry: entry.toXdr('base64') };
}

/** @throws Error when the value is not one of {@link storeApproved} */
export function readApproved(value: JsonObject): ApprovedOperation {
  const { prepared, entry } = approvedSchema.parse(value);
  return {
    operation: readOperation(prepared as JsonObject),
    entry: xdr.SorobanAuthorizationEntry.fromXdr(entry, 'base64'),
  };
}

export interface AssembleInput {
  readonly approved: ApprovedOperation;
  /** Whether it makes the wallet on the way. */
  readonly deploys: boolean;
  readonly channel: string;
  /** Of the channel, as the chain has it. */
  readonly sequence: bigint;
  /** The first ledger that does not take it any more. */
  readonly maxLedger: number;
  /** Without: to be simulated. */
  readonly resources?: { readonly data: xdr.SorobanTransactionData; readonly fee: bigint };
}

/** The transaction, unsigned. */
export function assemble({
  approved,
  deploys,
  channel,
  sequence,
  maxLedger,
  resources,
}: AssembleInput): Transaction {
  const { operation } = approved;
  const builder = new TransactionBuilder(new Account(channel, sequence.toString()), {
    // The builder adds the fee of the resources itself.
    fee: (resources ? resources.fee - resources.data.resourceFee : 100n).toString(),
    networkPassphrase: operation.authorization.networkPassphrase,
    ledgerbounds: { minLedger: 0, maxLedger },
  });
  builder.addOperation(operationOf(approved, deploys)).addMemo(Memo.none()).setTimeout(0);
  if (resources) builder.setSorobanData(resources.data);
  return builder.build();
}

function operationOf({ operation, entry }: ApprovedOperation, deploys: boolean): xdr.Operation {
  const { call, deployment, others } = operation;
  if (!deploys) return invokeOperation(call, [entry, ...others]);
  if (!deployment)
    throw new Error(`The wallet ${operation.wallet} is no contract: nothing makes it.`);
  return invokeOperation(deployAndCallEncoded(deployment.factory, deployment.setup, call), [
    entry,
    ...others,
  ]);
}

export interface ReadTransaction {
  readonly transaction: Transaction;
  readonly txId: string;
  readonly channel: string;
  readonly maxLedger: number;
  readonly maxFee: bigint;
  /** The wallet's, which is the first: its nonce is what the chain takes once. */
  readonly entry: xdr.SorobanAuthorizationEntry;
  readonly expirationLedger: number;
}

/** @throws Error for bytes that are no transaction of the service */
export function readTransactionBytes(raw: Uint8Array, passphrase: string): ReadTransaction {
  const transaction = TransactionBuilder.fromXdr(Buffer.from(raw).toString('base64'), passphrase);
  if (!(transaction instanceof Transaction)) throw new Error('It is a fee bump.');
  const { ledgerBounds, source: channel, fee } = transaction;
  if (!ledgerBounds || ledgerBounds.maxLedger === 0) throw new Error('It has no last ledger.');
  const txId = Buffer.from(transaction.hash()).toString('hex');
  return {
    transaction,
    txId,
    channel,
    maxLedger: ledgerBounds.maxLedger,
    maxFee: BigInt(fee),
    ...entryOf(transaction),
  };
}

function operationsOf(transaction: Transaction): readonly xdr.Operation[] {
  const envelope = transaction.toEnvelope();
  return envelope.type === 'envelopeTypeTx' ? envelope.v1.tx.operations : [];
}

function entryOf(transaction: Transaction): Pick<ReadTransaction, 'entry' | 'expirationLedger'> {
  const body = operationsOf(transaction)[0]?.body;
  const entry = body?.type === 'invokeHostFunction' ? body.invokeHostFunctionOp.auth[0] : undefined;
  const credentials = entry && addressCredentials(entry);
  if (!credentials) throw new Error('No wallet allows it.');
  return { entry, expirationLedger: credentials.signatureExpirationLedger };
}

/** Whether the bytes run this operation and nothing else. @throws Error naming the difference */
export function requireOperation(
  { transaction }: ReadTransaction,
  approved: ApprovedOperation,
): void {
  const operations = operationsOf(transaction);
  const written = operations.length === 1 ? operations[0]!.toXdr('base64') : '';
  const own = [false, ...(approved.operation.deployment ? [true] : [])].map((deploys) =>
    operationOf(approved, deploys).toXdr('base64'),
  );
  if (!own.includes(written)) throw new Error('It runs something else.');
}
