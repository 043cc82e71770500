import type { Addresses, ChainFamily, Delegate, TransferScope } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { parseDecimalAmount } from '../../lib/amount.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { parseTokenLocator } from '../../lib/locator.ts';
import { readExpiry } from '../wallets/index.ts';
import type { ScopeInput } from '../wallets/schema.ts';
import type { AddSignerBody } from './schema.ts';

/** Until when a delegated signer may act, and what it may do. */
export type Terms = Pick<Delegate, 'expiresAt' | 'scopes'>;

/** Terms of a body, amounts in the smallest unit. @throws validation-error, invalid-locator, chain-not-supported, token-not-supported */
export async function readTerms(
  ctx: RequestCtx,
  family: ChainFamily,
  input: Pick<AddSignerBody, 'expiresAt' | 'scopes'> & { chain: string },
): Promise<Terms & { asked: JsonObject }> {
  const { expiresAt, scopes, chain } = input;
  const expiry = readExpiry(ctx, expiresAt, 'expiresAt');
  const read: TransferScope[] = [];
  for (const [index, scope] of (scopes ?? []).entries()) read.push(await readScopeInput(family, chain, scope, `scopes[${index}]`));
  return {
    ...expiry,
    scopes: read,
    asked: {
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(scopes === undefined ? {} : { scopes: scopes as unknown as JsonObject[] }),
    },
  };
}

async function readScopeInput(family: ChainFamily, chain: string, scope: ScopeInput, place: string): Promise<TransferScope> {
  const locator = parseTokenLocator(scope.tokenLocator);
  if (family.requireNetwork(locator.chain).name !== chain)
    throw new ServiceError('validation-error', {
      message: `${place}.tokenLocator: names a token on ${locator.chain}, the signer is added on ${chain}.`,
    });
  if (locator.by === 'address' && locator.tokenId !== undefined)
    throw new ServiceError('validation-error', {
      message: `${place}.tokenLocator: a scope is of a whole token contract: leave the token id out.`,
    });
  const token = await family.resolveToken(chain, locator.by === 'symbol' ? { symbol: locator.symbol } : { address: locator.address });
  const { recipients, spendingLimit } = scope;
  for (const [index, recipient] of (recipients ?? []).entries()) requireRecipient(family, recipient, `${place}.recipients[${index}]`);
  return {
    type: 'transfer',
    token,
    ...(recipients === undefined ? {} : { recipients }),
    ...(spendingLimit === undefined ? {} : { spendingLimit: readLimit(spendingLimit, token.decimals, `${place}.spendingLimit.amount`) }),
  };
}

function requireRecipient(family: Addresses, recipient: string, place: string): void {
  if (family.isRecipient(recipient)) return;
  const mistake = family.checkAddress(recipient) ?? 'is an address that tokens cannot be sent to';
  throw new ServiceError('validation-error', { message: `${place}: ${mistake}. Send the addresses that the signer may pay.` });
}

function readLimit(
  limit: NonNullable<ScopeInput['spendingLimit']>,
  decimals: number,
  place: string,
): NonNullable<TransferScope['spendingLimit']> {
  const amountMinor = parseAmount(limit.amount, decimals, place);
  if (amountMinor === 0n)
    throw new ServiceError('validation-error', {
      message: `${place}: must be more than 0: a signer that may spend nothing need not be added.`,
    });
  return { amountMinor, ...(limit.interval === undefined ? {} : { intervalSeconds: limit.interval }) };
}

function parseAmount(text: string, decimals: number, place: string): bigint {
  try {
    return parseDecimalAmount(text, decimals);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('validation-error', { message: `${place}: ${error.message}` });
  }
}

/** Equal for terms that mean the same: in any order of scopes and recipients, in any spelling of addresses. */
export function termsKey(family: Addresses, { expiresAt, scopes }: Terms): string {
  const parts = scopes.map(({ token, recipients, spendingLimit }) =>
    JSON.stringify([
      token.address === undefined ? null : family.canonicalAddress(token.address),
      recipients === undefined ? null : [...new Set(recipients.map((recipient) => family.canonicalAddress(recipient)))].sort(),
      spendingLimit?.amountMinor.toString() ?? null,
      spendingLimit?.intervalSeconds ?? null,
    ]),
  );
  return JSON.stringify([expiresAt === undefined ? null : Math.floor(expiresAt.getTime() / 1_000), parts.sort()]);
}
