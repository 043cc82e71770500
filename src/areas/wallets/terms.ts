import type { Addresses, ChainFamily, Delegate, TransferScope } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { parseTokenLocator } from '../../lib/locator/locator.ts';
import { parseDecimalAmount } from '../../lib/money/amount.ts';
import type { ScopeInput } from './schema.ts';

/** Until when a delegated signer may act and what it may do, as requests say it. */

export interface TermsInput {
  readonly expiresAt?: string | undefined;
  readonly scopes?: readonly ScopeInput[] | undefined;
  /** The network that the tokens of the scopes are on. */
  readonly chain: string;
  /**
   * Where the terms stand in the request: `config.delegatedSigners[0]`; absent: in the body itself.
   */
  readonly place?: string;
}

/**
 * Terms of a request, amounts in the smallest unit; `asked`: as sent.
 * @throws validation-error, invalid-locator, chain-not-supported, token-not-supported
 */
export async function readTerms(
  ctx: RequestCtx,
  family: ChainFamily,
  { expiresAt, scopes, chain, place }: TermsInput,
): Promise<Pick<Delegate, 'expiresAt' | 'scopes'> & { asked: JsonObject }> {
  const at = (field: string) => (place === undefined ? field : `${place}.${field}`);
  const expiry = readExpiry(ctx, expiresAt, at('expiresAt'));
  const read: TransferScope[] = [];
  for (const [index, scope] of (scopes ?? []).entries())
    read.push(await readScopeInput(family, chain, scope, at(`scopes[${index}]`)));
  return {
    ...expiry,
    scopes: read,
    asked: {
      expiresAt,
      ...(scopes === undefined ? {} : { scopes: scopes as unknown as JsonObject[] }),
    },
  };
}

async function readScopeInput(
  family: ChainFamily,
  chain: string,
  scope: ScopeInput,
  place: string,
): Promise<TransferScope> {
  const locator = parseTokenLocator(scope.tokenLocator);
  if (family.requireNetwork(locator.chain).name !== chain)
    throw new ServiceError('validation-error', {
      message: `${place}.tokenLocator: names a token on ${locator.chain}, the signer is added on ${chain}.`,
    });
  if (locator.by === 'address' && locator.tokenId !== undefined)
    throw new ServiceError('validation-error', {
      message: `${place}.tokenLocator: a scope is of a whole token contract: leave the token id out.`,
    });
  const token = await family.resolveToken(
    chain,
    locator.by === 'symbol' ? { symbol: locator.symbol } : { address: locator.address },
  );
  const { recipients, spendingLimit } = scope;
  for (const [index, recipient] of (recipients ?? []).entries())
    requireRecipient(family, recipient, `${place}.recipients[${index}]`);
  return {
    type: 'transfer',
    token,
    recipients,
    ...(spendingLimit === undefined
      ? {}
      : {
          spendingLimit: readLimit(spendingLimit, token.decimals, `${place}.spendingLimit.amount`),
        }),
  };
}

function requireRecipient(family: Addresses, recipient: string, place: string): void {
  if (family.isRecipient(recipient)) return;
  const mistake = family.checkAddress(recipient) ?? 'is an address that tokens cannot be sent to';
  throw new ServiceError('validation-error', {
    message: `${place}: ${mistake}. Send the addresses that the signer may pay.`,
  });
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
  return {
    amountMinor,
    intervalSeconds: limit.interval,
  };
}

function parseAmount(text: string, decimals: number, place: string): bigint {
  try {
    return parseDecimalAmount(text, decimals);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('validation-error', { message: `${place}: ${error.message}` });
  }
}

/** @throws validation-error when the time has passed */
function readExpiry(
  ctx: RequestCtx,
  expiresAt: string | undefined,
  place: string,
): { expiresAt?: Date } {
  if (expiresAt === undefined) return {};
  const at = new Date(expiresAt);
  if (at <= ctx.clock.now())
    throw new ServiceError('validation-error', {
      message: `${place}: is in the past: send a later time, or leave it out for a signer without an end.`,
    });
  return { expiresAt: at };
}
