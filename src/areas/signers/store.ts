import type { TransferScope } from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import { readScope, storeScope } from '../wallets/index.ts';
import type { SignerChangeStatus } from './machine.ts';

/** A registration or removal of a delegated signer on one chain. */
export interface SignerChange {
  /** Of its signature request or transaction. */
  readonly id: string;
  readonly signerId: string;
  readonly walletId: string;
  readonly chain: string;
  readonly kind: 'add' | 'remove';
  readonly flow: 'signature' | 'transaction';
  /** Key of the recovery method that approves. */
  readonly approver: string;
  readonly status: SignerChangeStatus;
  /** Of an addition: `expiresAt` and `scopes` as sent. */
  readonly asked: JsonObject;
  readonly expiresAt?: Date;
  readonly scopes: readonly TransferScope[];
  readonly createdAt: Date;
  readonly validUntil: Date;
}

type ChangeRow = RowOf<Omit<SignerChange, 'scopes'>> & {
  readonly scopes: readonly Parameters<typeof readScope>[0][];
};

const columns =
  'id, signer_id, wallet_id, chain, kind, flow, approver, status, asked, expires_at, scopes, created_at, valid_until';

function toChange({ scopes, ...row }: ChangeRow): SignerChange {
  return { ...readRow<Omit<SignerChange, 'scopes'>>(row), scopes: scopes.map(readScope) };
}

export async function insertChange(db: Db, change: SignerChange): Promise<void> {
  await db.query({
    name: 'signer-changes-insert',
    text: `insert into signer_changes (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    values: valuesOf({ ...change, scopes: change.scopes.map(storeScope) }, columns),
  });
}

/** The change of a kind that is under way for a signer on a chain. */
export async function selectOpenChange(
  db: Db,
  key: { signerId: string; chain: string; kind: 'add' | 'remove' },
): Promise<SignerChange | undefined> {
  const { rows } = await db.query<ChangeRow>({
    name: 'signer-changes-open',
    text: `select ${columns} from signer_changes where signer_id = $1 and chain = $2 and kind = $3 and status = 'open'`,
    values: [key.signerId, key.chain, key.kind],
  });
  return rows[0] && toChange(rows[0]);
}

export async function selectChanges(db: Db, ids: readonly string[]): Promise<SignerChange[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ChangeRow>({
    name: 'signer-changes-by-ids',
    text: `select ${columns} from signer_changes where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows.map(toChange);
}

/**
 * The latest additions of each signer on a chain, newest first: what the chain may have of them.
 */
export async function selectAdditions(
  db: Db,
  input: { keys: readonly { signerId: string; chain: string }[]; limitPerKey: number },
): Promise<SignerChange[]> {
  const { rows } = await db.query<ChangeRow>({
    name: 'signer-changes-additions',
    text: `select a.* from unnest($1::uuid[], $2::text[]) as k(signer_id, chain)
      cross join lateral (select ${columns} from signer_changes g
        where g.signer_id = k.signer_id and g.chain = k.chain and g.kind = 'add' order by g.created_at desc limit $3) a`,
    values: [
      input.keys.map(({ signerId }) => signerId),
      input.keys.map(({ chain }) => chain),
      input.limitPerKey,
    ],
  });
  return rows.map(toChange);
}

/** Open changes whose approval window has passed, oldest first. */
export async function selectOverdueChanges(
  db: Db,
  input: { now: Date; limit: number },
): Promise<SignerChange[]> {
  const { rows } = await db.query<ChangeRow>({
    name: 'signer-changes-overdue',
    text: `select ${columns} from signer_changes where status = 'open' and valid_until <= $1 order by valid_until limit $2`,
    values: [input.now, input.limit],
  });
  return rows.map(toChange);
}

/**
 * Changes the status of those that still have the one they were read with; answers the ids that
 * this call changed.
 */
export async function moveChanges(
  db: Db,
  moves: readonly { id: string; from: SignerChangeStatus; to: SignerChangeStatus }[],
): Promise<ReadonlySet<string>> {
  if (moves.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>({
    name: 'signer-changes-move',
    text: `update signer_changes g set status = m.to_status from unnest($1::uuid[], $2::text[], $3::text[]) as m(id, from_status, to_status)
      where g.id = m.id and g.status = m.from_status returning g.id`,
    values: [moves.map(({ id }) => id), moves.map(({ from }) => from), moves.map(({ to }) => to)],
  });
  return new Set(rows.map(({ id }) => id));
}
