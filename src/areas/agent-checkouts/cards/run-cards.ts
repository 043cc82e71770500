import type { Ctx } from '../../../context.ts';
import { startFlow } from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { CardProviderError, CardRefusedError } from '../../../providers/card/card.ts';
import type { CardSource, IssuedCard, NoCard } from '../../../providers/card-source/index.ts';
import type { CardUse, RunCard, ShopMoney } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { requireApproval } from '../runs/run-approval.ts';
import { asHolder, type RunStop } from '../runs/run-ports.ts';
import type { RunHold } from '../runs/runs-store.ts';
import type { CheckoutRecord } from '../types.ts';
import {
  cardKeyOf,
  insertRunCard,
  type RunCardRecord,
  selectCardPurchase,
  selectRunCards,
  setCardClosed,
  setCardReference,
} from './cards-store.ts';
import { runCardFlow, wakeRunCards } from './run-card-flow.ts';

/** Each new total is a new card. */
const cardsPerCheckoutMax = 10;

/**
 * The card of a run, for the total that the user has approved and no more; the same card again when
 * it is asked for again. Null: the source has none of its own, and the user is asked
 * (`payment-credential`).
 * @throws conflict when the total is not approved, above the cap, or the paying click may have come
 * already; provider-unavailable
 */
export async function cardForRun(
  ctx: Ctx,
  hold: RunHold,
  input: { readonly total: ShopMoney; readonly origin: string },
): Promise<RunStop | { readonly done: RunCard | null }> {
  const source = ctx.providers.cardSource;
  const asked = await asHolder(ctx, hold, async (tx, record) => {
    // From then on a run only looks.
    if (record.armedAt)
      throw new ServiceError('conflict', {
        message: 'The purchase may have been placed: no card is handed out.',
      });
    await requireApproval(tx, record, input);
    if (!source)
      throw new ServiceError('conflict', {
        message: 'Checkouts of this instance pay by no card (CARD_SOURCE is off).',
      });
    return source.issues ? noteCard(ctx, tx, record, { source, total: input.total }) : undefined;
  });
  if ('stop' in asked) return asked;
  const card = asked.done;
  if (!source || !card || card.closedAt) return { done: null };
  const answer = await askIssuer(ctx, source, card);
  const kept = await asHolder(ctx, hold, (tx) => keepAnswer(ctx, tx, card, answer));
  if ('stop' in kept) {
    await closeLateCard(ctx, source, card);
    return kept;
  }
  return { done: 'none' in answer ? null : answer.card };
}

/** The issuer may have answered when everything was over, the closing of its cards included. */
async function closeLateCard(ctx: Ctx, source: CardSource, card: RunCardRecord): Promise<void> {
  const purchase = await selectCardPurchase(ctx.store, card);
  if (!purchase || purchase.card.closedAt) await source.close({ key: cardKeyOf(card) });
}

/** Stored before the issuer is asked, with what will close it. */
async function noteCard(
  ctx: Ctx,
  tx: Tx,
  record: CheckoutRecord,
  { source, total }: { readonly source: CardSource; readonly total: ShopMoney },
): Promise<RunCardRecord> {
  const [last] = await selectRunCards(tx, record.id);
  const isSame =
    last?.source === source.name &&
    last.limit.amountMinor === total.amountMinor &&
    last.limit.currency === total.currency;
  if (last && isSame) return last;
  if (last && last.nr >= cardsPerCheckoutMax)
    throw new ServiceError('conflict', {
      message: `The total has changed ${cardsPerCheckoutMax} times: no more cards are issued.`,
    });
  const card = {
    checkoutId: record.id,
    nr: (last?.nr ?? 0) + 1,
    source: source.name,
    limit: total,
    askedAt: ctx.clock.now(),
  };
  await insertRunCard(tx, card);
  await wakeRunCards(ctx, tx, record.id);
  const state = { checkoutId: card.checkoutId, nr: card.nr, source: card.source };
  await startFlow(ctx, tx, runCardFlow, {
    projectId: record.projectId,
    key: cardKeyOf(card),
    state,
  });
  return card;
}

async function askIssuer(
  ctx: Ctx,
  source: CardSource,
  card: RunCardRecord,
): Promise<IssuedCard | NoCard> {
  try {
    return await source.issue({ key: cardKeyOf(card), limit: card.limit });
  } catch (error) {
    if (error instanceof CardRefusedError) return { none: error.message };
    throw explain(ctx, source, error);
  }
}

async function keepAnswer(
  ctx: Ctx,
  tx: Tx,
  card: RunCardRecord,
  answer: IssuedCard | NoCard,
): Promise<void> {
  if (!('none' in answer)) return setCardReference(tx, { ...card, reference: answer.reference });
  ctx.log.info(
    { checkoutId: card.checkoutId, source: card.source, why: answer.none },
    'no card was issued: the user is asked for one',
  );
  await setCardClosed(tx, { ...card, at: ctx.clock.now() });
}

/**
 * What the issuer of the run's card has seen; `unknown` where the user's own card pays.
 * @throws provider-unavailable
 */
export async function cardUseOfRun(
  ctx: Ctx,
  hold: RunHold,
): Promise<RunStop | { readonly done: CardUse }> {
  const held = await asHolder(
    ctx,
    hold,
    async (tx, record) => (await selectRunCards(tx, record.id))[0],
  );
  if ('stop' in held) return held;
  const [card, source] = [held.done, ctx.providers.cardSource];
  const isIssued = card && (card.reference !== undefined || !card.closedAt);
  if (!isIssued || source?.name !== card.source) return { done: { state: 'unknown' } };
  try {
    const place = {
      key: cardKeyOf(card),
      ...(card.reference !== undefined && { reference: card.reference }),
    };
    return { done: await source.readUse(place) };
  } catch (error) {
    throw explain(ctx, source, error);
  }
}

/** The issuer's own words stay in the log. */
function explain(ctx: Ctx, source: CardSource, error: unknown): unknown {
  if (!(error instanceof CardProviderError)) return error;
  ctx.log.warn(
    { provider: source.name, reason: error.message },
    'the issuer of cards did not answer',
  );
  return new ServiceError('provider-unavailable', {
    message: 'The issuer of cards is not available: retry later.',
    cause: error,
  });
}
