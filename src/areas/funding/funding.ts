import { setTimeout as delay } from 'node:timers/promises';
import { type ChainType, requireExtra } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { formatUserLocator, parseFundingWalletLocator } from '../../lib/locator/locator.ts';
import { parseDecimalAmount } from '../../lib/money/amount.ts';
import { readTokenBalance } from '../balances/index.ts';
import { findWallet, recipientFinder } from '../wallets/index.ts';
import { type FundWalletBody, fundingChains } from './schema.ts';

/**
 * Shorter than the time the server gives a handler; a mint is confirmed in seconds, or its node is
 * in trouble.
 */
const fundingTimeoutMs = 25_000;

/**
 * Mints the test stablecoin to a wallet and waits until that is confirmed. With an idempotency key
 * a repeat mints nothing more, also after a time-out. Answers what the wallet then holds of it, in
 * the list form of balances.
 * @throws forbidden in production; invalid-locator, wallet-not-found, chain-not-supported,
 *   token-not-supported, validation-error, provider-unavailable, upstream-error
 */
export async function fundWallet(
  ctx: RequestCtx,
  input: { walletLocator: string; body: FundWalletBody; timeoutMs?: number },
): Promise<JsonObject[]> {
  const { body, timeoutMs = fundingTimeoutMs } = input;
  if (ctx.caller.environment === 'production')
    throw new ServiceError('forbidden', {
      message:
        "Test funding exists on staging and development only: send real tokens to the wallet's address.",
    });
  const family = ctx.chains.familyOfChain(body.chain);
  const { name: chain } = family.requireNetwork(body.chain);
  if (!(fundingChains as readonly string[]).includes(chain))
    throw new ServiceError('chain-not-supported', {
      message: `chain: "${chain}" has no test stablecoin. Use one of: ${fundingChains.join(', ')}.`,
    });
  const wallet = await findWallet(ctx, fundedLocator(input.walletLocator, family.chainType));
  if (wallet.chainType !== family.chainType)
    throw new ServiceError('chain-not-supported', {
      message: `chain: the wallet is on ${wallet.chainType}, "${body.chain}" is not.`,
    });
  const token = await family.resolveToken(chain, { symbol: body.token });
  const amountMinor = parseDecimalAmount(String(body.amount), token.decimals);
  await withinTime(
    timeoutMs,
    requireExtra(family, 'funding').fund({
      chain,
      token,
      amountMinor,
      recipientAddress: wallet.address,
      findRecipient: recipientFinder(ctx, {
        projectId: wallet.projectId,
        family,
        address: wallet.address,
      }),
      reference: referenceOf(ctx),
    }),
  );
  return readTokenBalance(family, wallet.address, token);
}

/** `<kind>:<value>:<walletType>` names no chain family: it is that of the chain. */
function fundedLocator(text: string, chainType: ChainType): string {
  const locator = parseFundingWalletLocator(text);
  return locator.by === 'user-any-chain'
    ? `${formatUserLocator(locator.user)}:${chainType}:${locator.walletType}`
    : text;
}

function referenceOf(ctx: RequestCtx): string {
  const { idempotency } = ctx;
  return `fund:${ctx.caller.projectId}:${idempotency ? `${idempotency.scope}:${idempotency.bodyHash}` : ctx.ids.uuid()}`;
}

async function withinTime<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new ServiceError('provider-unavailable', {
      message:
        'The mint is not confirmed yet; it may still happen. Read the balance before you try again, or repeat with the same x-idempotency-key.',
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
