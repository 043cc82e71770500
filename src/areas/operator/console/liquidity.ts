import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { balancesPerReadMax, readAssets, readBalances } from '../../../ledger/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { fiatDecimals } from '../../../lib/money/fiat.ts';
import {
  listPayoutLines,
  type PayoutLine,
  payoutFactStatuses,
  readPromised,
} from '../../orders/index.ts';
import { readPayoutSwitch } from '../../payment-methods/index.ts';
import {
  readOutflow,
  selectTreasuryTransfers,
  type TreasuryTransfer,
} from '../../treasury/index.ts';
import { readRoute } from './guard.ts';
import { readChains } from './health.ts';
import { byNumber, byTime, listRoute } from './lists.ts';

const places = [
  ['treasury', 'chain:'],
  ['bank', 'bank:'],
  ['receivable', 'card:'],
] as const;
const dayHours = 24;

interface Line {
  readonly projectId: string;
  readonly place: (typeof places)[number][0];
  readonly account: string;
  readonly asset: string;
  readonly heldMinor: bigint;
  readonly pendingMinor: bigint;
}

/**
 * Money by where it is, from the books: reconciliation says where chain, bank or acquirer think
 * otherwise.
 */
async function readLines(ctx: Ctx, projectId: string): Promise<Line[]> {
  const found = await Promise.all(
    places.map(async ([place, accountPrefix]) => {
      const rows = await readBalances(ctx.store, {
        projectId,
        accountPrefix,
        limit: balancesPerReadMax,
      });
      return rows
        .filter(({ account }) => place !== 'treasury' || account.endsWith(':treasury'))
        .map(({ account, asset, postedMinor, pendingMinor }) => ({
          projectId,
          place,
          account,
          asset,
          heldMinor: BigInt(postedMinor),
          pendingMinor: BigInt(pendingMinor),
        }));
    }),
  );
  return found.flat();
}

/** For how many hours it lasts at the pace of the last day; undefined when nothing left. */
const hoursLeft = (heldMinor: bigint, dayMinor: bigint): number | undefined =>
  dayMinor <= 0n
    ? undefined
    : heldMinor <= 0n
      ? 0
      : Number((heldMinor * BigInt(dayHours) * 10n) / dayMinor) / 10;

async function readLiquidity(ctx: Ctx, projectIds: readonly string[]) {
  const [lines, promised, outflow] = await Promise.all([
    Promise.all(projectIds.map((projectId) => readLines(ctx, projectId))),
    readPromised(ctx.store, projectIds),
    readOutflow(ctx, projectIds),
  ]);
  const keyOf = ({ projectId, asset }: { readonly projectId: string; readonly asset: string }) =>
    `${projectId} ${asset.toLowerCase()}`;
  const byAsset = new Map(promised.map((one) => [keyOf(one), one]));
  const out = new Map(outflow.map((one) => [keyOf(one), one.amountMinor]));
  const assets = await readAssets(ctx.store, [
    ...new Set([...lines.flat(), ...promised].map(({ asset }) => asset)),
  ]);
  const seen = new Set<string>();
  const rows = lines.flat().map(({ heldMinor, pendingMinor, ...line }) => {
    const { decimals = 0, symbol = line.asset } = assets.get(line.asset) ?? {};
    const key = keyOf(line);
    // What is promised is paid out of treasury or bank; what an acquirer owes is not there yet.
    const owed = line.place === 'receivable' || seen.has(key) ? undefined : byAsset.get(key);
    if (owed) seen.add(key);
    const dayMinor = line.place === 'treasury' ? (out.get(key) ?? 0n) : 0n;
    return {
      ...line,
      currency: symbol,
      held: formatAmount(heldMinor, decimals),
      pending: formatAmount(pendingMinor, decimals),
      promised: owed && {
        amount: formatAmount(BigInt(owed.amountMinor), decimals),
        orders: owed.orders,
      },
      isShort: owed !== undefined && heldMinor < BigInt(owed.amountMinor),
      lastDay: formatAmount(dayMinor, decimals),
      hoursLeft: hoursLeft(heldMinor, dayMinor),
    };
  });
  const missing = promised
    .filter((one) => !seen.has(keyOf(one)))
    .map(({ projectId, asset, currency, decimals, amountMinor, orders }) => ({
      projectId,
      place: asset.includes(':') ? 'treasury' : 'bank',
      account: '',
      asset,
      currency,
      held: '0',
      pending: '0',
      promised: { amount: formatAmount(BigInt(amountMinor), decimals), orders },
      isShort: true,
      lastDay: '0',
      hoursLeft: 0,
    }));
  return [...missing, ...rows];
}

/** What pays the fees of each network, and for how long at the pace of the last hour. */
async function readGas(ctx: Ctx) {
  return (await readChains(ctx)).flatMap(({ chain, relay }) =>
    (relay?.accounts ?? []).map((account) => ({ chain, ...account, spentHour: relay?.spentHour })),
  );
}

const transferLine = ({
  id,
  nr,
  projectId,
  subject,
  chain,
  token,
  amountMinor,
  recipient,
  status,
  txId,
  error,
  createdAt,
}: TreasuryTransfer) => ({
  id,
  nr,
  projectId,
  subject,
  chain,
  amount: formatAmount(amountMinor, token.decimals),
  currency: token.symbol ?? token.locator,
  recipient,
  status,
  txId,
  error: error?.message,
  createdAt,
});

/**
 * Where money is and whether it is enough; what banks were asked to pay, and whether anything is.
 */
export const liquidityRoutes: readonly PublicRoute[] = [
  readRoute('/liquidity', z.looseObject({}), async (ctx, { projects, session: { operator } }) => ({
    rows: await readLiquidity(
      ctx,
      projects.map(({ id }) => id),
    ),
    // Who pays fees pays them for all projects.
    gas: operator.roles['*'] === undefined ? undefined : await readGas(ctx),
  })),
  listRoute('/transfers', {
    filters: z.object({}),
    places: byNumber(({ nr }: ReturnType<typeof transferLine>) => nr.toString()),
    rows: async (ctx, { projects, after, limit }) => {
      const before = after === undefined ? undefined : BigInt(after);
      const found = await Promise.all(
        projects.map(({ id }) =>
          selectTreasuryTransfers(ctx.store, {
            projectId: id,
            limit,
            ...(before !== undefined && { before }),
          }),
        ),
      );
      return found
        .flat()
        .sort((a, b) => (a.nr < b.nr ? 1 : -1))
        .slice(0, limit)
        .map(transferLine);
    },
    csv: {
      transfer: ({ id }) => id,
      project: ({ projectId }) => projectId,
      for: ({ subject }) => subject,
      chain: ({ chain }) => chain,
      amount: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      recipient: ({ recipient }) => recipient,
      status: ({ status }) => status,
      txId: ({ txId }) => txId,
      createdAt: ({ createdAt }) => createdAt,
    },
  }),
  listRoute('/payouts', {
    filters: z.object({
      status: z.enum(payoutFactStatuses).optional(),
      rail: z.string().min(1).max(40).optional(),
      late: z.enum(['yes']).optional(),
    }),
    places: byTime(({ createdAt, id }: PayoutLine) => ({ at: createdAt, id })),
    rows: (ctx, { query: { status, rail, late }, projects, after, limit }) =>
      listPayoutLines(ctx, {
        projectIds: projects.map(({ id }) => id),
        status,
        rail,
        lateOnly: late === 'yes',
        before: after,
        limit,
      }),
    csv: {
      payout: ({ payoutId }) => payoutId,
      order: ({ id }) => id,
      project: ({ projectId }) => projectId,
      rail: ({ payout }) => payout.rail,
      currency: ({ payout }) => payout.currency,
      amount: ({ payout }) => formatAmount(BigInt(payout.amountMinor), payout.decimals),
      status: ({ payout }) => payout.status,
      askedAt: ({ payout }) => payout.askedAt,
      code: ({ payout }) => payout.code,
      reason: ({ payout }) => payout.reason,
    },
  }),
  readRoute(
    '/payouts/switch',
    z.looseObject({}),
    async (ctx, { projects, session: { operator } }) => {
      if (operator.roles['*'] === undefined)
        throw new ServiceError('forbidden', {
          message:
            'It takes a role in every project: limits and the stop are of the whole instance.',
        });
      if (!ctx.config.vault) return {};
      const found = await readPayoutSwitch(ctx);
      const limits = found.limits.map(({ currency, ...amounts }) => {
        const shown = (minor: string) => formatAmount(BigInt(minor), fiatDecimals(currency));
        return {
          currency,
          perPayout: shown(amounts.perPayoutMinor),
          projectDay: shown(amounts.projectDayMinor),
          destinationDay: shown(amounts.destinationDayMinor),
          secondPersonAbove: shown(amounts.secondPersonMinor),
          used: (found.used ?? [])
            .filter(
              (one) => one.currency === currency && projects.some(({ id }) => id === one.projectId),
            )
            .map(({ projectId, amountMinor }) => ({
              projectId,
              amount: shown(amountMinor),
              isFull: BigInt(amountMinor) >= BigInt(amounts.projectDayMinor),
            })),
        };
      });
      const { used: _, ...rest } = found;
      return { ...rest, limits };
    },
  ),
];
