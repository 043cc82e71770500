import type { Address } from '@solana/kit';
import { limits, type Registration, type Scope } from '../../../../programs/solana-wallet/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Delegate, TransferScope } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { invalid, signerKeyOf } from './signer-keys.ts';

/** A delegated signer as the wallet program registers it. */

/**
 * @param place where it stands in the request: `config.delegatedSigners[0]`, or empty
 * @throws validation-error
 */
export function registrationOf({ signer, expiresAt, scopes }: Delegate, place = ''): Registration {
  const at = (field: string) => (place === '' ? field : `${place}.${field}`);
  if (scopes.length > limits.scopes)
    throw invalid(at('scopes'), `must not have more than ${limits.scopes} entries on solana`);
  return {
    key: signerKeyOf(signer, place === '' ? 'signer' : `${place}.signer`),
    expiresAt: expiresAt === undefined ? 0n : secondsOf(expiresAt) + 1n,
    scopes: scopes.map((scope, index) => scopeOf(scope, at(`scopes[${index}]`))),
  };
}

/** The last whole second that is not after the time. */
export function secondsOf(at: Date): bigint {
  return BigInt(Math.floor(at.getTime() / 1000));
}

function scopeOf({ token, recipients, spendingLimit }: TransferScope, at: string): Scope {
  if (token.chain !== 'solana')
    throw invalid(
      `${at}.tokenLocator`,
      `is a token of "${token.chain}", and the signer is for "solana"`,
    );
  if (token.tokenId !== undefined)
    throw invalid(`${at}.tokenLocator`, 'is a token with an id; scopes are for fungible tokens');
  if (recipients?.length === 0)
    throw invalid(`${at}.recipients`, 'is empty: leave it out to allow everybody');
  if (recipients && recipients.length > limits.recipients)
    throw invalid(
      `${at}.recipients`,
      `must not have more than ${limits.recipients} addresses on solana`,
    );
  for (const [number, recipient] of (recipients ?? []).entries()) {
    const mistake = checkSolanaAddress(recipient);
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
    (!Number.isInteger(intervalSeconds) ||
      intervalSeconds < 1 ||
      BigInt(intervalSeconds) > limits.interval)
  )
    throw invalid(
      `${at}.spendingLimit.interval`,
      `must be between 1 and ${limits.interval} seconds`,
    );
  return {
    ...(token.address === undefined ? {} : { mint: token.address as Address }),
    ...(amountMinor === undefined ? {} : { limit: amountMinor }),
    interval: BigInt(intervalSeconds ?? 0),
    recipients: (recipients ?? []) as readonly Address[],
  };
}

/** @throws signer-expired */
export function requireUnexpired({ signer, expiresAt }: Delegate, now: Date): void {
  if (expiresAt === undefined || expiresAt > now) return;
  throw new ServiceError('signer-expired', {
    message: `The signer "${signer.locator}" expired at ${expiresAt.toISOString()}: register it again with a later expiresAt, or use another signer.`,
  });
}
