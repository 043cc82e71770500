import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { VaultProvider } from '../../providers/vault/index.ts';
import { type PayoutAnswer, payoutSchema } from '../../providers/vault/payout-wire.ts';
import { readUnreceivedEvents } from './payout-client.ts';

/**
 * Payouts in numbers, for whoever compares them with the ledger. For the worker: the vault refuses
 * the API.
 */

type MainCtx = Pick<Ctx, 'store' | 'clock'> & {
  readonly providers: { readonly vault: VaultProvider };
};

export type PayoutPageInput = { readonly projectId: string } & (
  | { readonly ids: readonly string[] }
  /** Those made later, oldest first. */
  | { readonly after: { readonly at: Date; readonly id: string }; readonly limit: number }
);

/**
 * Payouts of a project by their ids, or a page of all; at most 200.
 * @throws provider-unavailable
 */
export async function readPayoutPage(
  ctx: Pick<MainCtx, 'providers'>,
  input: PayoutPageInput,
): Promise<readonly PayoutAnswer[]> {
  const { projectId } = input;
  const query =
    'ids' in input
      ? { projectId, ids: input.ids }
      : {
          projectId,
          after: { at: input.after.at.toISOString(), id: input.after.id },
          limit: input.limit,
        };
  return (
    await ctx.providers.vault.ask(
      'payouts.page',
      query,
      z.object({ payouts: z.array(payoutSchema) }),
    )
  ).payouts;
}

/**
 * Ids of payouts of which the vault has told something since `since` that was not handled here yet.
 * @throws provider-unavailable
 */
export async function readUnreceivedPayouts(
  ctx: MainCtx,
  since: Date,
): Promise<ReadonlySet<string>> {
  const events = await readUnreceivedEvents(ctx);
  return new Set(events.filter(({ at }) => new Date(at) >= since).map(({ data }) => data.payoutId));
}

const bookDifferenceSchema = z.looseObject({
  kind: z.enum(['unknown-here', 'missing-there', 'amount', 'status', 'twice']),
  provider: z.string(),
  payoutId: z.string().optional(),
  bankReference: z.string().optional(),
  here: z.string().optional(),
  there: z.string().optional(),
});
const comparisonSchema = z.object({
  compared: z.number(),
  differences: z.array(bookDifferenceSchema),
});

/**
 * What the vault finds when it compares its payouts of a period with the banks' own books.
 * @throws provider-unavailable
 */
export function compareBankBooks(
  ctx: Pick<MainCtx, 'providers'>,
  period: { readonly from: Date; readonly until: Date },
): Promise<z.output<typeof comparisonSchema>> {
  const { from, until } = period;
  return ctx.providers.vault.ask(
    'payouts.compare-books',
    { from: from.toISOString(), until: until.toISOString() },
    comparisonSchema,
  );
}
