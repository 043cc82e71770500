// SPDX-License-Identifier: Apache-2.0
//
// Delegates: how they are written down, and what one with scopes may do.

import {
  at, getEntry, hasEntry, isAddress, isAmount, isNought, isSame, lengthOf, ledgerTime, mapGet,
  NO_AMOUNT, NO_TIME, ofU32, ofU64, putEntry, replaceAt, require, self, sumWithin, toU32, toU64,
  vecNew, vecPush, VOID, get, put,
} from './host';
import { requireKey } from './approvals';
import {
  ARGS, BAD_SET_UP, CALL_CONTEXT, CONTRACT, COUNTER, EPOCH, FN_NAME, FORBIDDEN, LIMIT_EXCEEDED,
  OUT_OF_SCOPE, TOO_MANY_CHANGES, TRANSFER, WRONG_RECIPIENT,
} from './constants';

// delegate: [generation] when it was removed, else
//           [generation, epoch, expires at (0: never), scopes, windows], a window per scope
// scope:    [token, limit (void: none), interval in seconds (0: for ever),
//           recipients (none: anybody)]
// window:   [spent, since]
const SCOPES_MAX: u32 = 8;
const RECIPIENTS_MAX: u32 = 16;
export const CHANGES_MAX: u32 = 0x7fffffff;

/// @returns 0 for a key that was never a delegate's
export function generationOf(key: u64): u32 {
  return hasEntry(key) ? toU32(at(getEntry(key), 0), BAD_SET_UP) : 0;
}

/// Numbers of registrations and removals are of the whole wallet: none is used for two.
export function nextGeneration(): u32 {
  const next = toU32(get(COUNTER), BAD_SET_UP) + 1;
  require(next < CHANGES_MAX, TOO_MANY_CHANGES);
  put(COUNTER, ofU32(next));
  return next;
}

@inline export function isActive(delegate: u64, epoch: u64): bool {
  return lengthOf(delegate) == 5 && at(delegate, 1) == epoch;
}

export function register(key: u64, expiresAt: u64, scopes: u64): u32 {
  requireKey(key, false);
  toU64(expiresAt, BAD_SET_UP);
  const count = lengthOf(scopes);
  require(count <= SCOPES_MAX, BAD_SET_UP);
  const unspent = vecPush(vecPush(vecNew(), NO_AMOUNT), NO_TIME);
  let windows = vecNew();
  for (let i: u32 = 0; i < count; i++) {
    requireScope(at(scopes, i));
    windows = vecPush(windows, unspent);
  }
  const generation = nextGeneration();
  const head = vecPush(vecPush(vecNew(), ofU32(generation)), get(EPOCH));
  putEntry(key, vecPush(vecPush(vecPush(head, expiresAt), scopes), windows));
  return generation;
}

function requireScope(scope: u64): void {
  require(lengthOf(scope) == 4, BAD_SET_UP);
  const token = at(scope, 0);
  require(isAddress(token) && !isSame(token, self()), BAD_SET_UP);
  const limit = at(scope, 1);
  require(limit == VOID || isAmount(limit), BAD_SET_UP);
  toU64(at(scope, 2), BAD_SET_UP);
  const recipients = at(scope, 3);
  const count = lengthOf(recipients);
  require(count <= RECIPIENTS_MAX, BAD_SET_UP);
  for (let i: u32 = 0; i < count; i++) require(isAddress(at(recipients, i)), BAD_SET_UP);
}

/// @returns the map of a call of a contract; 0 for any other context
export function callOf(context: u64): u64 {
  return at(context, 0) == CALL_CONTEXT ? at(context, 1) : 0;
}

/// Without scopes: anything but the wallet itself, and nothing is created in its name.
export function requireForeign(contexts: u64): void {
  const wallet = self();
  const count = lengthOf(contexts);
  for (let i: u32 = 0; i < count; i++) {
    const called = callOf(at(contexts, i));
    require(called != 0 && !isSame(mapGet(called, CONTRACT), wallet), FORBIDDEN);
  }
}

/// Takes each context from the first scope that allows it.
/// @returns the windows after that
export function spend(contexts: u64, scopes: u64, windows: u64): u64 {
  const now = toU64(ledgerTime(), BAD_SET_UP);
  const wallet = self();
  const count = lengthOf(contexts);
  for (let i: u32 = 0; i < count; i++) {
    const called = callOf(at(contexts, i));
    require(called != 0 && mapGet(called, FN_NAME) == TRANSFER, OUT_OF_SCOPE);
    const args = mapGet(called, ARGS);
    require(lengthOf(args) == 3 && isSame(at(args, 0), wallet), OUT_OF_SCOPE);
    const amount = at(args, 2);
    require(isAmount(amount) && !isNought(amount), OUT_OF_SCOPE);
    windows = take(mapGet(called, CONTRACT), at(args, 1), amount, scopes, windows, now);
  }
  return windows;
}

function take(
  token: u64, recipient: u64, amount: u64, scopes: u64, windows: u64, now: u64,
): u64 {
  let refusal = OUT_OF_SCOPE;
  const count = lengthOf(scopes);
  for (let i: u32 = 0; i < count; i++) {
    const scope = at(scopes, i);
    if (!isSame(at(scope, 0), token)) continue;
    if (!isRecipient(at(scope, 3), recipient)) {
      if (refusal == OUT_OF_SCOPE) refusal = WRONG_RECIPIENT;
      continue;
    }
    const limit = at(scope, 1);
    if (limit == VOID) return windows;
    const window = windowWith(at(windows, i), amount, limit, toU64(at(scope, 2), BAD_SET_UP), now);
    if (window != 0) return replaceAt(windows, i, window);
    refusal = LIMIT_EXCEEDED;
  }
  require(false, refusal);
  return 0;
}

function isRecipient(recipients: u64, recipient: u64): bool {
  const count = lengthOf(recipients);
  for (let i: u32 = 0; i < count; i++) if (isSame(at(recipients, i), recipient)) return true;
  return count == 0;
}

/// A window starts with its first spend.
/// @returns 0 when the amount does not fit into it
function windowWith(window: u64, amount: u64, limit: u64, interval: u64, now: u64): u64 {
  const since = toU64(at(window, 1), BAD_SET_UP);
  const isOver = interval != 0 && now - since >= interval;
  const spent = isOver ? NO_AMOUNT : at(window, 0);
  const sum = sumWithin(spent, amount, limit);
  if (sum == 0) return 0;
  return vecPush(vecPush(vecNew(), sum), isNought(spent) ? ofU64(now) : at(window, 1));
}
