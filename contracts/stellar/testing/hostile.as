// A contract that calls back: as a token, as what is called first, as one that creates others.

import { at, call, createContract, get, has, put, requireAuth, self, vecNew, vecPush, VOID } from './host';
import { ARGS, CONTRACT, FN_NAME } from './constants';

@external("a", "a") declare function leaveTo(address: u64): u64;

/// What `transfer` and `fire` call.
export function arm(contract: u64, name: u64, args: u64): u64 {
  put(CONTRACT, contract);
  put(FN_NAME, name);
  put(ARGS, args);
  return VOID;
}

export function transfer(from: u64, to: u64, amount: u64): u64 {
  requireAuth(from);
  return has(CONTRACT) ? fire() : VOID;
}

export function fire(): u64 {
  return call(get(CONTRACT), get(FN_NAME), get(ARGS));
}

/// Names one and asks another.
export function ask(named: u64, asked: u64): u64 {
  return requireAuth(asked);
}

export function ask_itself(): u64 {
  return requireAuth(self());
}

export function create(deployer: u64, code: u64, salt: u64, argument: u64): u64 {
  return createContract(deployer, code, salt, vecPush(vecNew(), argument));
}

/// An account that leaves it to the address in the signature.
export function __check_auth(payload: u64, signature: u64, contexts: u64): u64 {
  return leaveTo(at(signature, 0));
}

export function _(): void {}
