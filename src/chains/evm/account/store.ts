import type { Db, Tx } from '../../../store/types.ts';
import type { Hex } from '../abi/words.ts';
import { type AccountName, addToFund, readFund } from './fund.ts';

/**
 * SQL of `evm_account_operations`, `evm_paying_accounts` and `evm_account_attempts`: accounts that
 * send by themselves. Addresses are in lower case.
 */

/**
 * The nonce of one more operation of this account: behind those that are open, or what was used up.
 * Who hands over several at once waits for each other, account by account.
 */
export async function numberOperation(
  tx: Tx,
  { chain, address, operationId }: AccountName & { readonly operationId: string },
): Promise<bigint> {
  await tx.query({
    name: 'evm-accounts-lock',
    text: `select pg_advisory_xact_lock(hashtextextended('evm account ' || $1 || ' ' || $2, 0))`,
    values: [chain, address],
  });
  await tx.query({
    name: 'evm-accounts-number',
    text: `
      insert into evm_account_operations (operation_id, chain, address, nonce)
      select $3, $1, $2, greatest(
        coalesce((select max(nonce) + 1 from evm_account_operations where chain = $1 and address = $2), 0),
        coalesce((select used_nonce from evm_paying_accounts where chain = $1 and address = $2), 0))
      on conflict (operation_id) do nothing`,
    values: [chain, address, operationId],
  });
  const { rows } = await tx.query<{ nonce: string }>({
    name: 'evm-accounts-nonce',
    text: 'select nonce from evm_account_operations where operation_id = $1',
    values: [operationId],
  });
  return BigInt(rows[0]!.nonce);
}

/** Operations that have ended need their nonces no more: one that was not used up is given again. */
export async function closeOperations(tx: Tx, operationIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'evm-accounts-close',
    text: 'delete from evm_account_operations where operation_id = any($1::uuid[])',
    values: [operationIds],
  });
}

export interface PayingAccount {
  /** Of its native money what is the service's, in wei: topped up and not burned yet. */
  readonly fundWei: bigint;
  readonly usedNonce: bigint;
  /** A top-up is under way: in its balance, or not, and not in its fund. */
  readonly isGiven: boolean;
  /** The lowest that an open operation has. */
  readonly firstOpenNonce: bigint | undefined;
}

export async function readPayingAccount(
  db: Db,
  { chain, address }: AccountName,
): Promise<PayingAccount> {
  // The fund last: what is given to it meanwhile is not counted as under way and missed in it.
  const { rows } = await db.query<{
    used: string | null;
    first: string | null;
    given: boolean;
  }>({
    name: 'evm-accounts-read',
    text: `
      select (select used_nonce from evm_paying_accounts where chain = $1 and address = $2) as used,
        (select min(nonce) from evm_account_operations where chain = $1 and address = $2) as first,
        exists (select 1 from evm_account_top_ups where chain = $1 and address = $2 and status in ('queued', 'sent')) as given`,
    values: [chain, address],
  });
  const { used, first, given } = rows[0]!;
  return {
    fundWei: await readFund(db, { chain, address }),
    usedNonce: BigInt(used ?? 0),
    isGiven: given,
    firstOpenNonce: first === null ? undefined : BigInt(first),
  };
}

/** The chain counts a nonce as used, whoever used it. */
export async function noteUsed(
  db: Db,
  { chain, address, nonce }: AccountName & { readonly nonce: bigint },
): Promise<void> {
  await db.query({
    name: 'evm-accounts-used',
    text: `
      insert into evm_paying_accounts as p (chain, address, used_nonce) values ($1, $2, $3)
      on conflict (chain, address) do update set used_nonce = greatest(p.used_nonce, excluded.used_nonce)`,
    values: [chain, address, (nonce + 1n).toString()],
  });
}

export interface AccountAttempt {
  readonly hash: Hex;
  readonly nonce: bigint;
  readonly operationId: string;
  readonly filler: boolean;
  readonly raw: Uint8Array;
  /** By its receipt; undefined: not seen in a block. */
  readonly costWei: bigint | undefined;
  readonly ageMs: number;
}

interface AttemptRow {
  hash: Hex;
  nonce: string;
  operation_id: string;
  filler: boolean;
  raw: Buffer;
  cost_wei: string | null;
  age_ms: string;
}

const attemptColumns =
  'hash, nonce, operation_id, filler, raw, cost_wei, extract(epoch from now() - created_at) * 1000 as age_ms';
const attemptsMax = 100;

const attemptOf = (row: AttemptRow): AccountAttempt => ({
  hash: row.hash,
  nonce: BigInt(row.nonce),
  operationId: row.operation_id,
  filler: row.filler,
  raw: new Uint8Array(row.raw),
  costWei: row.cost_wei === null ? undefined : BigInt(row.cost_wei),
  ageMs: Number(row.age_ms),
});

/** Before anybody else sees what was signed. */
export async function insertAttempt(
  db: Db,
  attempt: AccountName & Pick<AccountAttempt, 'hash' | 'nonce' | 'operationId' | 'filler' | 'raw'>,
): Promise<void> {
  await db.query({
    name: 'evm-accounts-attempt',
    text: `
      insert into evm_account_attempts (hash, chain, address, nonce, operation_id, filler, raw)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict (hash) do nothing`,
    values: [
      attempt.hash,
      attempt.chain,
      attempt.address,
      attempt.nonce.toString(),
      attempt.operationId,
      attempt.filler,
      Buffer.from(attempt.raw),
    ],
  });
}

/** Everything that was signed for a nonce, oldest first. */
export async function selectAttempts(
  db: Db,
  { chain, address, nonce }: AccountName & { readonly nonce: bigint },
): Promise<AccountAttempt[]> {
  const { rows } = await db.query<AttemptRow>({
    name: 'evm-accounts-attempts',
    text: `select ${attemptColumns} from evm_account_attempts where chain = $1 and address = $2 and nonce = $3 order by created_at limit ${attemptsMax}`,
    values: [chain, address, nonce.toString()],
  });
  return rows.map(attemptOf);
}

/** No-ops below a nonce whose receipts were not seen yet. */
export async function selectUnseenFillers(
  db: Db,
  { chain, address, below }: AccountName & { readonly below: bigint },
): Promise<AccountAttempt[]> {
  const { rows } = await db.query<AttemptRow>({
    name: 'evm-accounts-unseen-fillers',
    text: `
      select ${attemptColumns} from evm_account_attempts a where chain = $1 and address = $2 and nonce < $3 and filler
        and not exists (select 1 from evm_account_attempts b where b.chain = a.chain and b.address = a.address and b.nonce = a.nonce and b.cost_wei is not null)
      order by nonce, created_at limit ${attemptsMax}`,
    values: [chain, address, below.toString()],
  });
  return rows.map(attemptOf);
}

/**
 * What a block has cost the account: once, however often it is seen. Answers whether it was news.
 */
export async function noteLanded(
  tx: Tx,
  { hash, costWei }: { readonly hash: string; readonly costWei: bigint },
): Promise<boolean> {
  const { rows } = await tx.query<{ chain: string; address: string; nonce: string }>({
    name: 'evm-accounts-landed',
    text: `update evm_account_attempts set cost_wei = $2 where hash = $1 and cost_wei is null returning chain, address, nonce`,
    values: [hash, costWei.toString()],
  });
  for (const { nonce, ...name } of rows) {
    await addToFund(tx, name, -costWei);
    await noteUsed(tx, { ...name, nonce: BigInt(nonce) });
  }
  return rows.length > 0;
}

/** Those of the chains where accounts that send by themselves have operations under way. */
export async function selectOpenChains(
  db: Db,
  chains: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ chain: string }>({
    name: 'evm-accounts-open-chains',
    text: 'select distinct chain from evm_account_operations where chain = any($1::text[])',
    values: [chains],
  });
  return new Set(rows.map(({ chain }) => chain));
}

/** Operations of the service by what their accounts sent; others are absent. */
export async function selectAccountOperationIds(
  db: Db,
  chain: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await db.query<{ hash: string; operation_id: string }>({
    name: 'evm-accounts-operation-ids',
    text: 'select hash, operation_id from evm_account_attempts where chain = $1 and hash = any($2::text[]) and not filler',
    values: [chain, hashes],
  });
  return new Map(rows.map((row) => [row.hash, row.operation_id]));
}

/**
 * Deletes what nobody asks for any more, so many rows of each table at a time.
 * @returns how many of one: as many as `countMax`, and there may be more
 */
export async function deleteOldAttempts(
  db: Db,
  { olderThanDays, countMax }: { readonly olderThanDays: number; readonly countMax: number },
): Promise<number> {
  const attempts = await db.query({
    text: `
      delete from evm_account_attempts where hash in (
        select hash from evm_account_attempts a where created_at < now() - $1 * interval '1 day'
          and exists (select 1 from evm_paying_accounts p where p.chain = a.chain and p.address = a.address and p.used_nonce > a.nonce)
          and not exists (select 1 from evm_account_operations o where o.operation_id = a.operation_id)
        order by created_at limit $2)`,
    values: [olderThanDays, countMax],
  });
  const topUps = await db.query({
    text: `
      delete from evm_account_top_ups where id in (
        select id from evm_account_top_ups where status in ('done', 'failed') and created_at < now() - $1 * interval '1 day'
        limit $2)`,
    values: [olderThanDays, countMax],
  });
  return Math.max(attempts.rowCount, topUps.rowCount);
}
