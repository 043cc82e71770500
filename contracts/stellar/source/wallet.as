// SPDX-License-Identifier: Apache-2.0
//
// A smart wallet for Stellar. NOT EXTERNALLY AUDITED.
//
// What signers sign is the payload of the wallet's authorization entry and nothing else, so the
// host looks after network, expiry and replay. What it cannot know is in the upper half of the
// entry's nonce, which the payload covers: the epoch of the wallet, or the generation of the
// delegate with the highest bit set.

import {
  announce, at, extendEntry, extendInstance, FALSE, get, getEntry, has, hasEntry, isSame, isU32,
  lengthOf, ledgerTime, mapGet, ofU32, put, putEntry, read, replaceAt, require, requireAuth, self,
  serialize, sha256, sizeOf, slice, isBefore, toU32, toU64, TRUE, updateCode, vecNew, vecPush,
  VOID,
} from './host';
import { requireApproval, requireApprovals, requireKey } from './approvals';
import {
  callOf, CHANGES_MAX, generationOf, isActive, nextGeneration, register, requireForeign, spend,
} from './delegates';
import {
  ADDED, ARGS, BAD_SET_UP, BAD_SIGNATURE_VALUE, CONTRACT, COUNTER, EPOCH, EXPIRED, FN_NAME,
  GROUPS, LOCKED, LOCKED_ERROR, MIGRATE, NOT_BOUND_TO_THE_WALLET, NOT_LOCKED, RAISED, REMOVED,
  TOO_MANY_CHANGES, UNKNOWN_DELEGATE, WRONG_EPOCH, WRONG_GENERATION, WRONG_PAYLOAD,
} from './constants';

const GROUPS_MAX: u32 = 8;
const MEMBERS_MAX: u32 = 16;
const DELEGATES_MAX: u32 = 8;
const SALT: u32 = 32;

// What the payload is the hash of: form u32, network 32 bytes, nonce 8 bytes, and so on, big-
// endian.
const PREIMAGE_HEAD: u32 = 44;
const NONCE: u32 = 36;
/// Which part of it is the address of who signs, and which of a contract's address as a value.
const ADDRESS: u32 = 48;
const ADDRESS_END: u32 = 84;
const VALUE_HEAD: u32 = 4;
const VALUE_END: u32 = 40;
/// The form that does not hold that address.
const UNBOUND_FORM: u32 = 9;
const OF_DELEGATE: u32 = 0x80000000;

/// `setup`: [salt, groups, delegates]; a group: [threshold, members ascending]; a delegate:
/// [key, expires at, scopes]. The host calls this once, while the factory creates the wallet.
export function __constructor(setup: u64): u64 {
  require(!has(GROUPS), BAD_SET_UP);
  require(lengthOf(setup) == 3 && sizeOf(at(setup, 0)) == SALT, BAD_SET_UP);
  const groups = at(setup, 1);
  requireGroups(groups);
  put(GROUPS, groups);
  put(EPOCH, ofU32(0));
  put(COUNTER, ofU32(0));
  put(LOCKED, FALSE);
  const delegates = at(setup, 2);
  const count = lengthOf(delegates);
  require(count <= DELEGATES_MAX, BAD_SET_UP);
  for (let i: u32 = 0; i < count; i++) {
    const delegate = at(delegates, i);
    require(lengthOf(delegate) == 3 && !hasEntry(at(delegate, 0)), BAD_SET_UP);
    register(at(delegate, 0), at(delegate, 1), at(delegate, 2));
  }
  return VOID;
}

function requireGroups(groups: u64): void {
  const count = lengthOf(groups);
  require(count > 0 && count <= GROUPS_MAX, BAD_SET_UP);
  let members: u32 = 0;
  for (let i: u32 = 0; i < count; i++) members += requireGroup(at(groups, i));
  require(members <= MEMBERS_MAX, BAD_SET_UP);
}

/// Ascending members are each another one.
function requireGroup(group: u64): u32 {
  require(lengthOf(group) == 2, BAD_SET_UP);
  const threshold = toU32(at(group, 0), BAD_SET_UP);
  const members = at(group, 1);
  const count = lengthOf(members);
  require(threshold > 0 && threshold <= count && count <= MEMBERS_MAX, BAD_SET_UP);
  for (let i: u32 = 0; i < count; i++) {
    requireKey(at(members, i), true);
    if (i > 0) require(isBefore(at(members, i - 1), at(members, i)), BAD_SET_UP);
  }
  return count;
}

/// `signature`: [what the payload is the hash of, group's index or delegate's key, approvals].
export function __check_auth(payload: u64, signature: u64, contexts: u64): u64 {
  require(lengthOf(signature) == 3, BAD_SIGNATURE_VALUE);
  const preimage = at(signature, 0);
  require(isSame(sha256(preimage), payload), WRONG_PAYLOAD);
  const head = read(preimage, PREIMAGE_HEAD);
  const form = bswap(load<u32>(head));
  const stamp = bswap(load<u32>(head, NONCE));
  if (form == UNBOUND_FORM) requireNamed(contexts);
  else requireOwn(preimage);
  extendInstance();
  const signer = at(signature, 1);
  if (isU32(signer)) checkAdmin(payload, stamp, signer, at(signature, 2), contexts);
  else checkDelegate(payload, stamp, signer, at(signature, 2), contexts);
  return VOID;
}

/// The host may ask for the approval of another account's entry (delegated authentication),
/// which nobody here has given.
function requireOwn(preimage: u64): void {
  const own = slice(serialize(self()), VALUE_HEAD, VALUE_END);
  require(isSame(slice(preimage, ADDRESS, ADDRESS_END), own), NOT_BOUND_TO_THE_WALLET);
}

/// One key may be of several wallets: what was signed for another must not hold here.
function requireNamed(contexts: u64): void {
  const wallet = self();
  const count = lengthOf(contexts);
  for (let i: u32 = 0; i < count; i++) {
    const called = callOf(at(contexts, i));
    require(called != 0, NOT_BOUND_TO_THE_WALLET);
    if (isSame(mapGet(called, CONTRACT), wallet)) continue;
    const args = mapGet(called, ARGS);
    require(lengthOf(args) > 0 && isSame(at(args, 0), wallet), NOT_BOUND_TO_THE_WALLET);
  }
}

function checkAdmin(payload: u64, stamp: u32, index: u64, approvals: u64, contexts: u64): void {
  require(ofU32(stamp) == get(EPOCH), WRONG_EPOCH);
  const groups = get(GROUPS);
  const group = toU32(index, BAD_SIGNATURE_VALUE);
  require(group < lengthOf(groups), BAD_SIGNATURE_VALUE);
  if (get(LOCKED) == TRUE) requireMigration(contexts);
  requireApprovals(payload, at(groups, group), approvals);
}

function requireMigration(contexts: u64): void {
  const wallet = self();
  const count = lengthOf(contexts);
  for (let i: u32 = 0; i < count; i++) {
    const called = callOf(at(contexts, i));
    const isMigration = called != 0
      && isSame(mapGet(called, CONTRACT), wallet) && mapGet(called, FN_NAME) == MIGRATE;
    require(isMigration, LOCKED_ERROR);
  }
}

function checkDelegate(payload: u64, stamp: u32, key: u64, approvals: u64, contexts: u64): void {
  require(get(LOCKED) == FALSE, LOCKED_ERROR);
  requireKey(key, false);
  require(hasEntry(key), UNKNOWN_DELEGATE);
  const delegate = getEntry(key);
  require(isActive(delegate, get(EPOCH)), UNKNOWN_DELEGATE);
  const generation = toU32(at(delegate, 0), BAD_SET_UP);
  require(stamp == (OF_DELEGATE | generation), WRONG_GENERATION);
  const expiresAt = toU64(at(delegate, 2), BAD_SET_UP);
  const now = toU64(ledgerTime(), BAD_SET_UP);
  require(expiresAt == 0 || now < expiresAt, EXPIRED);
  require(lengthOf(approvals) == 1, BAD_SIGNATURE_VALUE);
  const approval = at(approvals, 0);
  require(at(approval, 0) == ofU32(0), BAD_SIGNATURE_VALUE);
  requireApproval(payload, key, approval);
  const scopes = at(delegate, 3);
  if (lengthOf(scopes) == 0) requireForeign(contexts);
  else putEntry(key, replaceAt(delegate, 4, spend(contexts, scopes, at(delegate, 4))));
  extendEntry(key);
}

/// Registers a delegate, or anew: its scopes and what it spent count no more.
/// `generation`: what it is now, so that what was signed earlier does not undo a removal.
export function add_signer(key: u64, generation: u64, expiresAt: u64, scopes: u64): u64 {
  requireAuth(self());
  require(generation == ofU32(generationOf(key)), WRONG_GENERATION);
  const next = ofU32(register(key, expiresAt, scopes));
  extendEntry(key);
  announce(ADDED, vecPush(vecPush(vecNew(), key), next));
  return next;
}

/// Names no generation: a removal always wins.
export function remove_signer(key: u64): u64 {
  requireAuth(self());
  require(hasEntry(key) && isActive(getEntry(key), get(EPOCH)), UNKNOWN_DELEGATE);
  const next = ofU32(nextGeneration());
  putEntry(key, vecPush(vecNew(), next));
  announce(REMOVED, vecPush(vecPush(vecNew(), key), next));
  return next;
}

/// Nothing that was signed so far holds any more, and there are no delegates.
export function bump_epoch(): u64 {
  requireAuth(self());
  return raiseEpoch();
}

function raiseEpoch(): u64 {
  const next = toU32(get(EPOCH), BAD_SET_UP) + 1;
  require(next < CHANGES_MAX, TOO_MANY_CHANGES);
  const value = ofU32(next);
  put(EPOCH, value);
  announce(RAISED, value);
  return value;
}

/// Puts other code in this one's place, which is locked until its `migrate` has run.
export function upgrade(code: u64): u64 {
  requireAuth(self());
  raiseEpoch();
  put(LOCKED, TRUE);
  updateCode(code);
  return VOID;
}

export function migrate(): u64 {
  requireAuth(self());
  require(get(LOCKED) == TRUE, NOT_LOCKED);
  put(LOCKED, FALSE);
  return VOID;
}

export function _(): void {}
