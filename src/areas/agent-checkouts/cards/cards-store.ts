import type { ShopMoney } from '../../../runner/types.ts';
import { type RowOf, readRow } from '../../../store/rows.ts';
import type { Db, Tx } from '../../../store/types.ts';
import type { CheckoutOutcome } from '../types.ts';

/** A card that was asked of an issuer for a checkout. Its number is the issuer's alone. */
export interface RunCardRecord {
  readonly checkoutId: string;
  /** From 1; a new total is a new card, and the last one counts. */
  readonly nr: number;
  readonly source: string;
  /** The issuer's id, once it is known. */
  readonly reference?: string;
  readonly limit: ShopMoney;
  readonly askedAt: Date;
  readonly closedAt?: Date;
}

type PlainCard = Omit<RunCardRecord, 'limit'>;

interface CardRow extends RowOf<PlainCard> {
  readonly limit_minor: string;
  readonly currency: string;
}

const columns =
  'checkout_id, nr, source, reference, limit_minor::text as limit_minor, currency, asked_at, closed_at';
const cardsShownMax = 50;

const toCard = ({ limit_minor, currency, ...row }: CardRow): RunCardRecord => ({
  ...readRow<PlainCard>(row),
  limit: { amountMinor: BigInt(limit_minor), currency },
});

/** What an issuer knows the card by. */
export const cardKeyOf = ({ checkoutId, nr }: Pick<RunCardRecord, 'checkoutId' | 'nr'>): string =>
  `${checkoutId}_${nr}`;

export async function insertRunCard(tx: Tx, card: RunCardRecord): Promise<void> {
  await tx.query({
    name: 'agent-cards-insert',
    text: `insert into agent_checkout_cards (checkout_id, nr, source, limit_minor, currency, asked_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [
      card.checkoutId,
      card.nr,
      card.source,
      card.limit.amountMinor.toString(),
      card.limit.currency,
      card.askedAt,
    ],
  });
}

/** Newest first. */
export async function selectRunCards(db: Db, checkoutId: string): Promise<RunCardRecord[]> {
  const { rows } = await db.query<CardRow>({
    name: 'agent-cards-of',
    text: `select ${columns} from agent_checkout_cards where checkout_id = $1 order by nr desc limit $2`,
    values: [checkoutId, cardsShownMax],
  });
  return rows.map(toCard);
}

type CardKey = Pick<RunCardRecord, 'checkoutId' | 'nr'>;

export async function setCardReference(
  tx: Tx,
  input: CardKey & { readonly reference: string },
): Promise<void> {
  await tx.query({
    name: 'agent-cards-reference',
    text: 'update agent_checkout_cards set reference = $3 where checkout_id = $1 and nr = $2',
    values: [input.checkoutId, input.nr, input.reference],
  });
}

export async function setCardClosed(tx: Tx, input: CardKey & { readonly at: Date }): Promise<void> {
  await tx.query({
    name: 'agent-cards-closed',
    text: 'update agent_checkout_cards set closed_at = $3 where checkout_id = $1 and nr = $2 and closed_at is null',
    values: [input.checkoutId, input.nr, input.at],
  });
}

/** How the purchase of a card stands; undefined when the checkout is gone. */
export interface CardPurchase {
  readonly card: RunCardRecord;
  /** A newer one took its place. */
  readonly isReplaced: boolean;
  readonly endedAt?: Date;
  readonly outcome?: CheckoutOutcome;
}

export async function selectCardPurchase(db: Db, key: CardKey): Promise<CardPurchase | undefined> {
  const [cards, { rows }] = [
    await selectRunCards(db, key.checkoutId),
    await db.query<{ ended_at: Date | null; outcome: CheckoutOutcome | null }>({
      name: 'agent-cards-purchase',
      text: 'select ended_at, outcome from agent_checkouts where id = $1',
      values: [key.checkoutId],
    }),
  ];
  const card = cards.find(({ nr }) => nr === key.nr);
  if (!card || !rows[0]) return undefined;
  const { ended_at: endedAt, outcome } = rows[0];
  return {
    card,
    isReplaced: cards[0]!.nr !== key.nr,
    ...(endedAt && { endedAt }),
    ...(outcome && { outcome }),
  };
}
