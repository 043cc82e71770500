// A token that asks the sender and writes down what each recipient got; it never runs out.

import { getEntry, greatestAmount, hasEntry, NO_AMOUNT, putEntry, requireAuth, sumWithin, VOID } from './host';

export function transfer(from: u64, to: u64, amount: u64): u64 {
  requireAuth(from);
  const sum = sumWithin(hasEntry(to) ? getEntry(to) : NO_AMOUNT, amount, greatestAmount());
  putEntry(to, sum == 0 ? amount : sum);
  return VOID;
}

function ask(from: u64): u64 {
  requireAuth(from);
  return VOID;
}

// What else a token has, as far as it asks the owner.
export function burn(from: u64, to: u64, amount: u64): u64 { return ask(from); }
export function approve(from: u64, to: u64, amount: u64): u64 { return ask(from); }
export function transfer_from(from: u64, to: u64, amount: u64): u64 { return ask(from); }
export function set_admin(from: u64, to: u64, amount: u64): u64 { return ask(from); }
export function Transfer(from: u64, to: u64, amount: u64): u64 { return ask(from); }

export function _(): void {}
