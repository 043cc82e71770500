import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import { sealLetter } from '../../lib/sealing/sealed-letter.ts';
import { cardLetterContext } from '../../runner/card-letter.ts';
import { type AnyInternalOperation, internalOperation, type VaultCtx } from '../index.ts';
import { openPaymentMethod } from '../methods/open.ts';

/**
 * An answer may get lost on its way to the runner, and a run begin anew; more often nobody needs
 * it.
 */
const timesMax = 10;

const inputSchema = z.strictObject({
  projectId: z.uuid(),
  paymentMethodId: z.uuid(),
  checkoutId: z.uuid(),
  total: z.strictObject({
    amountMinor: z.string().regex(/^[1-9]\d{0,29}$/),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
});
type CardForRun = z.output<typeof inputSchema>;

/**
 * What the worker may ask about saved cards for agent checkouts: nothing, unless the vault was told
 * the runners' key. The answer is a letter that runners can open and the worker cannot.
 */
export function cardOperations(
  runnerPublicKey: Uint8Array | undefined,
): readonly AnyInternalOperation[] {
  if (!runnerPublicKey) return [];
  return [
    internalOperation({
      name: 'cards.for-run',
      peers: ['worker'],
      input: inputSchema,
      run: async (ctx, input) => ({
        letter: (await sealCard(ctx, runnerPublicKey, input)).toString('base64'),
      }),
    }),
  ];
}

/**
 * @throws payment-method-not-found, payment-method-not-supported no card, or one that has expired;
 * conflict another card or total
 */
async function sealCard(
  ctx: VaultCtx,
  runnerPublicKey: Uint8Array,
  input: CardForRun,
): Promise<Buffer> {
  const { projectId, paymentMethodId, checkoutId, total } = input;
  await noteUse(ctx, input);
  const reason = `card for checkout ${checkoutId}, ${total.amountMinor} ${total.currency} (smallest units)`;
  const method = await openPaymentMethod(ctx, { id: paymentMethodId, tenant: projectId, reason });
  const account = method.account.reveal();
  const { card } = method.details;
  if (account.type !== 'card' || !card)
    throw new ServiceError('payment-method-not-supported', {
      message: 'The payment method is no card: checkouts pay by card.',
    });
  const [expirationMonth, expirationYear] = [
    Number(card.expiration.month),
    Number(card.expiration.year),
  ];
  if (Date.UTC(expirationYear, expirationMonth, 1) <= ctx.clock.now().getTime())
    throw new ServiceError('payment-method-not-supported', {
      message: 'The saved card has expired.',
    });
  const content = {
    number: account.number,
    expirationMonth,
    expirationYear,
    holder: card.billing.name,
    postalCode: card.billing.address.postalCode,
  };
  return sealLetter(runnerPublicKey, JSON.stringify(content), cardLetterContext(checkoutId));
}

/** One card and one total per checkout, whatever the main side asks. */
async function noteUse(
  ctx: VaultCtx,
  { projectId, paymentMethodId, checkoutId, total }: CardForRun,
): Promise<void> {
  const { rows } = await ctx.store.query<{ times: number; isSame: boolean }>({
    name: 'card-uses-note',
    text: `insert into card_uses as u (project_id, checkout_id, payment_method_id, amount_minor, currency, times, first_at)
           values ($1, $2, $3, $4, $5, 1, $6)
           on conflict (project_id, checkout_id) do update set times = u.times + 1
           returning times, (payment_method_id = $3 and amount_minor = $4 and currency = $5) as "isSame"`,
    values: [
      projectId,
      checkoutId,
      paymentMethodId,
      total.amountMinor,
      total.currency,
      ctx.clock.now(),
    ],
  });
  const { times, isSame } = rows[0]!;
  if (!isSame)
    throw new ServiceError('conflict', {
      message: 'Another saved card, or another total, was used for this checkout.',
    });
  if (times > timesMax)
    throw new ServiceError('conflict', {
      message: 'The saved card was given out for this checkout too often.',
    });
}
