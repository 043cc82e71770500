import { z } from 'zod';

const pageSizeMax = 100;
export const pageSizeDefault = 50;

const instant = z.iso.datetime({ offset: true });
const limit = z
  .string()
  .regex(/^(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${pageSizeMax}`)
  .optional()
  .describe(`Rows per page, 1 to ${pageSizeMax}; default ${pageSizeDefault}.`);
const cursor = z
  .string()
  .min(1)
  .max(1_000)
  .optional()
  .describe('`nextCursor` of an answer to the same query.');
const at = instant
  .optional()
  .describe('What was recorded until this instant, inclusive; everything when absent.');

export const orderParamsSchema = z.object({ orderId: z.string().min(1).max(100) });
export const accountParamsSchema = z.object({
  account: z.string().min(1).max(200).describe('E.g. `bank:column:in_transit:ach`.'),
});
export const entriesQuerySchema = z.object({ limit, cursor });
export const accountsQuerySchema = z.object({
  prefix: z
    .string()
    .regex(/^[a-z0-9:._-]{1,200}$/, 'must be the beginning of an account')
    .optional()
    .describe('Only accounts that begin so, e.g. `bank:`.'),
  at,
  limit,
  cursor,
});
export const trialBalanceQuerySchema = z.object({ at });

const money = (what: string) => ({
  whole: z.string().describe(`${what} In whole units of the asset, as a decimal.`),
  minor: z.string().describe('The same in the smallest unit.'),
});
const [leg, posted, pending, debit, credit] = [
  money('Positive: debit, negative: credit.'),
  money('What is posted.'),
  money('What is held and neither settled nor voided.'),
  money('Sum of the debit balances.'),
  money('Sum of the credit balances, as a positive number.'),
];

const assetFields = {
  asset: z
    .string()
    .describe('A fiat code in lower case, `<chain>:native` or `<chain>:<token address>`.'),
  symbol: z.string(),
};

const ledgerEntrySchema = z
  .looseObject({
    id: z.string(),
    reference: z
      .string()
      .describe(
        'Unique in the project. An entry that ends a hold carries the reference of the hold.',
      ),
    kind: z.string(),
    phase: z
      .enum(['post', 'hold', 'settle', 'void'])
      .describe('`hold` is pending until a `settle` posts it or a `void` drops it.'),
    orderId: z.string().optional(),
    effectiveAt: z.iso.datetime().describe("The chain's or the bank's time."),
    recordedAt: z.iso.datetime().describe('Our time.'),
    postings: z.array(
      z.looseObject({
        account: z.string(),
        ...assetFields,
        amount: leg.whole,
        amountMinor: leg.minor,
      }),
    ),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'LedgerEntry' });

export const ledgerEntriesPageSchema = z
  .object({ data: z.array(ledgerEntrySchema), nextCursor: z.string().optional() })
  .meta({ id: 'LedgerEntriesPage' });

export const ledgerAccountsPageSchema = z
  .object({
    data: z.array(
      z
        .looseObject({
          account: z.string(),
          ...assetFields,
          posted: posted.whole,
          postedMinor: posted.minor,
          pending: pending.whole,
          pendingMinor: pending.minor,
        })
        .meta({ id: 'LedgerAccount' }),
    ),
    nextCursor: z.string().optional(),
  })
  .meta({ id: 'LedgerAccountsPage' });

const sides = {
  debit: debit.whole,
  debitMinor: debit.minor,
  credit: credit.whole,
  creditMinor: credit.minor,
};

export const trialBalanceSchema = z
  .object({
    at: z.iso.datetime().optional(),
    assets: z.array(
      z.looseObject({
        ...assetFields,
        ...sides,
        accounts: z.array(
          z.looseObject({
            account: z
              .string()
              .describe('The clearing accounts of all orders are one line, `order:*:clearing`.'),
            ...sides,
            pending: pending.whole,
            pendingMinor: pending.minor,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'LedgerTrialBalance' });
