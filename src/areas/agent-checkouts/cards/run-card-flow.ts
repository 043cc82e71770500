import type { Ctx } from '../../../context.ts';
import { databaseStep, defineFlow, effectStep, type Flow, wakeFlow } from '../../../jobs/index.ts';
import type { CardSource } from '../../../providers/card-source/index.ts';
import type { CardUse } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { noteUsedCard } from '../decisions/found-used.ts';
import {
  type CardPurchase,
  cardKeyOf,
  selectCardPurchase,
  selectRunCards,
  setCardClosed,
} from './cards-store.ts';

type CardState = { readonly checkoutId: string; readonly nr: number; readonly source: string };

/** A run that lasts is looked at this often; its end wakes the flow at once. */
const watchMs = 60_000;
/**
 * Shops take the money at the latest when they deliver. A card that was not used in full by then is
 * closed all the same.
 */
const keepMs = 30 * 24 * 60 * 60_000;
const lookMsMax = 6 * 60 * 60_000;
/** Long enough for an issuer that is down over a long weekend. */
const retry = { attemptsMax: 600, baseMs: 1_000, delayMsMax: 10 * 60_000 };
const timeoutMs = 120_000;

/**
 * Closes a card that was issued for a checkout: at once when the checkout ends without an order or
 * a newer card took its place, else when it was used in full. A card that was charged although
 * there is no order makes the outcome unknown. Begun before the issuer is asked, so that no card is
 * forgotten when a process dies.
 */
export const runCardFlow = defineFlow<CardState, Ctx>({
  kind: 'run-card',
  version: 1,
  firstStep: 'watch',
  steps: {
    watch: databaseStep<CardState, Ctx>({
      run: async (ctx, tx, { state }) => {
        const purchase = await selectCardPurchase(tx, state);
        if (purchase?.card.closedAt) return { done: true };
        const isOver =
          !purchase ||
          purchase.isReplaced ||
          (purchase.endedAt && purchase.outcome === 'not-placed');
        if (isOver) return { goto: 'close' };
        if (!purchase.endedAt)
          return { goto: 'watch', runAt: new Date(ctx.clock.now().getTime() + watchMs) };
        return { goto: 'look' };
      },
    }),
    look: effectStep<CardState, { reference: string | null }, CardUse, Ctx>({
      retry,
      timeoutMs,
      prepare: prepareCall,
      perform: (ctx, { state }, { data }) =>
        findSource(ctx, state)!.readUse(placeOf(state, data.reference)),
      record: async (ctx, tx, { state }, use) => {
        const purchase = await selectCardPurchase(tx, state);
        if (!purchase?.endedAt || isDone(ctx, purchase, use)) return { goto: 'close' };
        const ageMs = ctx.clock.now().getTime() - purchase.endedAt.getTime();
        const waitMs = Math.min(lookMsMax, Math.max(watchMs, Math.floor(ageMs / 2)));
        return { goto: 'watch', runAt: new Date(ctx.clock.now().getTime() + waitMs) };
      },
    }),
    close: effectStep<CardState, { reference: string | null }, undefined, Ctx>({
      retry,
      timeoutMs,
      prepare: prepareCall,
      perform: async (ctx, { state }, { data }) => {
        await findSource(ctx, state)!.close(placeOf(state, data.reference));
        return undefined;
      },
      record: async (ctx, tx, { state }) => {
        const purchase = await selectCardPurchase(tx, state);
        await setCardClosed(tx, { ...state, at: ctx.clock.now() });
        return purchase?.outcome === 'not-placed' ? { goto: 'verify' } : { done: true };
      },
    }),
    // Only now the answer is final: nothing is paid with a closed card.
    verify: effectStep<CardState, { reference: string | null }, CardUse, Ctx>({
      retry,
      timeoutMs,
      prepare: prepareCall,
      perform: (ctx, { state }, { data }) =>
        findSource(ctx, state)!.readUse(placeOf(state, data.reference)),
      record: async (ctx, tx, { state }, use) => {
        if (use.state === 'authorised')
          await noteUsedCard(ctx, tx, { checkoutId: state.checkoutId, total: use.total });
        return { done: true };
      },
    }),
  },
  onDead: async (ctx, _, { state }) => {
    ctx.log.error(
      { ...state },
      'the card of a checkout could not be closed for days: close it at the issuer',
    );
  },
});

/** A part may be what the shop delivered first: the rest may still come. */
function isDone(ctx: Ctx, { card, endedAt }: CardPurchase, use: CardUse): boolean {
  if (use.state === 'authorised' && use.total.amountMinor >= card.limit.amountMinor) return true;
  return ctx.clock.now().getTime() - endedAt!.getTime() > keepMs;
}

function findSource(ctx: Ctx, { source }: CardState): CardSource | undefined {
  return ctx.providers.cardSource?.name === source ? ctx.providers.cardSource : undefined;
}

async function prepareCall(ctx: Ctx, tx: Tx, { state }: Flow<CardState>) {
  if (!findSource(ctx, state))
    return {
      fail: `the card is of ${state.source}, which CARD_SOURCE is no longer: close it there by hand`,
    };
  const purchase = await selectCardPurchase(tx, state);
  return { intent: { reference: purchase?.card.reference ?? null } };
}

const placeOf = (state: CardState, reference: string | null) => ({
  key: cardKeyOf(state),
  ...(reference !== null && { reference }),
});

/** Something has changed for the cards of a checkout: they are looked at now. */
export async function wakeRunCards(ctx: Ctx, tx: Tx, checkoutId: string): Promise<void> {
  for (const card of await selectRunCards(tx, checkoutId))
    if (!card.closedAt) await wakeFlow(ctx, tx, runCardFlow, cardKeyOf(card));
}
