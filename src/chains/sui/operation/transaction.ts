import { bcs } from '@mysten/sui/bcs';
import {
  messageWithIntent,
  parseSerializedSignature,
  toSerializedSignature,
} from '@mysten/sui/cryptography';
import { Ed25519PublicKey } from '@mysten/sui/keypairs/ed25519';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { ed25519 } from '@noble/curves/ed25519.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { addressOfPublicKey } from '../addresses.ts';
import {
  type ObjectRef,
  ownedInputs,
  type Program,
  parseExactly,
  programBytes,
} from './program.ts';
import { checkSponsored } from './sponsor.ts';
import { coinsPerTransferMax, type Transfer, transferProgram } from './transfer-program.ts';

/**
 * What an operation is, from when it is prepared on: it is sealed, and what is signed is compared
 * with it.
 */
export interface SuiOperation {
  readonly wallet: string;
  readonly does: { readonly transfer: Transfer } | { readonly program: Program };
  readonly gas: OperationGas;
}

export interface OperationGas {
  /** Address of the service's account that pays. */
  readonly sponsor: string;
  /**
   * The one coin that pays, at one version. Every transaction of the operation uses up this
   * version, so the network executes one of them at most, however often one is built and signed; no
   * other operation has it.
   */
  readonly coin: ObjectRef;
  readonly budgetMax: bigint;
  readonly priceMax: bigint;
}

/** What is known when a transaction is about to be sent. */
export interface Moment {
  /** Of a transfer: the coins it is made of, as they are now. */
  readonly coins: readonly ObjectRef[];
  readonly budget: bigint;
  readonly price: bigint;
  /** The last epoch that takes it. */
  readonly expiresAfterEpoch: bigint;
}

/**
 * The transaction of an operation at a moment, offline: every reference is given.
 * @throws Error when it would pass its bounds
 */
export function buildTransaction(
  operation: SuiOperation,
  { coins, budget, price, expiresAfterEpoch }: Moment,
): Uint8Array {
  const { wallet, does, gas } = operation;
  const { inputs, commands } =
    'transfer' in does ? transferProgram(does.transfer, coins) : does.program;
  const paid = { payment: [gas.coin], owner: gas.sponsor, price, budget };
  const bytes = writeTransaction({
    program: { inputs, commands },
    sender: wallet,
    gas: paid,
    expiresAfterEpoch,
  });
  checkTransaction(operation, bytes);
  return bytes;
}

export interface WholeTransaction {
  readonly program: Program;
  readonly sender: string;
  /** In MIST; with no coins it is paid from what wallets add. */
  readonly gas: {
    readonly payment: readonly ObjectRef[];
    readonly owner: string;
    readonly price: bigint;
    readonly budget: bigint;
  };
  /** The last epoch that takes it. */
  readonly expiresAfterEpoch: bigint;
}

export function writeTransaction({
  program,
  sender,
  gas,
  expiresAfterEpoch,
}: WholeTransaction): Uint8Array {
  const payment = gas.payment.map(({ objectId, version, digest }) => ({
    objectId,
    version,
    digest,
  }));
  return bcs.TransactionData.serialize({
    V1: {
      kind: {
        ProgrammableTransaction: { inputs: [...program.inputs], commands: [...program.commands] },
      },
      sender,
      gasData: { ...gas, payment },
      expiration: { Epoch: Number(expiresAfterEpoch) },
    },
  }).toBytes();
}

const signedSchema = bcs.struct('SignedTransaction', {
  bytes: bcs.byteVector(),
  signatures: bcs.vector(bcs.string()),
});

/** A transaction with its signatures, as it is stored before it is sent. */
export function encodeSigned(signed: {
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
}): Uint8Array {
  return signedSchema
    .serialize({ bytes: signed.bytes, signatures: [...signed.signatures] })
    .toBytes();
}

export interface DecodedTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
  readonly sender: string;
  /** The coins that pay and all other objects that it takes, at their versions. */
  readonly payment: readonly ObjectRef[];
  readonly takes: readonly ObjectRef[];
  readonly budget: bigint;
  readonly expiresAfterEpoch: bigint;
}

/** @throws Error when it is not one of {@link encodeSigned} */
export function decodeSigned(raw: Uint8Array): DecodedTransaction {
  const { bytes, signatures } = parseExactly(signedSchema, raw) ?? {
    bytes: new Uint8Array(),
    signatures: [],
  };
  const whole = new Uint8Array(bytes);
  const data = parseExactly(bcs.TransactionData, whole)?.V1;
  const program = data?.kind.ProgrammableTransaction;
  if (!data || !program || data.expiration.Epoch === undefined)
    throw new Error('The bytes are no signed transaction of Sui');
  return {
    digest: transactionDigest(whole),
    bytes: whole,
    signatures,
    sender: data.sender,
    payment: data.gasData.payment,
    takes: [...data.gasData.payment, ...ownedInputs(program)],
    budget: BigInt(data.gasData.budget),
    expiresAfterEpoch: BigInt(data.expiration.Epoch),
  };
}

/**
 * Reads built bytes anew and compares them with the operation, before a key signs them; whoever
 * built them is believed in nothing.
 * @throws Error with what does not match
 */
export function checkTransaction({ wallet, does, gas }: SuiOperation, bytes: Uint8Array): void {
  const data = parseExactly(bcs.TransactionData, bytes)?.V1;
  const program = data?.kind.ProgrammableTransaction;
  if (!data || !program) throw new Error('The bytes are no transaction of Sui');
  if (data.sender !== wallet) throw new Error('The transaction is sent by another account');
  const { payment, owner, price, budget } = data.gasData;
  const [coin, ...others] = payment;
  if (owner !== gas.sponsor || !coin || others.length > 0 || !isSameRef(coin, gas.coin))
    throw new Error('The transaction is not paid by the coin of its operation');
  if (BigInt(budget) > gas.budgetMax)
    throw new Error(`The budget ${budget} is above ${gas.budgetMax}`);
  if (BigInt(price) > gas.priceMax)
    throw new Error(`The price of gas ${price} is above ${gas.priceMax}`);
  if (data.expiration.Epoch === undefined)
    throw new Error('The transaction does not expire with an epoch');
  checkProgram(does, program);
  checkSponsored(program);
  if (ownedInputs(program).some(({ objectId }) => objectId === gas.coin.objectId))
    throw new Error('The transaction uses the coin that pays');
}

function checkProgram(does: SuiOperation['does'], program: Program): void {
  const expected =
    'program' in does ? does.program : expectedTransfer(does.transfer, ownedInputs(program));
  if (Buffer.compare(programBytes(expected), programBytes(program)) !== 0)
    throw new Error('The transaction does something else');
}

function expectedTransfer(transfer: Transfer, coins: readonly ObjectRef[]): Program {
  if (coins.length === 0 || coins.length > coinsPerTransferMax)
    throw new Error('The transaction is not a transfer');
  return transferProgram(transfer, coins);
}

export function isSameRef(one: ObjectRef, other: ObjectRef): boolean {
  return (
    one.objectId === other.objectId &&
    String(one.version) === String(other.version) &&
    one.digest === other.digest
  );
}

/** What keys sign of a transaction: the hash of the bytes behind the network's intent. */
export function signedBytesOf(transaction: Uint8Array): Uint8Array {
  return blake2b(messageWithIntent('TransactionData', transaction), { dkLen: 32 });
}

/** A signature as the network takes it: scheme, signature and key, in base64. */
export function serializeSignature(publicKey: Uint8Array, signature: Uint8Array): string {
  return toSerializedSignature({
    signatureScheme: 'ED25519',
    signature,
    publicKey: new Ed25519PublicKey(publicKey),
  });
}

/**
 * Whether these are the signatures of the wallet and of who pays, in this order: without them no
 * validator takes the transaction.
 */
export function isSignedBy(
  signers: readonly string[],
  { bytes, signatures }: Pick<DecodedTransaction, 'bytes' | 'signatures'>,
): boolean {
  const message = signedBytesOf(bytes);
  return (
    signatures.length === signers.length &&
    signatures.every((text, index) => isSignature(text, signers[index]!, message))
  );
}

function isSignature(text: string, signer: string, message: Uint8Array): boolean {
  try {
    const parsed = parseSerializedSignature(text);
    if (parsed.signatureScheme !== 'ED25519') return false;
    const { publicKey, signature } = parsed;
    return (
      addressOfPublicKey(publicKey) === signer &&
      ed25519.verify(signature, message, publicKey, { zip215: false })
    );
  } catch {
    return false;
  }
}

export function transactionDigest(transaction: Uint8Array): string {
  return TransactionDataBuilder.getDigestFromBytes(transaction);
}
