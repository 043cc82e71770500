import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import type { Config } from '../../config/config.ts';
import type { Ctx } from '../../context.ts';
import { createManualClock } from '../../lib/clock.ts';
import {
  type CardEvent,
  type CardPayment,
  type CardPreparation,
  createCard,
} from '../../providers/card/index.ts';
import { type CardEventHandler, createCardRoutes } from './index.ts';

export interface CardApi extends TestApi {
  readonly clock: ReturnType<typeof createManualClock>;
  /** What was handed over. */
  readonly events: CardEvent[];
  handle: CardEventHandler;
  create(
    amountMinor?: bigint,
    description?: string,
  ): Promise<CardPayment & { readonly preparation: CardPreparation; readonly pageUrl: string }>;
  find(payment: { readonly reference: string }): Promise<CardPayment>;
}

/** The callback route and the sandbox's page over HTTP, with a clock that stands still. */
export async function startCardApi(config: Partial<Config> = {}): Promise<CardApi> {
  const clock = createManualClock();
  const events: CardEvent[] = [];
  const state = { handle: (async (_ctx, told) => void events.push(...told)) as CardEventHandler };
  const api = await startTestApi({
    config,
    clock,
    routes: [],
    providers: (ctx) => ({ card: createCard(ctx.config, ctx) }),
    server: { publicRoutes: createCardRoutes((ctx: Ctx, told) => state.handle(ctx, told)) },
  });
  let count = 0;
  return Object.assign(state, {
    ...api,
    clock,
    events,
    async create(amountMinor = 25_00n, description?: string) {
      const paymentId = `pay_${process.pid}_${count++}`;
      const payment = await api.ctx.providers.card!.createPayment({
        paymentId,
        amountMinor,
        currency: 'usd',
        reference: 'order-1',
        description,
      });
      // The configured address is the one outside; the test's server has a port of its own.
      return {
        ...payment,
        pageUrl: payment.preparation.url!.replace(api.ctx.config.api.baseUrl, api.baseUrl),
      };
    },
    find: async ({ reference }: { readonly reference: string }) =>
      (await api.ctx.providers.card!.findPayment(reference))!,
  });
}
