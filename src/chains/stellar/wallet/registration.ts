import { limits, type Registration, type Scope } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { invalid } from '../../family/signing/quorums.ts';
import type { Delegate, TransferScope } from '../../family.ts';
import { checkStellarAddress } from '../addresses.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { keyId, signerKeyOf } from './signer-keys.ts';

/** A delegated signer as the wallet contract registers it. */

/**
 * @param place where it stands in the request: `config.delegatedSigners[0]`, or empty
 * @throws validation-error
 */
export function registrationOf(
  network: StellarNetwork,
  { signer, expiresAt, scopes }: Delegate,
  place = '',
): Registration {
  const at = (field: string) => (place === '' ? field : `${place}.${field}`);
  if (scopes.length > limits.scopes)
    throw invalid(at('scopes'), `must not have more than ${limits.scopes} entries on stellar`);
  return {
    key: signerKeyOf(signer, place === '' ? 'signer' : `${place}.signer`),
    expiresAt: expiresAt === undefined ? 0n : secondsOf(expiresAt) + 1n,
    scopes: scopes.map((scope, index) => scopeOf(network, scope, at(`scopes[${index}]`))),
  };
}

/** The last whole second that is not after the time. */
function secondsOf(at: Date): bigint {
  return BigInt(Math.floor(at.getTime() / 1000));
}

function scopeOf(
  { name, nativeContract }: StellarNetwork,
  { token, recipients, spendingLimit }: TransferScope,
  at: string,
): Scope {
  if (token.chain !== name)
    throw invalid(
      `${at}.tokenLocator`,
      `is a token of "${token.chain}", and the signer is for "${name}"`,
    );
  if (token.tokenId !== undefined)
    throw invalid(`${at}.tokenLocator`, 'is a token with an id; scopes are for fungible tokens');
  if (recipients?.length === 0)
    throw invalid(`${at}.recipients`, 'is empty: leave it out to allow everybody');
  if (recipients && recipients.length > limits.recipients)
    throw invalid(
      `${at}.recipients`,
      `must not have more than ${limits.recipients} addresses on stellar`,
    );
  for (const [number, recipient] of (recipients ?? []).entries()) {
    const mistake = checkStellarAddress(recipient);
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
    (!Number.isSafeInteger(intervalSeconds) || intervalSeconds < 1)
  )
    throw invalid(`${at}.spendingLimit.interval`, 'must be a whole number of seconds from 1 on');
  return {
    token: token.address ?? nativeContract,
    ...(amountMinor === undefined ? {} : { limit: amountMinor }),
    interval: BigInt(intervalSeconds ?? 0),
    recipients: recipients ?? [],
  };
}

/** Whether the wallet contract would treat both alike. */
export function isSameRegistration(one: Registration, other: Registration): boolean {
  return sayRegistration(one) === sayRegistration(other);
}

function sayRegistration({ key, expiresAt, scopes }: Registration): string {
  const said = scopes.map(({ token, limit, interval, recipients }) =>
    [token, limit ?? '', interval, [...new Set(recipients)].sort().join()].join('/'),
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
