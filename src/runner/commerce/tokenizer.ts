import { z } from 'zod';
import type { CommerceTokenizer } from '../../config/read-commerce.ts';
import { cardBrand } from '../../lib/card-number.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { RunCard } from '../types.ts';
import type { CommerceExit } from './exit.ts';
import { CommerceAwayError, CommerceRefusedError, type PaymentHandler, type PaymentToken } from './types.ts';

const merchantSchema = z.looseObject({
  identity: z.looseObject({ access_token: z.string() }).optional(),
  business_id: z.string().optional(),
  merchant_id: z.string().optional(),
});
const tokenAnswer = z.looseObject({ token: z.string().min(1).max(2_000) });

/**
 * Turns a card into a token that holds for one checkout, at the address that the operator has an account at: `POST` as UCP's
 * Tokenization API writes it. The shop never names the address, so that no profile can have cards sent to it.
 * @throws CommerceAwayError, CommerceRefusedError
 */
export async function tokenizeCard(
  exit: CommerceExit,
  tokenizer: CommerceTokenizer,
  { handler, checkoutId, card }: { readonly handler: PaymentHandler; readonly checkoutId: string; readonly card: RunCard },
): Promise<PaymentToken> {
  const number = card.number.replaceAll(/\D/g, '');
  const merchant = merchantOf(handler);
  const credential: JsonObject = {
    type: 'card',
    card_number_type: 'fpan',
    number,
    expiry_month: card.expirationMonth,
    expiry_year: card.expirationYear,
    cvc: card.cvc,
    name: card.holder,
  };
  const binding = { checkout_id: checkoutId, ...(merchant !== undefined && { identity: { access_token: merchant } }) };
  const { status, body } = await exit.send({
    method: 'POST',
    url: tokenizer.url,
    ...(tokenizer.key && { headers: { authorization: `Bearer ${tokenizer.key.reveal()}` } }),
    body: { credential, binding },
  });
  if (status >= 500) throw new CommerceAwayError(`The tokenizer of ${handler.name} fails (${status}).`);
  const answer = tokenAnswer.safeParse(body);
  if (status >= 300 || !answer.success)
    throw new CommerceRefusedError(`The tokenizer of ${handler.name} takes the card not (${status}).`, status);
  return {
    handler,
    token: answer.data.token,
    display: {
      brand: cardBrand(number)?.name.toLowerCase() ?? 'card',
      lastDigits: number.slice(-4),
      expirationMonth: card.expirationMonth,
      expirationYear: card.expirationYear,
    },
  };
}

/** Who is paid, where the shop's declaration names it for the tokenizer. */
function merchantOf({ config }: PaymentHandler): string | undefined {
  const declared = merchantSchema.safeParse(config);
  return declared.success ? (declared.data.identity?.access_token ?? declared.data.business_id ?? declared.data.merchant_id) : undefined;
}
