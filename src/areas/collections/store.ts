import type { CollectionStandard } from '../../chains/family.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';

/** What a project sells of a collection: new items, or a token that its treasury holds. */
export interface Offer {
  readonly id: string;
  readonly projectId: string;
  readonly kind: 'mint' | 'sale';
  readonly chain: string;
  /** The contract, canonical. */
  readonly tokenKey: string;
  /** The contract, as it is shown. */
  readonly address: string;
  /** Of an edition, or of the token that is sold. */
  readonly tokenId?: string;
  readonly standard: CollectionStandard;
  /** Of new items. */
  readonly mintFunction?: string;
  readonly name: string;
  readonly description?: string;
  readonly imageUrl?: string;
  readonly symbol?: string;
  /** Of one item, in a fiat currency; absent: free. */
  readonly price?: { readonly amount: string; readonly currency: string };
  /** Absent: without end. */
  readonly supplyMax?: number;
  readonly perOrderMax: number;
  readonly perRecipientMax?: number;
  /** What orders hold or have received. */
  readonly taken: number;
  readonly createdAt: Date;
  readonly stoppedAt?: Date;
}

type PlainOffer = Omit<Offer, 'price' | 'supplyMax' | 'perRecipientMax' | 'taken'>;

interface OfferRow extends RowOf<PlainOffer> {
  readonly price_amount: string | null;
  readonly price_currency: string | null;
  readonly supply_max: string | null;
  readonly per_recipient_max: string | null;
  readonly taken: string;
  readonly mac: string | null;
}

const newColumns =
  'id, project_id, kind, chain, token_key, address, token_id, standard, mint_function, name, description, image_url, symbol, price_amount, price_currency, supply_max, per_order_max, per_recipient_max, created_at';
const columns = `${newColumns}, taken, stopped_at, mac`;

/**
 * What treasuries give out, by which call, and what for. What is taken of it, and whether it was
 * stopped, changes.
 */
function sealedOffer({ id, taken: _taken, stoppedAt: _stoppedAt, ...fields }: Offer): SealedRow {
  return { table: 'collection_offers', id, fields };
}

export const sealedOffers: SealedTable = {
  table: 'collection_offers',
  columns,
  toSealed: (row: OfferRow) => sealedOffer(offerOf(row)),
};

/** @throws internal-error when it was changed behind the service */
function toOffer(db: Db, row: OfferRow): Offer {
  const offer = offerOf(row);
  rowMacsOf(db).check(sealedOffer(offer), row.mac);
  return offer;
}

function offerOf(row: OfferRow): Offer {
  const { price_amount, price_currency, supply_max, per_recipient_max, taken, ...plain } = row;
  return {
    ...readRow<PlainOffer>(plain),
    ...(price_amount !== null && { price: { amount: price_amount, currency: price_currency! } }),
    ...(supply_max !== null && { supplyMax: Number(supply_max) }),
    ...(per_recipient_max !== null && { perRecipientMax: Number(per_recipient_max) }),
    taken: Number(taken),
  };
}

/** False when the same is offered already. */
export async function insertOffer(db: Db, offer: Omit<Offer, 'taken'>): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'collections-insert',
    text: `insert into collection_offers (${newColumns}, mac)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) on conflict do nothing`,
    values: [
      ...valuesOf(
        { ...offer, priceAmount: offer.price?.amount, priceCurrency: offer.price?.currency },
        newColumns,
      ),
      rowMacsOf(db).seal(sealedOffer({ ...offer, taken: 0 })),
    ],
  });
  return rowCount === 1;
}

export async function selectOffer(
  db: Db,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<Offer | undefined> {
  const { rows } = await db.query<OfferRow>({
    name: 'collections-by-id',
    text: `select ${columns} from collection_offers where project_id = $1 and id = $2`,
    values: [projectId, id],
  });
  return rows[0] && toOffer(db, rows[0]);
}

export interface OfferPlace {
  readonly projectId: string;
  readonly kind: Offer['kind'];
  readonly chain: string;
  readonly tokenKey: string;
  /** Absent: any of the contract. */
  readonly tokenId?: string;
}

const openMax = 50;

/** What is offered of a contract now, the oldest first. */
export async function selectOpenOffers(db: Db, place: OfferPlace): Promise<Offer[]> {
  const { rows } = await db.query<OfferRow>({
    name: 'collections-open',
    text: `select ${columns} from collection_offers
      where project_id = $1 and kind = $2 and chain = $3 and token_key = $4 and ($5::text is null or token_id = $5) and stopped_at is null
      order by nr limit ${openMax}`,
    values: [place.projectId, place.kind, place.chain, place.tokenKey, place.tokenId ?? null],
  });
  return rows.map((row) => toOffer(db, row));
}

/** Newest first. */
export async function selectOffers(
  db: Db,
  filter: { readonly projectId: string; readonly stoppedToo: boolean; readonly limit: number },
): Promise<Offer[]> {
  const { rows } = await db.query<OfferRow>({
    name: 'collections-list',
    text: `select ${columns} from collection_offers where project_id = $1 and ($2 or stopped_at is null) order by nr desc limit $3`,
    values: [filter.projectId, filter.stoppedToo, filter.limit],
  });
  return rows.map((row) => toOffer(db, row));
}

/** False when there is no such offer that is not stopped. */
export async function stopOffer(
  db: Db,
  input: { readonly projectId: string; readonly id: string; readonly at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'collections-stop',
    text: 'update collection_offers set stopped_at = $3 where project_id = $1 and id = $2 and stopped_at is null',
    values: [input.projectId, input.id, input.at],
  });
  return rowCount === 1;
}
