import type { Db } from '../../../../store/types.ts';
import type { SpendingBounds } from '../../config/spending-bounds.ts';

/**
 * SQL of `evm_gas_spent` and `evm_gas_budgets`: what the operations of a project, and of one owner,
 * may cost in a day (UTC).
 */

export interface GasCharge {
  readonly projectId: string;
  readonly owner: string;
  readonly wei: bigint;
}

/**
 * Adds what operations cost, to their owner's row and to their project's. In one order whoever
 * writes: no two wait for each other.
 */
export async function chargeGas(
  db: Db,
  chain: string,
  charges: readonly GasCharge[],
): Promise<void> {
  if (charges.length === 0) return;
  await db.query({
    name: 'evm-relay-charge-gas',
    text: `
      insert into evm_gas_spent as s (day, chain, project_id, owner, spent_wei)
      select (now() at time zone 'utc')::date, $1, project_id, owner, sum(wei)
      from (
        select project_id, owner, wei from unnest($2::uuid[], $3::text[], $4::numeric[]) as c (project_id, owner, wei)
        union all select project_id, '', wei from unnest($2::uuid[], $4::numeric[]) as t (project_id, wei)
      ) as charge group by project_id, owner order by owner desc, project_id
      on conflict (day, chain, project_id, owner) do update set spent_wei = s.spent_wei + excluded.spent_wei`,
    values: [
      chain,
      charges.map((charge) => charge.projectId),
      charges.map((charge) => charge.owner),
      charges.map((charge) => charge.wei.toString()),
    ],
  });
}

export interface GasBudget {
  readonly projectId: string;
  readonly owner: string;
  /**
   * Spent today, and the most that open transactions, and those that are being prepared, may still
   * take.
   */
  readonly project: {
    readonly spentWei: bigint;
    readonly openGas: bigint;
    readonly maxWei: bigint;
  };
  readonly ownOwner: {
    readonly spentWei: bigint;
    readonly openGas: bigint;
    readonly maxWei: bigint;
  };
}

export interface BudgetsInput {
  readonly chain: string;
  /** The claim that asks. */
  readonly token: string;
  readonly pairs: readonly Pick<GasCharge, 'projectId' | 'owner'>[];
  readonly bounds: SpendingBounds;
}

/**
 * How the budgets of these projects and owners stand, one row for each pair. What other claims hold
 * and may be about to send counts as open: of two that claim at once, and then read, at least one
 * sees the other's.
 */
export async function readBudgets(db: Db, input: BudgetsInput): Promise<GasBudget[]> {
  const { rows } = await db.query<
    Record<
      | 'project_id'
      | 'owner'
      | 'project_spent'
      | 'owner_spent'
      | 'project_open'
      | 'owner_open'
      | 'project_max'
      | 'owner_max',
      string
    >
  >({
    name: 'evm-relay-budgets',
    text: `
      with wanted as (
        select distinct project_id, owner from unnest($2::uuid[], $3::text[]) as w (project_id, owner)
      ), under_way as (
        select o.project_id, o.owner, o.gas_limit
        from evm_sends s join evm_operations o on o.send_id = s.id
        where s.chain = $1 and s.status = 'pending' and o.status = 'sent' and o.project_id = any($2::uuid[])
        union all
        select project_id, owner, gas_limit from evm_operations
        where chain = $1 and status = 'held' and run_at > now() and run_at < 'infinity' and claim_token <> $6 and project_id = any($2::uuid[])
      ), open as materialized (
        select project_id, owner, sum(gas_limit) as gas from under_way group by project_id, owner
      ), project_open as (
        select project_id, sum(gas) as gas from open group by project_id
      )
      select w.project_id, w.owner, coalesce(ps.spent_wei, 0) as project_spent, coalesce(os.spent_wei, 0) as owner_spent,
        coalesce(po.gas, 0) as project_open, coalesce(oo.gas, 0) as owner_open,
        coalesce(b.project_day_wei, $4) as project_max, coalesce(b.owner_day_wei, $5) as owner_max
      from wanted w
      left join evm_gas_spent ps on ps.day = (now() at time zone 'utc')::date and ps.chain = $1 and ps.project_id = w.project_id and ps.owner = ''
      left join evm_gas_spent os on os.day = (now() at time zone 'utc')::date and os.chain = $1 and os.project_id = w.project_id and os.owner = w.owner
      left join project_open po on po.project_id = w.project_id
      left join open oo on oo.project_id = w.project_id and oo.owner = w.owner
      left join evm_gas_budgets b on b.project_id = w.project_id and b.chain = $1`,
    values: [
      input.chain,
      input.pairs.map((pair) => pair.projectId),
      input.pairs.map((pair) => pair.owner),
      input.bounds.projectDayMaxWei.toString(),
      input.bounds.ownerDayMaxWei.toString(),
      input.token,
    ],
  });
  return rows.map((row) => ({
    projectId: row.project_id,
    owner: row.owner,
    project: {
      spentWei: BigInt(row.project_spent),
      openGas: BigInt(row.project_open),
      maxWei: BigInt(row.project_max),
    },
    ownOwner: {
      spentWei: BigInt(row.owner_spent),
      openGas: BigInt(row.owner_open),
      maxWei: BigInt(row.owner_max),
    },
  }));
}

/** Sets what a project may spend in a day on a chain; null: the bound of the network. */
export async function writeBudget(
  db: Db,
  input: {
    projectId: string;
    chain: string;
    projectDayWei: bigint | null;
    ownerDayWei: bigint | null;
  },
): Promise<void> {
  await db.query({
    text: `
      insert into evm_gas_budgets (project_id, chain, project_day_wei, owner_day_wei) values ($1, $2, $3, $4)
      on conflict (project_id, chain) do update set project_day_wei = excluded.project_day_wei, owner_day_wei = excluded.owner_day_wei`,
    values: [
      input.projectId,
      input.chain,
      input.projectDayWei?.toString() ?? null,
      input.ownerDayWei?.toString() ?? null,
    ],
  });
}

export interface SpentToday {
  readonly chain: string;
  readonly owner: string;
  readonly spentWei: bigint;
}

/** What a project's owners took today, the most first. */
export async function readSpentToday(
  db: Db,
  input: { readonly projectId: string; readonly limit: number },
): Promise<SpentToday[]> {
  const { rows } = await db.query<{ chain: string; owner: string; spent_wei: string }>({
    text: `
      select chain, owner, spent_wei from evm_gas_spent where day = (now() at time zone 'utc')::date and project_id = $1 and owner <> ''
      order by spent_wei desc, chain, owner limit $2`,
    values: [input.projectId, input.limit],
  });
  return rows.map(({ chain, owner, spent_wei }) => ({ chain, owner, spentWei: BigInt(spent_wei) }));
}

/** What a project was allowed by its operator, by chain. */
export async function readOwnBudgets(
  db: Db,
  projectId: string,
): Promise<
  {
    readonly chain: string;
    readonly projectDayWei: bigint | null;
    readonly ownerDayWei: bigint | null;
  }[]
> {
  const { rows } = await db.query<{
    chain: string;
    project_day_wei: string | null;
    owner_day_wei: string | null;
  }>({
    text: 'select chain, project_day_wei, owner_day_wei from evm_gas_budgets where project_id = $1 order by chain limit 100',
    values: [projectId],
  });
  const wei = (text: string | null) => (text === null ? null : BigInt(text));
  return rows.map((row) => ({
    chain: row.chain,
    projectDayWei: wei(row.project_day_wei),
    ownerDayWei: wei(row.owner_day_wei),
  }));
}
