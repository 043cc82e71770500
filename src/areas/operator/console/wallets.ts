import { z } from 'zod';
import { chainTypes } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { readBalancesInUse } from '../../balances/index.ts';
import { readSignerLimits } from '../../signers/index.ts';
import { listTransactionLines, transactionStatuses } from '../../transactions/index.ts';
import { listWalletLines, readWalletOf } from '../../wallets/index.ts';
import { type ConsoleCall, idIn, readRoute } from './guard.ts';
import { amountView, byTime, listRoute } from './lists.ts';

type WalletLine = Awaited<ReturnType<typeof listWalletLines>>[number];
type TransactionLine = Awaited<ReturnType<typeof listTransactionLines>>[number];

/** @throws wallet-not-found also for one of a project that the operator has no role in */
async function requireWallet(ctx: Ctx, { params, projects }: ConsoleCall) {
  const id = idIn(params.id);
  const found =
    id === undefined
      ? undefined
      : await readWalletOf(ctx.store, { id, projectIds: projects.map((project) => project.id) });
  if (!found)
    throw new ServiceError('wallet-not-found', {
      message: 'There is no such wallet in a project of yours.',
    });
  return found;
}

/** Wallets, who signs for them within which limits, what they hold, and what they did. */
export const walletRoutes: readonly PublicRoute[] = [
  listRoute('/wallets', {
    filters: z.object({
      chainType: z.enum(chainTypes).optional(),
      find: z.string().trim().min(1).max(200).optional(),
    }),
    places: byTime(({ createdAt, id }: WalletLine) => ({ at: createdAt, id })),
    rows: (ctx, { query: { chainType, find }, projects, after, limit }) =>
      listWalletLines(ctx.store, {
        projectIds: projects.map(({ id }) => id),
        chainType,
        find,
        before: after,
        limit,
      }),
    csv: {
      wallet: ({ id }) => id,
      project: ({ projectId }) => projectId,
      chainType: ({ chainType }) => chainType,
      type: ({ type }) => type,
      address: ({ address }) => address,
      owner: ({ owner }) => owner,
      alias: ({ alias }) => alias,
      createdAt: ({ createdAt }) => createdAt,
    },
  }),
  readRoute('/wallets/:id', z.looseObject({}), async (ctx, call) => {
    const { shown, recovery, signers } = await requireWallet(ctx, call);
    return { wallet: shown, recovery, signers };
  }),
  readRoute('/wallets/:id/balances', z.looseObject({}), async (ctx, call) => {
    const { wallet } = await requireWallet(ctx, call);
    const { balances, unreachable } = await readBalancesInUse(ctx, wallet);
    return { balances: balances.map(amountView), unreachable };
  }),
  readRoute('/wallets/:id/limits', z.looseObject({}), async (ctx, call) => {
    const { wallet } = await requireWallet(ctx, call);
    return { limits: await readSignerLimits(ctx, { wallet }) };
  }),
  listRoute('/wallets/:id/transactions', {
    filters: z.object({ status: z.enum(transactionStatuses).optional() }),
    places: byTime(({ createdAt, id }: TransactionLine) => ({ at: createdAt, id })),
    rows: async (ctx, call) => {
      const { wallet } = await requireWallet(ctx, call);
      const { query, after, limit } = call;
      return listTransactionLines(ctx.store, {
        walletId: wallet.id,
        status: query.status,
        before: after,
        limit,
      });
    },
    csv: {
      transaction: ({ id }) => id,
      chain: ({ chain }) => chain,
      status: ({ status }) => status,
      txId: ({ txId }) => txId,
      error: ({ error }) => error,
      createdAt: ({ createdAt }) => createdAt,
      completedAt: ({ completedAt }) => completedAt,
    },
  }),
];
