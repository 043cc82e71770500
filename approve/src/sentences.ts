import type { Review, ReviewedCall } from '@purser/sdk';
import type { Limits, Look } from './api.ts';
import { spanOf } from './rows.tsx';

const upper = (symbol: string | undefined) => symbol?.toUpperCase();

/** What it is, in a line, out of what is hashed. */
export function headline(review: Review): string {
  if (review.kind === 'message') return 'Sign a message';
  if (review.kind === 'typed-data') return 'Sign data';
  const [call, ...more] = review.calls;
  if (!call) return 'Approve a transaction that calls nothing';
  if (more.length > 0) return `Approve ${review.calls.length} calls`;
  return headlineOfCall(call);
}

function headlineOfCall(call: ReviewedCall): string {
  switch (call.kind) {
    case 'transfer':
      return call.amount !== undefined && call.token.symbol !== undefined
        ? `Send ${call.amount} ${upper(call.token.symbol)}`
        : 'Send tokens';
    case 'transfer-item':
      return 'Send an item';
    case 'approve':
      return 'Let somebody take tokens';
    case 'add-signer':
      return 'Add a signer';
    case 'remove-signer':
      return 'Remove a signer';
    case 'end-all-signed':
      return 'End everything that was signed';
    case 'cancel':
      return 'Cancel a transaction';
    case 'manage-wallet':
      return 'Change who owns your wallet';
    case 'call':
      return 'Call a contract';
  }
}

/** What should make somebody stop. */
export function warnings(review: Review): readonly string[] {
  if (review.kind === 'typed-data' && review.signedBy === 'signer')
    return [
      'This is a signature of your own key, not of the wallet: it counts wherever your key counts.',
    ];
  if (review.kind !== 'operation') return [];
  return review.calls.flatMap((call) => {
    if (call.kind === 'manage-wallet')
      return [
        'Whoever asks for this may take the whole wallet over. Decline unless you know exactly why.',
      ];
    if (call.kind === 'approve')
      return ['The other side may take this amount at any later time, without asking again.'];
    if (call.kind === 'add-signer' && call.scopes.length === 0)
      return ['This signer could spend everything in the wallet: it has no limit.'];
    if (call.kind === 'call')
      return [
        'What this contract does with the call cannot be told here. Approve only if you expect it.',
      ];
    return [];
  });
}

/** The limits of a delegated signer, as they were asked for. */
export function limitRows({ scopes = [], expiresAt }: Limits): [name: string, value: string][] {
  const rows = scopes.map(({ tokenLocator, spendingLimit, recipients }): [string, string] => {
    const token = tokenLocator.slice(tokenLocator.indexOf(':') + 1);
    const amount = spendingLimit
      ? `${spendingLimit.amount} ${token.startsWith('0x') ? `of ${token}` : token.toUpperCase()}`
      : `any amount of ${token}`;
    const again =
      spendingLimit?.interval === undefined ? '' : ` in ${spanOf(spendingLimit.interval)}`;
    return ['At most', `${amount}${again}${recipients ? `, to ${recipients.join(', ')}` : ''}`];
  });
  return expiresAt === undefined
    ? rows
    : [...rows, ['Until', new Date(expiresAt).toLocaleString()]];
}

interface NamedSigner {
  readonly type: string;
  readonly locator: string;
  readonly [field: string]: unknown;
}

/**
 * Who is meant, without what only programs read.
 * @param isOwn it is whoever sits there, and not one who is to be added or removed
 */
export function signerName({ type, locator, ...fields }: NamedSigner, isOwn: boolean): string {
  const value = locator.slice(type.length + 1);
  if (type === 'passkey')
    return `${isOwn ? 'your' : 'the'} passkey “${String(fields['name'] ?? '')}”`;
  if (type === 'external-wallet') return `the wallet ${value}`;
  if (type === 'server') return `the program ${value}`;
  if (type === 'device') return 'a device';
  return value;
}

export interface Standing {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly text: string;
  readonly isOver: boolean;
}

/** How it stands, unless the signer is asked now. */
export function standingOf({ object, signer, kind, now, validUntil }: Look): Standing | undefined {
  const noun = kind === 'transaction' ? 'transaction' : 'signature';
  if (object.status === 'success')
    return { tone: 'good', title: 'Done', text: `The ${noun} is complete.`, isOver: true };
  if (object.status === 'pending')
    return {
      tone: 'good',
      title: 'Approved',
      text: 'All approvals are there. It is under way; this page follows it.',
      isOver: false,
    };
  if (object.status === 'failed') {
    const { message } = (object.error ?? {}) as { message?: string };
    return {
      tone: 'bad',
      title: 'This did not happen',
      text: message ?? `The ${noun} has failed.`,
      isOver: true,
    };
  }
  if (Date.parse(validUntil) <= Date.parse(now))
    return {
      tone: 'bad',
      title: 'Too late',
      text: `The time to approve this ${noun} is over. Nothing was done.`,
      isOver: true,
    };
  if (signer?.hasApproved)
    return {
      tone: 'good',
      title: 'You have approved',
      text: 'Others have to approve it too. You can close this page.',
      isOver: false,
    };
  if (!signer?.isAsked)
    return {
      tone: 'warn',
      title: 'You have declined',
      text: 'You are asked no more. Others may still approve it without you.',
      isOver: true,
    };
  return undefined;
}
