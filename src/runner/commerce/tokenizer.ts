import { z } from 'zod';
import type { CommerceTokenizer } from '../../config/runner/read-commerce.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { cardBrand } from '../../lib/money/card-number.ts';
import type { RunCard } from '../types.ts';
import type { CommerceExit } from './exit.ts';
import {
  CommerceAwayError,
  CommerceRefusedError,
  type PaymentHandler,
  type PaymentToken,
  type TokenUse,
} from './types.ts';

const merchantSchema = z.looseObject({
  identity: z.looseObject({ access_token: z.string() }).optional(),
  business_id: z.string().optional(),
  merchant_id: z.string().optional(),
});
const tokenAnswer = z.looseObject({ token: z.string().min(1).max(2_000) });
const delegateAnswer = z.looseObject({ id: z.string().min(1).max(2_000) });

/**
 * Turns a card into a token that holds for one checkout, at the address that the operator has an
 * account at. The shop never names the address, so that no profile can have cards sent to it.
 * @throws CommerceAwayError, CommerceRefusedError
 */
export async function tokenizeCard(
  exit: CommerceExit,
  tokenizer: CommerceTokenizer,
  order: TokenOrder,
): Promise<PaymentToken> {
  const { handler, use, card } = order;
  const number = card.number.replaceAll(/\D/g, '');
  const isDelegated = tokenizer.kind === 'delegate';
  const { status, body } = await exit.send({
    method: 'POST',
    url: tokenizer.url,
    headers: {
      ...(tokenizer.key && { authorization: `Bearer ${tokenizer.key.reveal()}` }),
      ...(isDelegated && {
        'api-version': delegateVersion,
        'idempotency-key': `${use.checkoutId}-${use.at.getTime()}`,
      }),
    },
    body: isDelegated ? delegation(order, number) : tokenization(order, number),
  });
  if (status >= 500)
    throw new CommerceAwayError(`The tokenizer of ${handler.name} fails (${status}).`);
  const answer = (isDelegated ? delegateAnswer : tokenAnswer).safeParse(body);
  if (status >= 300 || !answer.success)
    throw new CommerceRefusedError(
      `The tokenizer of ${handler.name} takes the card not (${status}).`,
      status,
    );
  return {
    handler,
    token: 'token' in answer.data ? String(answer.data.token) : String(answer.data['id']),
    display: {
      brand: brandOf(number),
      lastDigits: number.slice(-4),
      expirationMonth: card.expirationMonth,
      expirationYear: card.expirationYear,
    },
  };
}

interface TokenOrder {
  readonly handler: PaymentHandler;
  readonly use: TokenUse;
  readonly card: RunCard;
}

/** As UCP's Tokenization API writes it. */
function tokenization({ handler, use, card }: TokenOrder, number: string): JsonObject {
  const merchant = merchantOf(handler);
  return {
    credential: {
      type: 'card',
      card_number_type: 'fpan',
      number,
      expiry_month: card.expirationMonth,
      expiry_year: card.expirationYear,
      cvc: card.cvc,
      name: card.holder,
    },
    binding: {
      checkout_id: use.checkoutId,
      ...(merchant !== undefined && { identity: { access_token: merchant } }),
    },
  };
}

/**
 * As ACP's Delegate Payment API writes it: once, for at most the approved total, at this checkout,
 * for a quarter of an hour.
 */
function delegation({ handler, use, card }: TokenOrder, number: string): JsonObject {
  return {
    payment_method: {
      type: 'card',
      card_number_type: 'fpan',
      number,
      exp_month: String(card.expirationMonth).padStart(2, '0'),
      exp_year: String(card.expirationYear),
      name: card.holder,
      cvc: card.cvc,
      // Nobody here knows; the protocol wants one of three.
      display_card_funding_type: 'credit',
      display_brand: brandOf(number),
      display_last4: number.slice(-4),
      metadata: {},
    },
    allowance: {
      reason: 'one_time',
      max_amount: Number(use.total.amountMinor),
      currency: use.total.currency.toLowerCase(),
      checkout_session_id: use.checkoutId,
      merchant_id: merchantOf(handler) ?? '',
      expires_at: new Date(use.at.getTime() + allowanceMs).toISOString(),
    },
    risk_signals: [],
    metadata: {},
  };
}
const delegateVersion = '2026-04-17';
const allowanceMs = 15 * 60_000;

const brandOf = (number: string) => cardBrand(number)?.name.toLowerCase() ?? 'card';

/** Who is paid, where the shop's declaration names it for the tokenizer. */
function merchantOf({ config }: PaymentHandler): string | undefined {
  const declared = merchantSchema.safeParse(config);
  return declared.success
    ? (declared.data.identity?.access_token ??
        declared.data.business_id ??
        declared.data.merchant_id)
    : undefined;
}
