import type { Ctx } from '../../../context.ts';
import { type CardPayment, CardProviderError } from '../../../providers/card/card.ts';
import type { Db } from '../../../store/types.ts';
import { type Finding, type Looker, unitsOf } from '../types.ts';

/**
 * What an acquirer captured, gave back and had taken back, against the ledger, for each order that
 * was paid by card.
 */

/**
 * Orders whose payment is at another acquirer than `provider`, e.g. at one that was used before.
 */
async function selectElsewhere(
  db: Db,
  input: { projectId: string; ids: readonly string[]; provider: string | undefined },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'reconciliation-cards-elsewhere',
    text: `select id from orders where project_id = $1 and id = any($2::uuid[]) and card_reference is not null
      and split_part(card_reference, '/', 1) is distinct from $3::text`,
    values: [input.projectId, input.ids, input.provider ?? null],
  });
  return rows.map(({ id }) => id);
}

interface CardOrder {
  readonly id: string;
  readonly state: string;
  readonly cardReference: string;
  /** Sums on the acquirer's receivable account by kind of entry. */
  readonly kinds: Readonly<Record<string, string>>;
}

async function selectCardOrders(
  db: Db,
  input: { projectId: string; ids: readonly string[]; provider: string },
): Promise<CardOrder[]> {
  const { rows } = await db.query<CardOrder>({
    name: 'reconciliation-cards',
    text: `select o.id, o.state, o.card_reference as "cardReference", coalesce((select json_object_agg(s.kind, s.sum::text) from (
          select e.kind, sum(p.posted_minor) as sum from ledger_entries e join ledger_postings p on p.entry_id = e.id
          where e.order_id = o.id and e.project_id = $1 and p.account = 'card:' || $3 || ':receivable' group by e.kind) s), '{}') as kinds
      from orders o where o.project_id = $1 and o.id = any($2::uuid[]) and o.card_reference like $3 || '/%'`,
    values: [input.projectId, input.ids, input.provider],
  });
  return rows;
}

const questionsAtOnce = 4;
/** News of a dispute takes its time, and is tried again for hours when it is lost. */
const disputePatienceMs = 15 * 60_000;

export const lookAtCards: Looker = async (ctx, { projectId, objects }) => {
  const { card } = ctx.providers;
  const elsewhere = await selectElsewhere(ctx.store, {
    projectId,
    ids: objects,
    provider: card?.name,
  });
  const foreign =
    elsewhere.length === 0
      ? []
      : [
          `${elsewhere.length} card payments: they are at an acquirer that this instance does not use`,
        ];
  if (!card) return { findings: [], beyondReach: elsewhere, skipped: foreign };
  const orders = await selectCardOrders(ctx.store, {
    projectId,
    ids: objects,
    provider: card.name,
  });
  const findings: Finding[] = [];
  const unlooked: string[] = [];
  for (let at = 0; at < orders.length; at += questionsAtOnce)
    await Promise.all(
      orders.slice(at, at + questionsAtOnce).map(async (order) => {
        const payment = await findPayment(ctx, order);
        if (payment === 'unknown') unlooked.push(order.id);
        else findings.push(...compareOrder(order, payment, card.name));
      }),
    );
  const silent =
    unlooked.length === 0 ? [] : [`${unlooked.length} card payments: ${card.name} does not answer`];
  return { findings, unlooked, beyondReach: elsewhere, skipped: [...silent, ...foreign] };
};

async function findPayment(
  ctx: Ctx,
  { cardReference }: CardOrder,
): Promise<CardPayment | undefined | 'unknown'> {
  try {
    return await ctx.providers.card!.findPayment(
      cardReference.slice(cardReference.indexOf('/') + 1),
    );
  } catch (error) {
    if (!(error instanceof CardProviderError)) throw error;
    return 'unknown';
  }
}

/**
 * An order in one of these states is about to post what its acquirer did; its time limit ends it.
 */
const underWay: Readonly<Record<string, ReadonlySet<string>>> = {
  captured: new Set(['capturing', 'releasing']),
  refunded: new Set(['refunding']),
  disputed: new Set(),
};

function compareOrder(
  order: CardOrder,
  payment: CardPayment | undefined,
  provider: string,
): Finding[] {
  const of = (kind: string) => BigInt(order.kinds[kind] ?? '0');
  const numbers = [
    ['captured', payment?.capturedMinor ?? 0n, of('card-captured')],
    ['refunded', payment?.refundedMinor ?? 0n, -of('card-refunded')],
    ['disputed', payment?.disputedMinor ?? 0n, -of('dispute-opened') - of('dispute-won')],
  ] as const;
  const asset = payment?.currency.toLowerCase() ?? 'unknown';
  return numbers
    .filter(
      ([aspect, expected, found]) => expected !== found && !underWay[aspect]!.has(order.state),
    )
    .map(([aspect, expectedMinor, foundMinor]) => ({
      comparison: 'card',
      object: order.id,
      aspect,
      asset,
      expectedMinor,
      foundMinor,
      problem: `${provider} has ${aspect} ${unitsOf(expectedMinor, asset)} of order ${order.id}, and the ledger ${unitsOf(foundMinor, asset)}`,
      ...(aspect === 'disputed' && { patienceMs: disputePatienceMs }),
    }));
}
