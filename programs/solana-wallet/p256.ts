import { createHash } from 'node:crypto';
import {
  type Address,
  type CompiledTransactionMessage,
  getAddressEncoder,
  type Instruction,
} from '@solana/kit';
import { createKeccak } from 'hash-wasm';

/**
 * What P-256 keys approve, and how their approvals are put into a transaction. p256.h is the other
 * side.
 */

export const secp256r1Program = 'Secp256r1SigVerify1111111111111111111111111' as Address;
const domain = 'Purser Solana wallet operation 1';
const signatureBytes = 64;
const keyBytes = 33;
const offsetsBytes = 14;
/** "This instruction", where an index of one is asked for. */
const here = 0xffff;
/**
 * What a client's data begins with (WebAuthn Level 2, 5.8.1.1); the hash in base64url follows, and
 * the rest of the text.
 */
export const clientDataStart = '{"type":"webauthn.get","challenge":"';
export const challengeLength = 43;
const encoder = getAddressEncoder();
const keccak = await createKeccak(256);

/** An instruction as the runtime tells programs of it. Roles are those of the whole transaction. */
export interface ShownInstruction {
  readonly program: Address;
  readonly accounts: readonly {
    readonly address: Address;
    readonly isSigner: boolean;
    readonly isWritable: boolean;
  }[];
  readonly data: Uint8Array;
}

/** The Keccak-256 that devices sign as a message, and passkeys as the challenge. */
export function approvalHash(instructions: readonly ShownInstruction[]): Uint8Array {
  const hash = keccak.init().update(domain);
  for (const { program, accounts, data } of instructions) {
    if (program === secp256r1Program) continue;
    hash.update(u16(accounts.length));
    for (const { address, isSigner, isWritable } of accounts)
      hash.update(
        new Uint8Array([(isSigner ? 1 : 0) | (isWritable ? 2 : 0), ...encoder.encode(address)]),
      );
    hash
      .update(new Uint8Array(encoder.encode(program)))
      .update(u16(data.length))
      .update(data);
  }
  return hash.digest('binary');
}

export interface P256Approval {
  /** The compressed point. */
  readonly key: Uint8Array;
  /** r and s, the lower of the two. */
  readonly signature: Uint8Array;
  /**
   * What was signed: of a device the hash, of a passkey its authenticator's data, and the text that
   * it also holds the SHA-256 of.
   */
  readonly signed:
    | { readonly hash: Uint8Array }
    | { readonly authenticatorData: Uint8Array; readonly clientData: Uint8Array };
}

/**
 * Data of the secp256r1 instruction: count, a fill byte, offsets of each, then what they point to.
 */
export function encodeApprovals(approvals: readonly P256Approval[]): Uint8Array {
  const offsets: number[] = [];
  const content: number[] = [];
  let at = 2 + offsetsBytes * approvals.length;
  for (const { key, signature, signed } of approvals) {
    const message = messageOf(signed);
    const tail = 'hash' in signed ? [] : tailOf(signed);
    const [keyAt, messageAt] = [at + signatureBytes, at + signatureBytes + keyBytes];
    offsets.push(
      ...[at, here, keyAt, here, messageAt, message.length, here].flatMap((value) => [
        ...u16(value),
      ]),
    );
    content.push(...signature, ...key, ...message, ...tail);
    at = messageAt + message.length + tail.length;
  }
  return new Uint8Array([approvals.length, 0, ...offsets, ...content]);
}

/** The instruction itself, empty until there are approvals. */
export function p256Instruction(approvals: readonly P256Approval[] = []): Instruction {
  return {
    programAddress: secp256r1Program,
    accounts: [],
    data: approvals.length === 0 ? new Uint8Array() : encodeApprovals(approvals),
  };
}

function messageOf(signed: P256Approval['signed']): Uint8Array {
  if ('hash' in signed) return signed.hash;
  return new Uint8Array([
    ...signed.authenticatorData,
    ...createHash('sha256').update(signed.clientData).digest(),
  ]);
}

/** The chain knows what the client's data begins with. */
function tailOf({ clientData }: Exclude<P256Approval['signed'], { hash: Uint8Array }>): number[] {
  const tail = clientData.subarray(clientDataStart.length + challengeLength);
  return [...u16(tail.length), ...tail];
}

/** The instructions of a compiled message without lookup tables, or with what those hold. */
export function showInstructions(
  message: CompiledTransactionMessage,
  loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] } = {
    writable: [],
    readonly: [],
  },
): ShownInstruction[] {
  const { header, staticAccounts, instructions } = message as Extract<
    CompiledTransactionMessage,
    { version: 0 | 'legacy' }
  >;
  const addresses = [...staticAccounts, ...loaded.writable, ...loaded.readonly];
  const programs = new Set(instructions.map(({ programAddressIndex }) => programAddressIndex));
  const signers = header.numSignerAccounts;
  const isWritable = (index: number) => {
    // Whatever a transaction says, it cannot write programs that it calls.
    if (programs.has(index)) return false;
    if (index >= staticAccounts.length)
      return index < staticAccounts.length + loaded.writable.length;
    return index < signers
      ? index < signers - header.numReadonlySignerAccounts
      : index < staticAccounts.length - header.numReadonlyNonSignerAccounts;
  };
  return instructions.map(
    ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      program: addresses[programAddressIndex]!,
      accounts: accountIndices.map((index) => ({
        address: addresses[index]!,
        isSigner: index < signers,
        isWritable: isWritable(index),
      })),
      data: new Uint8Array(data),
    }),
  );
}

function u16(value: number): Uint8Array {
  return new Uint8Array([value & 255, value >> 8]);
}
