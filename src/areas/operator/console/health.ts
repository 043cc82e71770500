import { z } from 'zod';
import { readClock } from '../../../clock/index.ts';
import type { Ctx } from '../../../context.ts';
import { checkReadiness } from '../../../http/health.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { countDueFlows, listFailing, listFlows, listReaders } from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { listProviderCalls } from '../../../providers/calls/index.ts';
import { countOrdersByHour } from '../../orders/index.ts';
import { countEventsByHour, readBacklog } from '../../webhooks/index.ts';
import { type ConsoleCall, readRoute } from './guard.ts';

const deadShownMax = 25;

/**
 * How the instance goes as a whole: for operators of every project, since it tells of all of them.
 */
export const healthRoutes: readonly PublicRoute[] = [
  readRoute('/health', z.looseObject({}), async (ctx, call) => {
    requireWhole(call);
    const [readiness, chains, stopped, failing, due, readers, webhooks, providers] =
      await Promise.all([
        checkReadiness(ctx),
        readChains(ctx),
        listFlows(ctx.store, { status: 'dead', limit: deadShownMax }),
        listFailing(ctx.store),
        countDueFlows(ctx.store, ctx.clock.now()),
        listReaders(ctx.store),
        readBacklog(ctx),
        listProviderCalls(ctx.store, ctx.clock.now()),
      ]);
    return {
      readiness,
      chains,
      failing,
      due,
      readers: readers.map(({ name, behind, parked, lastError }) => ({
        name,
        behind,
        parked,
        lastError,
      })),
      webhooks,
      providers,
      stopped: stopped.map(({ id, kind, step, attempts, lastError, updatedAt }) => ({
        id,
        kind,
        step,
        attempts,
        lastError,
        updatedAt,
      })),
    };
  }),
  readRoute('/health/hours', z.looseObject({}), async (ctx, call) => {
    requireWhole(call);
    const now = ctx.clock.now().getTime();
    const since = new Date(now - (now % hourMs) - (hoursShown - 1) * hourMs);
    const input = { projectIds: call.projects.map(({ id }) => id), since, hours: hoursShown };
    const [orders, events] = await Promise.all([
      countOrdersByHour(ctx.store, input),
      countEventsByHour(ctx.store, input),
    ]);
    return { since, orders, events };
  }),
  readRoute('/clock', z.looseObject({}), async (ctx, call) => {
    requireWhole(call);
    return {
      ...(await readClock(ctx.store)),
      now: ctx.clock.now(),
      mayAdvance: ctx.config.environment === 'development',
    };
  }),
];

const hourMs = 3_600_000;
const hoursShown = 48;

/** @throws forbidden */
function requireWhole({ session: { operator } }: Pick<ConsoleCall, 'session'>): void {
  if (operator.roles['*'] === undefined)
    throw new ServiceError('forbidden', {
      message: 'It takes a role in every project: what is said here is of the whole instance.',
    });
}

/** Every network that somebody follows or sends on. */
export async function readChains(ctx: Ctx): Promise<readonly ChainLine[]> {
  return (await Promise.all(ctx.chains.families.map((family) => readFamily(ctx, family)))).flat();
}

type Family = Ctx['chains']['families'][number];

type Relayed = Awaited<ReturnType<Family['relayStatus']>>[number];
interface ChainLine {
  readonly chain: string;
  readonly failure?: string;
  readonly watch?: Awaited<ReturnType<Family['watchStatus']>>[number] | undefined;
  readonly relay?:
    | (Omit<Relayed, 'accounts'> & {
        readonly spentHour?: string;
        readonly accounts: readonly (Omit<Relayed['accounts'][number], 'balanceMinor'> & {
          readonly balance?: string;
          readonly currency?: string | undefined;
        })[];
      })
    | undefined;
}

/**
 * Networks that somebody follows or sends on; a family that cannot be read is said, and stops no
 * other.
 */
async function readFamily(ctx: Ctx, family: Family): Promise<readonly ChainLine[]> {
  try {
    const [watched, relayed] = await Promise.all([family.watchStatus(), family.relayStatus()]);
    const chains = new Set([...watched, ...relayed].map(({ chain }) => chain));
    return [...chains].map((chain) => {
      const watch = watched.find((one) => one.chain === chain);
      const relay = relayed.find((one) => one.chain === chain);
      const native = family.networks.find(({ name }) => name === chain)?.native;
      return {
        chain,
        watch,
        relay: relay && {
          ...relay,
          ...(native && { spentHour: formatAmount(relay.spentHourMinor, native.decimals) }),
          accounts: relay.accounts.map(({ balanceMinor, ...account }) => ({
            ...account,
            ...(balanceMinor !== undefined &&
              native && { balance: formatAmount(balanceMinor, native.decimals) }),
            currency: native?.symbol,
          })),
        },
      };
    });
  } catch (error) {
    ctx.log.warn(
      { err: error, family: family.chainType },
      'the status of a family of chains cannot be read',
    );
    return [
      {
        chain: family.chainType,
        failure: 'Its status cannot be read here: purser chains status says more.',
      },
    ];
  }
}
