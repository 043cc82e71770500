import type { Registration, Scope, WalletError } from './instructions.ts';

/**
 * The rules of the wallet program, written once more from their description and not from the program: no bytes, no accounts.
 * A test gives both the same operations and compares answers and balances.
 */

export interface ModelWallet {
  readonly threshold: number;
  readonly members: readonly string[];
  epoch: number;
  balance: bigint;
  readonly delegates: Map<string, ModelDelegate>;
}

export interface ModelDelegate {
  generation: number;
  /** Undefined: removed. */
  active?: { readonly epoch: number; readonly registration: Registration; readonly windows: Window[] };
}

/** What was spent under a limit, and since when. */
interface Window {
  spent: bigint;
  since: bigint;
}

interface Signed {
  readonly epoch: number;
  readonly signers: readonly string[];
}

export function pay(wallet: ModelWallet, amount: bigint, signed: Signed): WalletError {
  const refusal = checkAdmin(wallet, signed);
  if (refusal === 'none') wallet.balance -= amount;
  return refusal;
}

export function register(wallet: ModelWallet, registration: Registration, signed: Signed & { readonly generation: number }): WalletError {
  const refusal = checkRegistered(wallet, registration.key, signed);
  if (refusal !== 'none') return refusal;
  const windows = registration.scopes.map(() => ({ spent: 0n, since: 0n }));
  wallet.delegates.set(registration.key, { generation: signed.generation + 1, active: { epoch: wallet.epoch, registration, windows } });
  return 'none';
}

export function remove(wallet: ModelWallet, key: string, signed: Signed & { readonly generation: number }): WalletError {
  const refusal = checkRegistered(wallet, key, signed);
  if (refusal === 'none') wallet.delegates.set(key, { generation: signed.generation + 1 });
  return refusal;
}

export function raiseEpoch(wallet: ModelWallet, signed: Signed): WalletError {
  const refusal = checkAdmin(wallet, signed);
  if (refusal === 'none') wallet.epoch += 1;
  return refusal;
}

export interface ModelTransfer {
  readonly delegate: string;
  readonly epoch: number;
  readonly generation: number;
  readonly scope: number;
  readonly recipient: string;
  readonly amount: bigint;
  readonly at: bigint;
}

export function transfer(wallet: ModelWallet, call: ModelTransfer): WalletError {
  const delegate = wallet.delegates.get(call.delegate);
  if (delegate?.active?.epoch !== wallet.epoch) return 'unknown delegate';
  const { registration, windows } = delegate.active;
  if (call.epoch !== wallet.epoch) return 'wrong epoch';
  if (call.generation !== delegate.generation) return 'wrong generation';
  if (registration.expiresAt !== 0n && call.at >= registration.expiresAt) return 'expired';
  if (call.amount === 0n) return 'bad instruction';
  if (registration.scopes.length > 0) {
    const scope = registration.scopes[call.scope];
    if (!scope || scope.mint !== undefined) return 'out of scope';
    if (scope.recipients.length > 0 && !scope.recipients.some((one) => one === call.recipient)) return 'wrong recipient';
    if (!take(scope, windows[call.scope]!, call)) return 'limit exceeded';
  }
  wallet.balance -= call.amount;
  return 'none';
}

function take({ limit, interval }: Scope, window: Window, { amount, at }: ModelTransfer): boolean {
  if (limit === undefined) return true;
  const isOver = interval > 0n && at - window.since >= interval;
  const spent = isOver ? 0n : window.spent;
  if (spent + amount > limit) return false;
  window.since = spent === 0n ? at : window.since;
  window.spent = spent + amount;
  return true;
}

function checkAdmin(wallet: ModelWallet, { epoch, signers }: Signed): WalletError {
  if (epoch !== wallet.epoch) return 'wrong epoch';
  const approved = new Set(signers.filter((one) => wallet.members.includes(one)));
  return approved.size < wallet.threshold ? 'not enough signers' : 'none';
}

function checkRegistered(wallet: ModelWallet, key: string, signed: Signed & { readonly generation: number }): WalletError {
  const refusal = checkAdmin(wallet, signed);
  if (refusal !== 'none') return refusal;
  return (wallet.delegates.get(key)?.generation ?? 0) === signed.generation ? 'none' : 'wrong generation';
}
