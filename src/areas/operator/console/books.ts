import { z } from 'zod';
import type { PublicRoute } from '../../../http/public-routes.ts';
import { isAccount, readAssets, readBalances, readEntries } from '../../../ledger/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { decodeCursor, encodeCursor } from '../../ledger/index.ts';
import { type ConsoleCall, readRoute } from './guard.ts';

/** Kinds of accounts (docs/guides/ledger.md), but those of orders, of which there are as many as orders. */
const kinds = [
  ['chain:', 'Chains', 'Tokens in our addresses; what executors paid is negative.'],
  ['bank:', 'Banks', 'Money at banks, and on its way to receivers.'],
  ['card:', 'Cards', 'What acquirers owe us, and what payers dispute.'],
  ['suspense:', 'Set aside', 'What belongs to no order yet, waits to go back or may not be moved. Negative: we owe it.'],
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
  throw new ServiceError('validation-error', { message: 'Choose a project: each has its own books.' });
}

export const bookRoutes: readonly PublicRoute[] = [
  readRoute('/books', z.looseObject({ project: z.uuid().optional() }), async (ctx, call) => {
    const projectId = oneProject(call);
    const groups = await Promise.all(
      kinds.map(async ([accountPrefix, title, meaning]) => {
        const rows = await readBalances(ctx.store, { projectId, accountPrefix, limit: rowsPerKindMax });
        return { prefix: accountPrefix, title, meaning, rows };
      }),
    );
    const assets = await readAssets(
      ctx.store,
      groups.flatMap(({ rows }) => rows.map(({ asset }) => asset)),
    );
    return { groups: groups.filter(({ rows }) => rows.length > 0), assets: Object.fromEntries(assets) };
  }),
  readRoute(
    '/books/entries',
    z.looseObject({
      project: z.uuid().optional(),
      account: z.string().max(200).refine(isAccount, 'is no account of the ledger').optional(),
      cursor: z.string().max(300).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(25),
    }),
    async (ctx, call) => {
      const projectId = oneProject(call);
      const { account, cursor, limit } = call.query;
      const asked = ['books', projectId, account];
      const place = cursor === undefined ? undefined : decodeCursor('entry', cursor, asked);
      const after = place && { recordedAt: new Date(place.at), written: BigInt(place.nr) };
      const found = await readEntries(ctx.store, { projectId, account, after, newestFirst: true, limit: limit + 1 });
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      const assets = await readAssets(
        ctx.store,
        items.flatMap(({ postings }) => postings.map(({ asset }) => asset)),
      );
      return {
        items: items.map(({ id, reference, kind, phase, orderId, recordedAt, postings }) => ({
          id,
          reference,
          kind,
          phase,
          orderId,
          recordedAt,
          postings,
        })),
        assets: Object.fromEntries(assets),
        ...(last && {
          nextCursor: encodeCursor<'entry'>({ at: last.position.recordedAt.getTime(), nr: last.position.written.toString() }, asked),
        }),
      };
    },
  ),
];
