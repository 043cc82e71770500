import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import {
  entriesPerReadMax,
  isAccount,
  type LedgerEntry,
  type LedgerPosting,
  readAssets,
  readBalances,
  readEntries,
  trialBalance,
} from '../../../ledger/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { createTimedCache, type TimedCache } from '../../../lib/waiting/timed-cache.ts';
import type { Store } from '../../../store/types.ts';
import { decodeEntryCursor, encodeEntryCursor } from '../../ledger/index.ts';
import { type ConsoleCall, readRoute } from './guard.ts';
import { listRoute } from './lists.ts';

/**
 * Kinds of accounts (docs/guides/ledger.md), but those of orders, of which there are as many as
 * orders.
 */
const kinds = [
  ['chain:', 'Chains', 'Tokens in our addresses; what executors paid is negative.'],
  ['bank:', 'Banks', 'Money at banks, and on its way to receivers.'],
  ['card:', 'Cards', 'What acquirers owe us, and what payers dispute.'],
  [
    'suspense:',
    'Set aside',
    'What belongs to no order yet, waits to go back or may not be moved. Negative: we owe it.',
  ],
  ['fx:', 'Conversions', 'What conversions gave and took: our open position.'],
  ['fees:', 'Fees', 'What we earned, negative.'],
  ['sales:', 'Sales', 'What items of collections were sold for, negative.'],
  ['gas:', 'Gas', 'What transactions cost.'],
  ['equity:', 'Ours', 'What we put in (negative) or lost (positive).'],
] as const;

const rowsPerKindMax = 200;

/** Books are a project's. @throws validation-error when several could be meant */
function oneProject({ projects }: Pick<ConsoleCall, 'projects'>): string {
  const [project, another] = projects;
  if (project && !another) return project.id;
  throw new ServiceError('validation-error', {
    message: 'Choose a project: each has its own books.',
  });
}

/** However many look, postings are read once in this time. */
const trialBalanceAgeMaxMs = 5_000;
const projectsKeptMax = 100;

type TrialBalances = TimedCache<string, Awaited<ReturnType<typeof trialBalance>>>;
const trialBalances = new WeakMap<Store, TrialBalances>();

function trialBalancesOf({ store, clock }: Pick<Ctx, 'store' | 'clock'>): TrialBalances {
  let cache = trialBalances.get(store);
  if (!cache) {
    cache = createTimedCache({
      clock,
      ttlMs: trialBalanceAgeMaxMs,
      sizeMax: projectsKeptMax,
      load: (projectId) => trialBalance(store, { projectId }),
    });
    trialBalances.set(store, cache);
  }
  return cache;
}

export const bookRoutes: readonly PublicRoute[] = [
  readRoute('/books', z.looseObject({ project: z.uuid().optional() }), async (ctx, call) => {
    const projectId = oneProject(call);
    const groups = await Promise.all(
      kinds.map(async ([accountPrefix, title, meaning]) => {
        const rows = await readBalances(ctx.store, {
          projectId,
          accountPrefix,
          limit: rowsPerKindMax,
        });
        return { prefix: accountPrefix, title, meaning, rows };
      }),
    );
    const assets = await readAssets(
      ctx.store,
      groups.flatMap(({ rows }) => rows.map(({ asset }) => asset)),
    );
    return {
      groups: groups.filter(({ rows }) => rows.length > 0),
      assets: Object.fromEntries(assets),
    };
  }),
  // Out of every posting there is, so that it proves something: asked for, and never polled.
  readRoute(
    '/books/trial-balance',
    z.looseObject({ project: z.uuid().optional() }),
    async (ctx, call) => {
      const found = await trialBalancesOf(ctx).get(oneProject(call));
      const assets = await readAssets(
        ctx.store,
        found.map(({ asset }) => asset),
      );
      return { balances: found, assets: Object.fromEntries(assets) };
    },
  ),
  listRoute('/books/entries', {
    filters: z.object({
      account: z.string().max(200).refine(isAccount, 'is no account of the ledger').optional(),
    }),
    places: {
      encode: ({ position }: Booked, asked) => encodeEntryCursor(position, asked),
      decode: decodeEntryCursor,
    },
    rows: async (ctx, call) => {
      const { query, after, limit } = call;
      const input = {
        projectId: oneProject(call),
        account: query.account,
        after,
        newestFirst: true,
      };
      const found = await readEntries(ctx.store, {
        ...input,
        limit: Math.min(limit, entriesPerReadMax),
      });
      const assets = await readAssets(ctx.store, [
        ...new Set(found.flatMap(({ postings }) => postings.map(({ asset }) => asset))),
      ]);
      return found.map(
        ({ id, reference, kind, phase, orderId, recordedAt, position, postings }) => ({
          id,
          reference,
          kind,
          phase,
          orderId,
          recordedAt,
          position,
          postings: postings.map(({ account, asset, amountMinor }) => {
            const { decimals = 0, symbol = asset } = assets.get(asset) ?? {};
            return { account, asset, amountMinor, decimals, symbol };
          }),
        }),
      );
    },
    csv: {
      entry: ({ id }) => id,
      recordedAt: ({ recordedAt }) => recordedAt,
      kind: ({ kind }) => kind,
      phase: ({ phase }) => phase,
      order: ({ orderId }) => orderId,
      reference: ({ reference }) => reference,
      postings: ({ postings }) =>
        postings
          .map(
            (leg) => `${leg.account} ${formatAmount(leg.amountMinor, leg.decimals)} ${leg.symbol}`,
          )
          .join('; '),
    },
  }),
];

type Booked = Pick<
  LedgerEntry,
  'id' | 'reference' | 'kind' | 'phase' | 'orderId' | 'recordedAt' | 'position'
> & {
  readonly postings: readonly (Pick<LedgerPosting, 'account' | 'asset' | 'amountMinor'> & {
    readonly decimals: number;
    readonly symbol: string;
  })[];
};
