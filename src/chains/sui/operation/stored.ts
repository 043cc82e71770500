import { createHash } from 'node:crypto';
import { bcs } from '@mysten/sui/bcs';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { SignedSubject } from '../../family.ts';
import { addressOfPublicKey } from '../addresses.ts';
import { parseExactly, programBytes } from './program.ts';
import { checkSponsored } from './sponsor.ts';
import { checkTransaction, type SuiOperation, signedBytesOf } from './transaction.ts';
import { readCoinType } from './transfer-program.ts';

/** An operation as the service stores and seals it between its preparation and its end. */
export interface StoredOperation extends SuiOperation {
  readonly chain: string;
  /** Of the wallet's Ed25519 key. */
  readonly publicKey: Uint8Array;
  /** Of the coin that pays. */
  readonly lease: string;
  /** Nothing is signed for it afterwards. */
  readonly validUntil: Date;
}

const u64 = z.string().regex(/^\d{1,20}$/);
const address = z.string().regex(/^0x[0-9a-f]{64}$/);
const transferSchema = z.strictObject({
  coinType: z.string().refine((text) => readCoinType(text) === text),
  amount: u64,
  recipient: address,
  memo: z.string().optional(),
});
const storedSchema = z.strictObject({
  chain: z.string(),
  wallet: address,
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
  lease: z.uuid(),
  validUntil: z.iso.datetime(),
  sponsor: address,
  coin: z.strictObject({ objectId: address, version: u64, digest: z.string() }),
  budgetMax: u64,
  priceMax: u64,
  transfer: transferSchema.optional(),
  program: z.base64().optional(),
});

export function storeOperation({
  chain,
  wallet,
  publicKey,
  lease,
  validUntil,
  does,
  gas,
}: StoredOperation): JsonObject {
  const { sponsor, coin, budgetMax, priceMax } = gas;
  const { objectId, version, digest } = coin;
  const what =
    'transfer' in does
      ? { transfer: { ...does.transfer, amount: String(does.transfer.amount) } }
      : { program: Buffer.from(programBytes(does.program)).toString('base64') };
  const paid = {
    sponsor,
    coin: { objectId, version, digest },
    budgetMax: String(budgetMax),
    priceMax: String(priceMax),
  };
  const who = {
    chain,
    wallet,
    publicKey: bytesToHex(publicKey),
    lease,
    validUntil: validUntil.toISOString(),
  };
  return { ...who, ...paid, ...what };
}

/** @throws Error when the value is not one of {@link storeOperation} */
export function readOperation(value: JsonObject): StoredOperation {
  const { chain, wallet, lease, sponsor, coin, budgetMax, priceMax, transfer, program, ...read } =
    storedSchema.parse(value);
  if ((transfer === undefined) === (program === undefined))
    throw new Error('A stored operation does one thing: this was changed.');
  const publicKey = hexToBytes(read.publicKey);
  if (addressOfPublicKey(publicKey) !== wallet)
    throw new Error(
      'A stored operation names another key than that of its wallet: it was changed.',
    );
  const who = { chain, wallet, publicKey, lease, validUntil: new Date(read.validUntil) };
  const gas = { sponsor, coin, budgetMax: BigInt(budgetMax), priceMax: BigInt(priceMax) };
  if (transfer)
    return { ...who, gas, does: { transfer: { ...transfer, amount: BigInt(transfer.amount) } } };
  const parsed = parseExactly(
    bcs.TransactionKind,
    Buffer.from(program!, 'base64'),
  )?.ProgrammableTransaction;
  if (!parsed) throw new Error('A stored operation has no program: it was changed.');
  checkSponsored(parsed);
  return { ...who, gas, does: { program: parsed } };
}

/**
 * What approvals show of an operation: the hash of all that is fixed before a transaction is built.
 */
export function readSigned(value: JsonObject): SignedSubject {
  const operation = readOperation(value);
  const text = JSON.stringify(storeOperation(operation));
  const message = createHash('sha256').update(text).digest('hex');
  return { chain: operation.chain, walletAddress: operation.wallet, message };
}

/**
 * What the wallet's key signs of a transaction that was built of the operation.
 * @throws Error with what does not match
 */
export function signedBytes(value: JsonObject, built: Uint8Array): Uint8Array {
  checkTransaction(readOperation(value), built);
  return signedBytesOf(built);
}
