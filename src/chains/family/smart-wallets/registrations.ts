import { ServiceError } from '../../../lib/errors.ts';
import type { DelegateTruth } from '../capabilities/delegates.ts';
import type { Delegate, Signer, TransferScope } from '../capabilities/signers.ts';
import type { ResolvedToken } from '../capabilities/tokens.ts';
import { invalid, singleDelegateTypes } from '../signing/quorums.ts';
import { keyId, type SignerKey } from './signer-keys.ts';

/** Delegated signers as the chain registers them. */

export interface Scope {
  /** The token, by the chain's word for it; absent: the chain's own. */
  readonly mint?: string;
  readonly token?: string;
  /** In the smallest unit; absent: none. */
  readonly limit?: bigint;
  /** Seconds after which a limit begins anew; 0: never. */
  readonly interval: bigint;
  /** Empty: anybody. */
  readonly recipients: readonly string[];
}

export interface Registration<Key extends SignerKey = SignerKey, OneScope extends Scope = Scope> {
  readonly key: Key;
  /** Seconds since 1970, the first in which it ended; 0: never. */
  readonly expiresAt: bigint;
  /** Empty: anything but managing the wallet. */
  readonly scopes: readonly OneScope[];
}

export interface ScopeRules {
  /** Whose tokens they are of. */
  readonly chain: string;
  /** `amount` in the smallest unit, `interval` in seconds. */
  readonly limits: {
    readonly recipients: number;
    readonly amount: bigint;
    readonly interval: bigint;
  };
  /** @returns what is wrong with it */
  checkAddress(address: string): string | undefined;
}

export interface RegistrationRules<Key extends SignerKey, OneScope extends Scope>
  extends ScopeRules {
  readonly limits: ScopeRules['limits'] & { readonly scopes: number };
  signerKeyOf(signer: Signer, place: string): Key;
  /** With the token as the chain names it. */
  scopeOf(token: ResolvedToken, counted: Omit<Scope, 'mint' | 'token'>): OneScope;
}

/**
 * @param place where it stands in the request: `config.delegatedSigners[0]`, or empty
 * @throws validation-error
 */
export function readRegistration<Key extends SignerKey, OneScope extends Scope>(
  rules: RegistrationRules<Key, OneScope>,
  { signer, expiresAt, scopes }: Delegate,
  place: string,
): Registration<Key, OneScope> {
  const { chain, limits } = rules;
  const at = (field: string) => (place === '' ? field : `${place}.${field}`);
  if (scopes.length > limits.scopes)
    throw invalid(at('scopes'), `must not have more than ${limits.scopes} entries on ${chain}`);
  return {
    key: rules.signerKeyOf(signer, at('signer')),
    expiresAt: expiresAt === undefined ? 0n : secondsOf(expiresAt) + 1n,
    scopes: scopes.map((scope, index) => {
      checkScope(rules, scope, at(`scopes[${index}]`));
      const { token, recipients = [], spendingLimit } = scope;
      const { amountMinor: limit, intervalSeconds = 0 } = spendingLimit ?? {};
      const counted = { interval: BigInt(intervalSeconds), recipients };
      return rules.scopeOf(token, { ...(limit !== undefined && { limit }), ...counted });
    }),
  };
}

/** @param at where it stands in the request @throws validation-error */
export function checkScope(
  { chain, limits, checkAddress }: ScopeRules,
  { token, recipients, spendingLimit }: TransferScope,
  at: string,
): void {
  if (token.chain !== chain)
    throw invalid(
      `${at}.tokenLocator`,
      `is a token of "${token.chain}", and the signer is for "${chain}"`,
    );
  if (token.tokenId !== undefined)
    throw invalid(`${at}.tokenLocator`, 'is a token with an id; scopes are for fungible tokens');
  if (recipients?.length === 0)
    throw invalid(`${at}.recipients`, 'is empty: leave it out to allow everybody');
  if (recipients && recipients.length > limits.recipients)
    throw invalid(
      `${at}.recipients`,
      `must not have more than ${limits.recipients} addresses on ${chain}`,
    );
  for (const [number, recipient] of (recipients ?? []).entries()) {
    const mistake = checkAddress(recipient);
    if (mistake !== undefined) throw invalid(`${at}.recipients[${number}]`, mistake);
  }
  const { amountMinor, intervalSeconds } = spendingLimit ?? {};
  if (amountMinor !== undefined && (amountMinor <= 0n || amountMinor > limits.amount))
    throw invalid(
      `${at}.spendingLimit.amount`,
      `must be above 0 and at most ${limits.amount} of the token's smallest unit`,
    );
  if (
    intervalSeconds !== undefined &&
    (!Number.isSafeInteger(intervalSeconds) ||
      intervalSeconds < 1 ||
      BigInt(intervalSeconds) > limits.interval)
  )
    throw invalid(
      `${at}.spendingLimit.interval`,
      `must be between 1 and ${limits.interval} seconds`,
    );
}

/** The last whole second that is not after the time. */
export function secondsOf(at: Date): bigint {
  return BigInt(Math.floor(at.getTime() / 1000));
}

/** What the chain has of each that is wanted. */
export function truthsOf(
  wanted: readonly Registration[],
  found: readonly (Registration | undefined)[],
): DelegateTruth[] {
  return wanted.map((registration, index) => {
    const there = found[index];
    if (!there) return 'absent';
    return isSameRegistration(there, registration) ? 'same' : 'different';
  });
}

/** Whether the chain would treat both alike. */
export function isSameRegistration(one: Registration, other: Registration): boolean {
  return sayRegistration(one) === sayRegistration(other);
}

function sayRegistration({ key, expiresAt, scopes }: Registration): string {
  const said = scopes.map(({ mint, token, limit, interval, recipients }) =>
    [mint ?? token ?? '', limit ?? '', interval, [...new Set(recipients)].sort().join()].join('/'),
  );
  return [keyId(key), expiresAt, ...said].join(' ');
}

/** @throws signer-expired */
export function requireUnexpired({ signer, expiresAt }: Delegate, now: Date): void {
  if (expiresAt === undefined || expiresAt > now) return;
  throw new ServiceError('signer-expired', {
    message: `The signer "${signer.locator}" expired at ${expiresAt.toISOString()}: register it again with a later expiresAt, or use another signer.`,
  });
}

/** @throws signer-type-not-supported, validation-error one that cannot be registered now */
export function requireAddable({ signer, expiresAt }: Delegate, chain: string, now: Date): void {
  if (!singleDelegateTypes.some((type) => type === signer.type))
    throw new ServiceError('signer-type-not-supported', {
      message: `signer: a signer of type "${signer.type}" cannot be a delegated signer of a ${chain} wallet. Use one of: ${singleDelegateTypes.join(', ')}.`,
    });
  if (expiresAt !== undefined && expiresAt <= now) throw invalid('expiresAt', 'is in the past');
}

/** The delegate and those it may send money to. */
export function addressesOf({ signer, scopes }: Delegate): string[] {
  return [
    ...new Set([
      ...(signer.address === undefined ? [] : [signer.address]),
      ...scopes.flatMap(({ recipients }) => recipients ?? []),
    ]),
  ];
}
