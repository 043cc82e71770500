import type { Db } from '../../../../store/types.ts';
import type { Hex } from '../../abi/words.ts';
import { type Lease, LeaseLostError } from '../accounts.ts';
import type { Fees } from '../types.ts';
import type { SignedTx } from './signing.ts';

/**
 * SQL of `evm_sends` and `evm_attempts`: a used nonce, every signed transaction for it, and which
 * of them landed.
 */

export type SendKind = 'batch' | 'call' | 'filler';
export type SendStatus = 'pending' | 'included' | 'final' | 'displaced';

export interface Attempt {
  readonly hash: Hex;
  /** Put right from the chain where somebody changed them in the database. */
  raw: Buffer;
  readonly fees: Fees;
  /** A no-op that only uses the nonce up. */
  readonly filler: boolean;
}

export interface Mined {
  readonly hash: Hex;
  readonly block: bigint;
  readonly blockHash: Hex;
}

export interface StoredSend {
  readonly id: string;
  readonly nonce: bigint;
  readonly kind: SendKind;
  readonly status: SendStatus;
  readonly cancelled: boolean;
  readonly bumps: number;
  readonly reservedWei: bigint;
  readonly mined: Mined | null;
  /** Milliseconds since the receipt was first seen. */
  readonly includedForMs: number | null;
  readonly attempts: readonly Attempt[];
}

interface NewSend {
  readonly lease: Lease;
  readonly nonce: bigint;
  readonly signed: SignedTx;
  readonly fees: Fees;
  readonly reservedWei: bigint;
}

/**
 * Fenced use of the next nonce: `$1`–`$4` are chain, address, fence, nonce; `$5`–`$9` the first
 * attempt.
 */
function storeText(
  kind: SendKind,
  extra: { readonly condition?: string; readonly ctes?: string; readonly filler?: boolean } = {},
): string {
  return `
    with ${extra.condition ? `wanted as (${extra.condition}),` : ''} account as (
      update evm_accounts set next_nonce = next_nonce + 1
      where chain = $1 and address = $2 and fence = $3 and lease_until > now() and next_nonce = $4
        ${extra.condition ? 'and (select bool_and(present) from wanted)' : ''}
      returning chain, address, next_nonce - 1 as nonce
    ), send as (
      insert into evm_sends (chain, account, nonce, kind, reserved_wei) select chain, address, nonce, '${kind}', $9 from account returning id
    ), attempt as (
      insert into evm_attempts (hash, send_id, filler, raw, max_fee_wei, tip_wei) select $5, id, ${extra.filler ? 'true' : 'false'}, $6, $7, $8 from send returning send_id
    )${extra.ctes ?? ''}
    select id from send, attempt where attempt.send_id = send.id`;
}

function storeValues(input: NewSend): unknown[] {
  const { lease, nonce, signed, fees } = input;
  return [
    lease.chain,
    lease.address,
    lease.fence,
    nonce.toString(),
    signed.hash,
    signed.raw,
    fees.maxFeeWei.toString(),
    fees.legacy ? '-1' : fees.tipWei.toString(),
    input.reservedWei.toString(),
  ];
}

const storeBatchText = storeText('batch', {
  condition: `
    select count(*) = cardinality($11::uuid[]) as present from (
      select 1 from evm_operations where operation_id = any($11::uuid[]) and claim_token = $10 and status = 'held' for update) as held`,
  ctes: `, operations as (
      update evm_operations o set status = 'sent', send_id = send.id, item_index = i.place - 1, gas_weight = i.weight, claim_token = null, refusals = 0, unknowns = 0
      from send, unnest($11::uuid[], $12::bigint[]) with ordinality as i (operation_id, weight, place)
      where o.operation_id = i.operation_id)`,
});

/**
 * Stores a signed batch, uses up its nonce and moves its operations from the queue into it: all or
 * nothing, one statement.
 * @returns the send's id; undefined when the claim or the lease was lost, and nothing is stored
 * then
 */
export async function storeBatch(
  db: Db,
  input: NewSend & {
    token: string;
    operationIds: readonly string[];
    gasWeights: readonly bigint[];
  },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'evm-relay-store-batch',
    text: storeBatchText,
    values: [
      ...storeValues(input),
      input.token,
      input.operationIds,
      input.gasWeights.map((weight) => weight.toString()),
    ],
  });
  return rows[0]?.id;
}

const storeCallText = storeText('call', {
  condition: `select count(*) = 1 as present from (select 1 from evm_treasury_calls where reference = $10 and status = 'queued' for update) as held`,
  ctes: `, call as (update evm_treasury_calls c set status = 'sent', send_id = send.id from send where c.reference = $10)`,
});

/** As {@link storeBatch}, for a treasury call. */
export async function storeCall(
  db: Db,
  input: NewSend & { reference: string },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'evm-relay-store-call',
    text: storeCallText,
    values: [...storeValues(input), input.reference],
  });
  return rows[0]?.id;
}

const storeTopUpText = storeText('call', {
  condition: `select count(*) = 1 as present from (select 1 from evm_account_top_ups where id = $10 and status = 'queued' for update) as held`,
  ctes: `, top_up as (update evm_account_top_ups t set status = 'sent', send_id = send.id from send where t.id = $10)`,
});

/** As {@link storeBatch}, for what gives an account the money for its gas. */
export async function storeTopUp(
  db: Db,
  input: NewSend & { topUpId: string },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'evm-relay-store-top-up',
    text: storeTopUpText,
    values: [...storeValues(input), input.topUpId],
  });
  return rows[0]?.id;
}

/**
 * Stores a no-op for a nonce below the next one that has no transaction of ours.
 * @returns the send's id; undefined when there is one already
 * @throws LeaseLostError
 */
export async function storeFiller(db: Db, input: NewSend): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string | null }>({
    name: 'evm-relay-store-filler',
    text: `
      with account as (
        select chain, address from evm_accounts where chain = $1 and address = $2 and fence = $3 and lease_until > now() and next_nonce > $4 for update
      ), send as (
        insert into evm_sends (chain, account, nonce, kind, reserved_wei) select chain, address, $4, 'filler', $9 from account
        on conflict (chain, account, nonce) do nothing returning id
      ), attempt as (
        insert into evm_attempts (hash, send_id, filler, raw, max_fee_wei, tip_wei) select $5, id, true, $6, $7, $8 from send returning send_id
      )
      select (select id from send) as id from account`,
    values: storeValues(input),
  });
  if (!rows[0]) throw new LeaseLostError(input.lease);
  return rows[0].id ?? undefined;
}

/**
 * Stores another signed transaction for a pending nonce.
 * @throws LeaseLostError also when the nonce is not pending any more
 */
export async function storeAttempt(
  db: Db,
  input: {
    lease: Lease;
    sendId: string;
    signed: SignedTx;
    fees: Fees;
    reservedWei: bigint;
    filler: boolean;
  },
): Promise<void> {
  const { lease, signed, fees } = input;
  const { rowCount } = await db.query({
    name: 'evm-relay-store-attempt',
    text: `
      with account as (
        select 1 from evm_accounts where chain = $1 and address = $2 and fence = $3 and lease_until > now() for update
      ), send as (
        update evm_sends set bumps = bumps + 1, cancelled = cancelled or $10, reserved_wei = greatest(reserved_wei, $9)
        where id = $4 and status = 'pending' and exists (select 1 from account) returning id
      )
      insert into evm_attempts (hash, send_id, filler, raw, max_fee_wei, tip_wei) select $5, id, $10, $6, $7, $8 from send
      on conflict (hash) do update set created_at = now() returning hash`,
    values: [
      lease.chain,
      lease.address,
      lease.fence,
      input.sendId,
      signed.hash,
      signed.raw,
      fees.maxFeeWei.toString(),
      fees.legacy ? '-1' : fees.tipWei.toString(),
      input.reservedWei.toString(),
      input.filler,
    ],
  });
  if (rowCount === 0) throw new LeaseLostError(lease);
}

interface SendRow {
  id: string;
  nonce: string;
  kind: SendKind;
  status: SendStatus;
  cancelled: boolean;
  bumps: number;
  reserved_wei: string;
  mined_hash: Hex | null;
  mined_block: string | null;
  mined_block_hash: Hex | null;
  included_for_ms: string | null;
  hashes: Hex[];
  raws: Buffer[];
  fillers: boolean[];
  max_fees: string[];
  tips: string[];
}

const sendColumns = `
  s.id, s.nonce, s.kind, s.status, s.cancelled, s.bumps, s.reserved_wei, s.mined_hash, s.mined_block, s.mined_block_hash,
  extract(epoch from now() - s.included_at) * 1000 as included_for_ms,
  array_agg(a.hash order by a.created_at, a.max_fee_wei) as hashes, array_agg(a.raw order by a.created_at, a.max_fee_wei) as raws,
  array_agg(a.filler order by a.created_at, a.max_fee_wei) as fillers, array_agg(a.max_fee_wei::text order by a.created_at, a.max_fee_wei) as max_fees,
  array_agg(a.tip_wei::text order by a.created_at, a.max_fee_wei) as tips`;

function readSend(row: SendRow): StoredSend {
  return {
    id: row.id,
    nonce: BigInt(row.nonce),
    kind: row.kind,
    status: row.status,
    cancelled: row.cancelled,
    bumps: row.bumps,
    reservedWei: BigInt(row.reserved_wei),
    mined:
      row.mined_hash === null
        ? null
        : {
            hash: row.mined_hash,
            block: BigInt(row.mined_block!),
            blockHash: row.mined_block_hash!,
          },
    includedForMs: row.included_for_ms === null ? null : Number(row.included_for_ms),
    attempts: row.hashes.map((hash, index) => {
      const legacy = row.tips[index] === '-1';
      const maxFeeWei = BigInt(row.max_fees[index]!);
      return {
        hash,
        raw: row.raws[index]!,
        filler: row.fillers[index]!,
        fees: { maxFeeWei, tipWei: legacy ? maxFeeWei : BigInt(row.tips[index]!), legacy },
      };
    }),
  };
}

/** Every send of an account that is not final, lowest nonce first. */
export async function readOpenSends(db: Db, chain: string, address: Hex): Promise<StoredSend[]> {
  const { rows } = await db.query<SendRow>({
    name: 'evm-relay-open-sends',
    text: `
      select ${sendColumns} from evm_sends s join evm_attempts a on a.send_id = s.id
      where s.chain = $1 and s.account = $2 and s.status in ('pending', 'included') group by s.id order by s.nonce`,
    values: [chain, address],
  });
  return rows.map(readSend);
}

/** Closed sends from a nonce on, lowest first: what a chain that forgot blocks has to get again. */
export async function readClosedSends(
  db: Db,
  chain: string,
  address: Hex,
  fromNonce: bigint,
  countMax: number,
): Promise<StoredSend[]> {
  const { rows } = await db.query<SendRow>({
    name: 'evm-relay-closed-sends',
    text: `
      select ${sendColumns} from evm_sends s join evm_attempts a on a.send_id = s.id
      where s.chain = $1 and s.account = $2 and s.nonce >= $3 and s.status in ('final', 'displaced') group by s.id order by s.nonce limit $4`,
    values: [chain, address, fromNonce.toString(), countMax],
  });
  return rows.map(readSend);
}

/** One more than the highest nonce that was seen used, or 0. */
export async function readUsedNonce(db: Db, chain: string, address: Hex): Promise<bigint> {
  const { rows } = await db.query<{ used: string }>({
    name: 'evm-relay-used-nonce',
    text: `select coalesce((select nonce + 1 from evm_sends where chain = $1 and account = $2 and status <> 'pending' order by nonce desc limit 1), 0) as used`,
    values: [chain, address],
  });
  return BigInt(rows[0]!.used);
}

/**
 * Marks sends as landed, also when another attempt or block is known of them. Answers those whose
 * record changed.
 */
export async function markIncluded(
  db: Db,
  sends: readonly { readonly id: string; readonly mined: Mined }[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'evm-relay-mark-included',
    text: `
      update evm_sends s set status = 'included', mined_hash = m.hash, mined_block = m.block, mined_block_hash = m.block_hash, included_at = now()
      from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) as m (id, hash, block, block_hash)
      where s.id = m.id and s.status in ('pending', 'included') and s.mined_block_hash is distinct from m.block_hash
      returning s.id`,
    values: [
      sends.map((send) => send.id),
      sends.map((send) => send.mined.hash),
      sends.map((send) => send.mined.block.toString()),
      sends.map((send) => send.mined.blockHash),
    ],
  });
  return new Set(rows.map((row) => row.id));
}

/** Ends the watch over sends that are there to stay. */
export async function markFinal(
  db: Db,
  sends: readonly { readonly id: string; readonly blockHash: Hex }[],
): Promise<void> {
  await db.query({
    name: 'evm-relay-mark-final',
    text: `
      update evm_sends s set status = 'final' from unnest($1::bigint[], $2::text[]) as f (id, block_hash)
      where s.id = f.id and s.status = 'included' and s.mined_block_hash = f.block_hash`,
    values: [sends.map((send) => send.id), sends.map((send) => send.blockHash)],
  });
}

/** Takes back that sends landed: their blocks are gone. */
export async function reopenSends(db: Db, sendIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'evm-relay-reopen',
    text: `update evm_sends set status = 'pending', mined_hash = null, mined_block = null, mined_block_hash = null, included_at = null where id = any($1::bigint[]) and status <> 'pending'`,
    values: [sendIds],
  });
}

/** A foreign transaction took the nonce. Answers whether this call recorded it. */
export async function markDisplaced(db: Db, sendId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'evm-relay-displaced',
    text: `update evm_sends set status = 'displaced' where id = $1 and status = 'pending'`,
    values: [sendId],
  });
  return rowCount > 0;
}

/**
 * Deletes what was closed long ago, a bounded piece at a time. Answers how many rows the larger
 * piece had.
 */
export async function deleteClosed(
  db: Db,
  input: { olderThanDays: number; countMax: number },
): Promise<number> {
  const unsent = await db.query({
    name: 'evm-relay-delete-unsent',
    text: `
      delete from evm_operations where operation_id in (
        select operation_id from evm_operations where status = 'settled' and send_id is null and settled_at < now() - $1 * interval '1 day'
        order by settled_at limit $2 for update skip locked)`,
    values: [input.olderThanDays, input.countMax],
  });
  const { rowCount } = await db.query({
    name: 'evm-relay-delete-closed',
    text: `
      with old as (
        select s.id from evm_sends s
        where s.status in ('final', 'displaced') and s.created_at < now() - $1 * interval '1 day'
          and not exists (select 1 from evm_operations o where o.send_id = s.id and o.status <> 'settled')
        order by s.created_at limit $2 for update skip locked
      ), operations as (
        delete from evm_operations o using old where o.send_id = old.id
      ), calls as (
        update evm_treasury_calls c set send_id = null from old where c.send_id = old.id
      )
      delete from evm_sends s using old where s.id = old.id`,
    values: [input.olderThanDays, input.countMax],
  });
  return Math.max(rowCount, unsent.rowCount);
}
