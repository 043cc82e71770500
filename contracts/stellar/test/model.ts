import type { Scope, WalletError } from '../index.ts';

/**
 * The rules of the wallet, written once more from their description and not from the contract: no
 * values, no host. A test gives both the same operations and compares answers, state and balances.
 * Keys are names here.
 */

export type ModelAnswer = 'done' | WalletError | 'refused by the host';

export interface ModelWallet {
  readonly threshold: number;
  readonly members: readonly string[];
  epoch: number;
  changes: number;
  isLocked: boolean;
  readonly delegates: Map<string, ModelDelegate>;
  readonly received: Map<string, bigint>;
}

export interface ModelDelegate {
  generation: number;
  /** Undefined: removed. */
  active?: {
    readonly epoch: number;
    readonly expiresAt: bigint;
    readonly scopes: readonly Scope[];
    readonly windows: ModelWindow[];
  };
}

interface ModelWindow {
  spent: bigint;
  since: bigint;
}

/** A call that is to be authorised: of a token, or of the wallet itself. */
export type ModelCall =
  | { readonly token: string; readonly recipient: string; readonly amount: bigint }
  | { readonly own: 'add_signer' | 'remove_signer' | 'bump_epoch' | 'upgrade' | 'migrate' };

export interface ModelSignature {
  /** Absent: members of the admin's group. */
  readonly delegate?: string;
  readonly signers: readonly string[];
  /** The epoch or the generation that it names. */
  readonly stamp: number;
  readonly at: bigint;
}

/** @returns why not; else 'done', and what was spent is written down */
export function authorise(
  wallet: ModelWallet,
  calls: readonly ModelCall[],
  signature: ModelSignature,
): ModelAnswer {
  return signature.delegate === undefined
    ? authoriseAdmin(wallet, calls, signature)
    : authoriseDelegate(wallet, calls, signature);
}

function authoriseAdmin(
  wallet: ModelWallet,
  calls: readonly ModelCall[],
  { signers, stamp }: ModelSignature,
): ModelAnswer {
  if (stamp !== wallet.epoch) return 'wrong epoch';
  if (wallet.isLocked && !calls.every((call) => 'own' in call && call.own === 'migrate'))
    return 'locked';
  if (signers.length < wallet.threshold) return 'not enough signers';
  return signers.every((one) => wallet.members.includes(one)) ? 'done' : 'refused by the host';
}

function authoriseDelegate(
  wallet: ModelWallet,
  calls: readonly ModelCall[],
  { delegate, signers, stamp, at }: ModelSignature,
): ModelAnswer {
  if (wallet.isLocked) return 'locked';
  const known = wallet.delegates.get(delegate!);
  if (known?.active?.epoch !== wallet.epoch) return 'unknown delegate';
  if (stamp !== known.generation) return 'wrong generation';
  const { expiresAt, scopes, windows } = known.active;
  if (expiresAt !== 0n && at >= expiresAt) return 'expired';
  if (signers[0] !== delegate) return 'refused by the host';
  if (scopes.length === 0) return calls.some((call) => 'own' in call) ? 'forbidden' : 'done';
  const spent = windows.map((window) => ({ ...window }));
  for (const call of calls) {
    const refusal = spend(scopes, spent, call, at);
    if (refusal !== 'done') return refusal;
  }
  windows.splice(0, windows.length, ...spent);
  return 'done';
}

/** The first scope that allows it pays; why not is said by the one that came closest. */
function spend(
  scopes: readonly Scope[],
  windows: ModelWindow[],
  call: ModelCall,
  at: bigint,
): ModelAnswer {
  if ('own' in call || call.amount <= 0n) return 'out of scope';
  const named = scopes
    .map((scope, index) => ({ scope, window: windows[index]! }))
    .filter(({ scope }) => scope.token === call.token);
  if (named.length === 0) return 'out of scope';
  const open = named.filter(
    ({ scope }) => scope.recipients.length === 0 || scope.recipients.includes(call.recipient),
  );
  if (open.length === 0) return 'wrong recipient';
  const paying = open.find(
    ({ scope, window }) =>
      scope.limit === undefined || spentNow(scope, window, at) + call.amount <= scope.limit,
  );
  if (!paying) return 'limit exceeded';
  const { scope, window } = paying;
  if (scope.limit === undefined) return 'done';
  const before = spentNow(scope, window, at);
  if (before === 0n) window.since = at;
  window.spent = before + call.amount;
  return 'done';
}

function spentNow({ interval }: Scope, { spent, since }: ModelWindow, at: bigint): bigint {
  return interval !== 0n && at >= since + interval ? 0n : spent;
}

export function receive(wallet: ModelWallet, recipient: string, amount: bigint): void {
  wallet.received.set(recipient, (wallet.received.get(recipient) ?? 0n) + amount);
}

export function add(
  wallet: ModelWallet,
  key: string,
  expected: number,
  { expiresAt, scopes }: { readonly expiresAt: bigint; readonly scopes: readonly Scope[] },
): ModelAnswer {
  if ((wallet.delegates.get(key)?.generation ?? 0) !== expected) return 'wrong generation';
  wallet.changes += 1;
  const windows = scopes.map(() => ({ spent: 0n, since: 0n }));
  wallet.delegates.set(key, {
    generation: wallet.changes,
    active: { epoch: wallet.epoch, expiresAt, scopes, windows },
  });
  return 'done';
}

export function remove(wallet: ModelWallet, key: string): ModelAnswer {
  if (wallet.delegates.get(key)?.active?.epoch !== wallet.epoch) return 'unknown delegate';
  wallet.changes += 1;
  wallet.delegates.set(key, { generation: wallet.changes });
  return 'done';
}

export function bump(wallet: ModelWallet): ModelAnswer {
  wallet.epoch += 1;
  return 'done';
}

export function upgrade(wallet: ModelWallet): ModelAnswer {
  wallet.isLocked = true;
  return bump(wallet);
}

export function migrate(wallet: ModelWallet): ModelAnswer {
  if (!wallet.isLocked) return 'not locked';
  wallet.isLocked = false;
  return 'done';
}
