import type { Registration, Scope, WalletError } from './index.ts';

/**
 * The rules of the wallet program, written once more from their description and not from the
 * program: no bytes, no accounts. A test gives both the same operations and compares answers and
 * balances. Keys are names here.
 */

export interface ModelGroup {
  readonly threshold: number;
  readonly members: readonly string[];
}

export interface ModelWallet {
  readonly groups: readonly ModelGroup[];
  /** Whose registrations the set-up has, by name. */
  readonly planned: ReadonlyMap<string, ModelRegistration>;
  epoch: number;
  balance: bigint;
  readonly numbers: Numbers;
  readonly delegates: Map<string, ModelDelegate>;
}

export type ModelRegistration = Omit<Registration, 'key'>;

export interface ModelDelegate {
  generation: number;
  readonly numbers: Numbers;
  /** Undefined: removed. */
  active?: {
    readonly epoch: number;
    readonly registration: ModelRegistration;
    readonly windows: Window[];
  };
}

/** Numbers that P-256 approvals have used. */
export interface Numbers {
  readonly used: Set<bigint>;
  highest: bigint;
}

export const noNumbers = (): Numbers => ({ used: new Set(), highest: 0n });

/** What was spent under a limit, and since when. */
interface Window {
  spent: bigint;
  since: bigint;
}

export interface Signed {
  readonly epoch: number;
  /** Who approves, P-256 keys among them. */
  readonly signers: readonly string[];
  readonly deadline?: bigint;
  /** Present: P-256 keys are looked at. */
  readonly number?: bigint;
  readonly at: bigint;
}

type Changed = Signed & { readonly generation: number };

const isP256 = (name: string) => name.startsWith('p256');
/**
 * Of numbers it is remembered whether they were used as long as their group of 64 is among the
 * highest eight.
 */
const wordBits = 64n;
const words = 8n;

export function pay(wallet: ModelWallet, amount: bigint, signed: Signed): WalletError {
  const refusal = checkAdmin(wallet, signed);
  if (refusal !== 'none') return refusal;
  wallet.balance -= amount;
  return use(wallet.numbers, signed);
}

export function register(
  wallet: ModelWallet,
  key: string,
  registration: ModelRegistration,
  signed: Changed,
): WalletError {
  const refusal = checkRegistered(wallet, key, signed);
  if (refusal !== 'none') return refusal;
  write(wallet, key, registration);
  return use(wallet.numbers, signed);
}

export function remove(wallet: ModelWallet, key: string, signed: Changed): WalletError {
  const refusal = checkRegistered(wallet, key, signed);
  if (refusal !== 'none') return refusal;
  wallet.delegates.set(key, next(wallet, key));
  return use(wallet.numbers, signed);
}

/** Anybody does it. */
export function writePlanned(wallet: ModelWallet, key: string): WalletError {
  const registration = wallet.planned.get(key);
  if (wallet.delegates.has(key)) return 'none';
  if (wallet.epoch !== 0) return 'wrong epoch';
  if (!registration) return 'unknown delegate';
  write(wallet, key, registration);
  return 'none';
}

export function raiseEpoch(wallet: ModelWallet, signed: Signed): WalletError {
  const refusal = checkAdmin(wallet, signed);
  if (refusal !== 'none') return refusal;
  wallet.epoch += 1;
  return use(wallet.numbers, signed);
}

export interface ModelTransfer extends Changed {
  readonly delegate: string;
  readonly scope: number;
  readonly recipient: string;
  readonly amount: bigint;
}

export function transfer(wallet: ModelWallet, call: ModelTransfer): WalletError {
  const refusal = checkDelegate(wallet, call);
  if (refusal !== 'none') return refusal;
  const { registration, windows } = wallet.delegates.get(call.delegate)!.active!;
  if (call.amount === 0n) return 'bad instruction';
  if (registration.scopes.length > 0) {
    const scope = registration.scopes[call.scope];
    if (!scope || scope.mint !== undefined) return 'out of scope';
    if (scope.recipients.length > 0 && !scope.recipients.some((one) => one === call.recipient))
      return 'wrong recipient';
    if (!take(scope, windows[call.scope]!, call)) return 'limit exceeded';
  }
  wallet.balance -= call.amount;
  return useBy(wallet, call);
}

/** Anything that the wallet could sign itself; here a payment. */
export function payByDelegate(
  wallet: ModelWallet,
  call: Omit<ModelTransfer, 'scope' | 'recipient'>,
): WalletError {
  const refusal = checkDelegate(wallet, call);
  if (refusal !== 'none') return refusal;
  if (wallet.delegates.get(call.delegate)!.active!.registration.scopes.length > 0)
    return 'out of scope';
  wallet.balance -= call.amount;
  return useBy(wallet, call);
}

function checkDelegate(
  wallet: ModelWallet,
  call: Omit<ModelTransfer, 'scope' | 'recipient'>,
): WalletError {
  const delegate = wallet.delegates.get(call.delegate);
  if (delegate?.active?.epoch !== wallet.epoch) return 'unknown delegate';
  const refusal = checkTime(wallet, call);
  if (refusal !== 'none') return refusal;
  if (call.generation !== delegate.generation) return 'wrong generation';
  const hasApproved =
    call.signers.includes(call.delegate) && (!isP256(call.delegate) || call.number !== undefined);
  if (!hasApproved) return 'not enough signers';
  const { expiresAt } = delegate.active.registration;
  if (expiresAt !== 0n && call.at >= expiresAt) return 'expired';
  return isP256(call.delegate) ? checkNumber(delegate.numbers, call.number!) : 'none';
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

function checkTime(wallet: ModelWallet, { epoch, deadline, number, at }: Signed): WalletError {
  if (epoch !== wallet.epoch) return 'wrong epoch';
  if (number !== undefined && deadline === undefined) return 'bad instruction';
  return deadline !== undefined && at > deadline ? 'past its deadline' : 'none';
}

function checkAdmin(wallet: ModelWallet, signed: Signed): WalletError {
  const refusal = checkTime(wallet, signed);
  if (refusal !== 'none') return refusal;
  const hasP256 = wallet.groups.some(({ members }) => members.some(isP256));
  if (signed.number !== undefined && !hasP256) return 'bad instruction';
  const counted =
    signed.number === undefined ? signed.signers.filter((one) => !isP256(one)) : signed.signers;
  const isEnough = wallet.groups.some(
    ({ threshold, members }) =>
      new Set(counted.filter((one) => members.includes(one))).size >= threshold,
  );
  if (!isEnough) return 'not enough signers';
  if (signed.number === undefined) return 'none';
  return checkNumber(wallet.numbers, signed.number);
}

function checkNumber({ used, highest }: Numbers, number: bigint): WalletError {
  if (used.has(number)) return 'number used';
  return highest / wordBits - number / wordBits >= words ? 'number used' : 'none';
}

function use(numbers: Numbers, { number }: Signed): 'none' {
  if (number === undefined) return 'none';
  numbers.used.add(number);
  if (number > numbers.highest) numbers.highest = number;
  return 'none';
}

/** Numbers of ed25519 keys mean nothing. */
function useBy(wallet: ModelWallet, call: Omit<ModelTransfer, 'scope' | 'recipient'>): 'none' {
  return isP256(call.delegate) ? use(wallet.delegates.get(call.delegate)!.numbers, call) : 'none';
}

function checkRegistered(wallet: ModelWallet, key: string, signed: Changed): WalletError {
  const refusal = checkAdmin(wallet, signed);
  if (refusal !== 'none') return refusal;
  return (wallet.delegates.get(key)?.generation ?? 0) === signed.generation
    ? 'none'
    : 'wrong generation';
}

function next(wallet: ModelWallet, key: string) {
  const before = wallet.delegates.get(key);
  return { generation: (before?.generation ?? 0) + 1, numbers: before?.numbers ?? noNumbers() };
}

function write(wallet: ModelWallet, key: string, registration: ModelRegistration): void {
  const windows = registration.scopes.map(() => ({ spent: 0n, since: 0n }));
  wallet.delegates.set(key, {
    ...next(wallet, key),
    active: { epoch: wallet.epoch, registration, windows },
  });
}
