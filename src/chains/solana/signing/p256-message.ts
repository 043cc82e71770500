import { createHash } from 'node:crypto';
import { type CompiledTransactionMessage, getCompiledTransactionMessageEncoder } from '@solana/kit';
import {
  approvalHash,
  encodeApprovals,
  secp256r1Program,
  showInstructions,
} from '../../../../programs/solana-wallet/index.ts';
import type { SubmittedApproval } from '../../family.ts';
import { type Message, readMessage, tablesOf, transactionBytesMax } from '../operation/message.ts';
import { messageDigest } from '../operation/stored.ts';
import { readP256Approval } from './p256.ts';

/**
 * Transactions that P-256 keys approve: their approvals stand in an instruction of the transaction,
 * which they do not sign.
 */

const signatureBytes = 64;

/** Which instruction waits for approvals; undefined: none, the signers sign the transaction. */
function waitingIn(message: Message): number | undefined {
  const index = showInstructions(message as CompiledTransactionMessage).findIndex(
    ({ program, data }) => program === secp256r1Program && data.length === 0,
  );
  return index < 0 ? undefined : index;
}

/** True when a device or a passkey is to approve. */
export function isApprovedByP256(messageBytes: Uint8Array): boolean {
  return waitingIn(readMessage(messageBytes)) !== undefined;
}

/**
 * What a device signs as a message, and a passkey as the challenge: a Keccak-256, computed from the
 * bytes.
 */
function operationHash(messageBytes: Uint8Array): `0x${string}` {
  const message = readMessage(messageBytes);
  return `0x${Buffer.from(approvalHash(showInstructions(message as CompiledTransactionMessage))).toString('hex')}`;
}

/**
 * The same for whatever runs by the same approvals: what P-256 keys approve names a nonce account,
 * and neither its value nor who else signs. @throws Error for P-256 approvals in a message that
 * hides its accounts in lookup tables
 */
export function approvedDigest(messageBytes: Uint8Array): Uint8Array {
  const message = readMessage(messageBytes);
  const holdsApprovals = message.staticAccounts.includes(secp256r1Program);
  if (!holdsApprovals) return createHash('sha256').update(messageBytes).digest();
  if (tablesOf(message).length > 0)
    throw new Error('P-256 approvals and lookup tables do not go together.');
  return approvalHash(showInstructions(message as CompiledTransactionMessage));
}

/** What approvals show: the hash where P-256 keys sign it, else the digest of what is signed. */
export function approvalMessage(messageBytes: Uint8Array): string {
  return isApprovedByP256(messageBytes) ? operationHash(messageBytes) : messageDigest(messageBytes);
}

/** Whether the approval is that signer's, of this transaction. */
export function checkP256Approval(messageBytes: Uint8Array, approval: SubmittedApproval): boolean {
  return readP256Approval(hashBytes(messageBytes), approval, roomIn(messageBytes)) !== undefined;
}

/**
 * The message with the approvals in their place; the fee payer signs it then.
 * @throws Error when one of them approves nothing
 */
export function completeP256(
  messageBytes: Uint8Array,
  approvals: readonly SubmittedApproval[],
): Uint8Array {
  const message = readMessage(messageBytes);
  const waiting = waitingIn(message);
  if (waiting === undefined) return messageBytes;
  const hash = hashBytes(messageBytes);
  const room = Math.floor(roomIn(messageBytes) / approvals.length);
  const read = approvals.map((approval) => {
    const made = readP256Approval(hash, approval, room);
    if (!made)
      throw new Error(`An approval of ${approval.signer.locator} is none of this operation.`);
    return made;
  });
  const data = encodeApprovals(read);
  const written = message as Extract<CompiledTransactionMessage, { version: 0 }>;
  const instructions = written.instructions.map((one, index) =>
    index === waiting ? { ...one, data } : one,
  );
  return new Uint8Array(
    getCompiledTransactionMessageEncoder().encode({ ...written, instructions }),
  );
}

function hashBytes(messageBytes: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.from(operationHash(messageBytes).slice(2), 'hex'));
}

/** Bytes that the transaction has left: its signatures count, and a byte more of a data's length. */
function roomIn(messageBytes: Uint8Array): number {
  const { header } = readMessage(messageBytes);
  return (
    transactionBytesMax - 1 - header.numSignerAccounts * signatureBytes - messageBytes.length - 1
  );
}
