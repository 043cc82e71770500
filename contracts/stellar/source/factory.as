// SPDX-License-Identifier: Apache-2.0
//
// Creates wallets. NOT EXTERNALLY AUDITED.
//
// A wallet's id is of this contract and the hash of the set-up, and only this contract can
// create it: so it can be nothing but that set-up. It holds nothing, has no owner and never
// changes; which code wallets get is part of its own.

import {
  bytesAt, call, contractId, createContract, executableOf, self, serialize, sha256, vecNew,
  vecPush, VOID,
} from './host';
import { WALLET_CODE } from './constants';

function saltOf(setup: u64): u64 {
  return sha256(serialize(setup));
}

export function address_of(setup: u64): u64 {
  return contractId(self(), saltOf(setup));
}

/// By anybody: nothing in it can be chosen. Of a wallet that is there already it does nothing.
export function deploy(setup: u64): u64 {
  const wallet = address_of(setup);
  if (executableOf(wallet) == VOID) {
    createContract(self(), bytesAt(WALLET_CODE, 32), saltOf(setup), vecPush(vecNew(), setup));
  }
  return wallet;
}

/// The first operation of a wallet, or one of several that were meant to be it.
export function deploy_and_call(setup: u64, contract: u64, name: u64, args: u64): u64 {
  deploy(setup);
  return call(contract, name, args);
}

export function _(): void {}
