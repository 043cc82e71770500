import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  type Instruction,
  type Nonce,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
} from '@solana/kit';
import bs58 from 'bs58';

/** Transactions as bytes: what is signed, and what it says. */

/** The most bytes that a transaction may have on the wire. */
export const transactionBytesMax = 1_232;

export type Message = CompiledTransactionMessage &
  CompiledTransactionMessageWithLifetime & { readonly version: 'legacy' | 0 };

/** Addresses of each lookup table that a message names. */
export type Tables = Readonly<Record<Address, Address[]>>;

export interface ReadInstruction extends Instruction {
  readonly accounts: readonly { readonly address: Address; readonly role: AccountRole }[];
  readonly data: Uint8Array;
}

/** @throws TypeError with the rest of a sentence about the text */
export function readTransaction(base58: string): Message {
  if (base58.length > transactionBytesMax * 2)
    throw new TypeError(`is longer than a transaction of ${transactionBytesMax} bytes`);
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(base58)) throw new TypeError('is not base58');
  try {
    return readMessage(messageBytesOf(base58));
  } catch {
    throw new TypeError('is not a serialised Solana transaction (legacy or version 0)');
  }
}

/** What is signed of a transaction. @throws when it cannot be read */
export function messageBytesOf(base58: string): Uint8Array {
  return messageBytesOfWire(bs58.decode(base58));
}

/** As {@link messageBytesOf}, of a transaction's bytes. */
export function messageBytesOfWire(wire: Uint8Array): Uint8Array {
  return new Uint8Array(getTransactionDecoder().decode(wire).messageBytes);
}

/**
 * Id of a transaction: its first signature.
 * @throws Error where it does not carry this message
 */
export function idOfWire(wire: Uint8Array, message: Uint8Array): string {
  if (Buffer.compare(messageBytesOfWire(wire), message) !== 0)
    throw new Error('they carry another message');
  // Behind their number, which is one byte: more do not fit into a transaction.
  return bs58.encode(wire.subarray(1, 65));
}

/** @throws Error when the bytes are no message, or more than one */
export function readMessage(bytes: Uint8Array): Message {
  const [message, end] = getCompiledTransactionMessageDecoder().read(bytes, 0);
  if (end !== bytes.length) throw new Error('There are bytes behind the message.');
  if (message.version !== 0 && message.version !== 'legacy')
    throw new Error(`Messages of version ${message.version} are not read.`);
  return message as Message;
}

/** Lookup tables that the message needs to be read. */
export function tablesOf(message: Message): Address[] {
  return lookupsOf(message).map(({ lookupTableAddress }) => lookupTableAddress);
}

function lookupsOf(message: Message) {
  return 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : [];
}

/**
 * Every account in the order of the message: its own, then those of tables that are written, then
 * those that are read.
 */
function keysOf(
  message: Message,
  tables: Tables,
): { readonly address: Address; readonly role: AccountRole }[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } =
    message.header;
  const own = message.staticAccounts.map((address, index) => {
    const isSigner = index < numSignerAccounts;
    const isWritable = isSigner
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < message.staticAccounts.length - numReadonlyNonSignerAccounts;
    return { address, role: roleOf(isSigner, isWritable) };
  });
  const lookUp = (table: Address, indexes: readonly number[], role: AccountRole) =>
    indexes.map((index) => {
      const address = tables[table]?.[index];
      if (address === undefined)
        throw new TypeError(
          `names entry ${index} of the lookup table ${table}, which does not have it`,
        );
      return { address, role };
    });
  const lookups = lookupsOf(message);
  return [
    ...own,
    ...lookups.flatMap((one) =>
      lookUp(one.lookupTableAddress, one.writableIndexes, AccountRole.WRITABLE),
    ),
    ...lookups.flatMap((one) =>
      lookUp(one.lookupTableAddress, one.readonlyIndexes, AccountRole.READONLY),
    ),
  ];
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

/**
 * What the message does, with every address in full.
 * @throws TypeError with the rest of a sentence about the transaction
 */
export function instructionsOf(message: Message, tables: Tables): ReadInstruction[] {
  const keys = keysOf(message, tables);
  const keyAt = (index: number) => {
    const key = keys[index];
    if (!key) throw new TypeError(`names account ${index} of ${keys.length}`);
    return key;
  };
  const written = 'instructions' in message ? message.instructions : [];
  return written.map(({ programAddressIndex, accountIndices = [], data }) => ({
    programAddress: keyAt(programAddressIndex).address,
    accounts: accountIndices.map(keyAt),
    data: data === undefined ? new Uint8Array() : new Uint8Array(data),
  }));
}

export interface MessagePlan {
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  readonly tables: Tables;
  /** With neither it is for a simulation alone. */
  readonly nonce?: { readonly account: Address; readonly value: string };
  readonly blockhash?: string;
}

/** 32 zeros: a node puts a recent one in its place. */
const noBlockhash = '11111111111111111111111111111111';

/** The bytes that are signed: version 0, the nonce's advance first. */
export function writeMessage({
  feePayer,
  instructions,
  tables,
  nonce,
  blockhash,
}: MessagePlan): Uint8Array {
  const message = pipe(createTransactionMessage({ version: 0 }), (empty) =>
    setTransactionMessageFeePayer(feePayer, empty),
  );
  const dated = nonce
    ? setTransactionMessageLifetimeUsingDurableNonce(
        {
          nonce: nonce.value as Nonce,
          nonceAccountAddress: nonce.account,
          nonceAuthorityAddress: feePayer,
        },
        message,
      )
    : setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: (blockhash ?? noBlockhash) as Blockhash, lastValidBlockHeight: 0n },
        message,
      );
  const full = appendTransactionMessageInstructions(
    instructions,
    dated as typeof message & typeof dated,
  );
  const compiled = compileTransactionMessage(
    compressTransactionMessageUsingAddressLookupTables(full, tables),
  );
  return new Uint8Array(getCompiledTransactionMessageEncoder().encode(compiled));
}

/** Who must sign a message, the fee payer first. */
export function signersOf(message: Message): Address[] {
  return message.staticAccounts.slice(0, message.header.numSignerAccounts);
}

/** The transaction on the wire; signatures that are not there yet are zeros. */
export function writeTransaction(
  messageBytes: Uint8Array,
  signatures: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array {
  const signers = signersOf(readMessage(messageBytes));
  const given = signers.map((signer) => signatures[signer] ?? new Uint8Array(64));
  return Buffer.concat([Uint8Array.of(signers.length), ...given, messageBytes]);
}

/** The addresses in the data of a lookup table's account; undefined when it is none. */
export function readTable(data: Uint8Array): Address[] | undefined {
  const isTable =
    data.length >= tableHeaderBytes && (data.length - tableHeaderBytes) % 32 === 0 && data[0] === 1;
  if (!isTable) return undefined;
  const decoder = getAddressDecoder();
  return Array.from(
    { length: (data.length - tableHeaderBytes) / 32 },
    (_, index) => decoder.read(data, tableHeaderBytes + index * 32)[0],
  );
}

const tableHeaderBytes = 56;
