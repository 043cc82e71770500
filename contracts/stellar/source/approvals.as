// SPDX-License-Identifier: Apache-2.0
//
// Who signed: what an approval is, by kind of key.

import {
  append, at, lengthOf, read, require, sha256, sizeOf, slice, toU32, verifyEd25519, verifyP256,
} from './host';
import {
  BAD_PASSKEY_DATA, BAD_SET_UP, BAD_SIGNATURE_VALUE, CLIENT_DATA_START, CLIENT_DATA_START_LENGTH,
  NOT_ENOUGH_SIGNERS,
} from './constants';

// A key: its kind in a byte, then 32 bytes of ed25519, or 65 of a point of P-256 that is not
// compressed.
const ED25519: u8 = 0;
const DEVICE: u8 = 1;
const PASSKEY: u8 = 2;
const ED25519_SIZE: u32 = 33;
const P256_SIZE: u32 = 66;
const UNCOMPRESSED: u8 = 4;

// An authenticator's data: hash of its domain, flags, counter, and what extensions add.
const FLAGS: u32 = 32;
const AUTHENTICATOR_MIN: u32 = 37;
const PRESENT_AND_VERIFIED: u8 = 5;
const PAYLOAD: u32 = 32;
const CHALLENGE: u32 = 43;
const QUOTE: u8 = 0x22;

const EXPECTED = memory.data(96, 8);
const ALPHABET = memory.data<u8>([
  65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88,
  89, 90, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114,
  115, 116, 117, 118, 119, 120, 121, 122, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 45, 95,
]);

/// Devices are delegates only.
export function requireKey(key: u64, isMember: bool): void {
  const size = sizeOf(key);
  require(size > 1, BAD_SET_UP);
  const head = read(key, 2);
  const kind = load<u8>(head);
  if (kind == ED25519) return require(size == ED25519_SIZE, BAD_SET_UP);
  require(kind == PASSKEY || (kind == DEVICE && !isMember), BAD_SET_UP);
  require(size == P256_SIZE && load<u8>(head, 1) == UNCOMPRESSED, BAD_SET_UP);
}

/// `approvals`: [member's index, signature ...] each, indexes ascending, so that nobody counts
/// twice. Of more than are needed each must hold.
export function requireApprovals(payload: u64, group: u64, approvals: u64): void {
  const count = lengthOf(approvals);
  require(count >= toU32(at(group, 0), BAD_SIGNATURE_VALUE), NOT_ENOUGH_SIGNERS);
  const members = at(group, 1);
  const memberCount = lengthOf(members);
  let next: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const approval = at(approvals, i);
    const index = toU32(at(approval, 0), BAD_SIGNATURE_VALUE);
    require(index >= next && index < memberCount, BAD_SIGNATURE_VALUE);
    next = index + 1;
    requireApproval(payload, at(members, index), approval);
  }
}

/// The host ends everything where a signature is not the key's.
export function requireApproval(payload: u64, key: u64, approval: u64): void {
  const kind = load<u8>(read(key, 1));
  require(lengthOf(approval) == <u32>(kind == PASSKEY ? 4 : 2), BAD_SIGNATURE_VALUE);
  const bare = slice(key, 1, sizeOf(key));
  const signature = at(approval, 1);
  if (kind == ED25519) verifyEd25519(bare, payload, signature);
  else if (kind == DEVICE) verifyP256(bare, sha256(payload), signature);
  else verifyP256(bare, passkeyDigest(payload, at(approval, 2), at(approval, 3)), signature);
}

/// WebAuthn Level 2: a user who was present and verified, and the client's text, which begins
/// with type and challenge, the payload.
function passkeyDigest(payload: u64, authenticatorData: u64, clientData: u64): u64 {
  require(sizeOf(authenticatorData) >= AUTHENTICATOR_MIN, BAD_PASSKEY_DATA);
  const flags = load<u8>(read(authenticatorData, AUTHENTICATOR_MIN), FLAGS);
  require((flags & PRESENT_AND_VERIFIED) == PRESENT_AND_VERIFIED, BAD_PASSKEY_DATA);
  const length = CLIENT_DATA_START_LENGTH + CHALLENGE + 1;
  require(sizeOf(clientData) > length, BAD_PASSKEY_DATA);
  writeExpected(read(payload, PAYLOAD));
  const text = read(clientData, length);
  for (let i: u32 = 0; i < length; i++) {
    require(load<u8>(text + i) == load<u8>(EXPECTED + i), BAD_PASSKEY_DATA);
  }
  return sha256(append(authenticatorData, sha256(clientData)));
}

/// The payload in base64url between what stands around it: 43 signs of six bits, the last with
/// two noughts.
function writeExpected(payload: usize): void {
  for (let i: u32 = 0; i < CLIENT_DATA_START_LENGTH; i++) {
    store<u8>(EXPECTED + i, load<u8>(CLIENT_DATA_START + i));
  }
  const start = EXPECTED + CLIENT_DATA_START_LENGTH;
  for (let i: u32 = 0; i < CHALLENGE; i++) {
    const bit = i * 6;
    const from = payload + (bit >> 3);
    const next: u32 = (bit >> 3) + 1 < PAYLOAD ? load<u8>(from + 1) : 0;
    const pair = (<u32>load<u8>(from) << 8) | next;
    store<u8>(start + i, load<u8>(ALPHABET + ((pair >> (10 - (bit & 7))) & 63)));
  }
  store<u8>(start + CHALLENGE, QUOTE);
}
