import { randomUUID } from 'node:crypto';
import type { Db } from '../../../../store/types.ts';
import {
  type BudgetRow,
  budgetsOf,
  readOwnRows,
  rememberSpent,
  spentOf,
  writeOwnRow,
} from '../../../family/spending/sealed-budgets.ts';
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
  const { rows } = await db.query<
    Record<'day' | 'project_id' | 'owner' | 'minor' | 'stored', string>
  >({
    name: 'evm-relay-charge-gas',
    text: `
      with charge as (
        select project_id, owner, sum(wei) as wei
        from (
          select project_id, owner, wei from unnest($2::uuid[], $3::text[], $4::numeric[]) as c (project_id, owner, wei)
          union all select project_id, '', wei from unnest($2::uuid[], $4::numeric[]) as t (project_id, wei)
        ) as each group by project_id, owner
      ), charged as (
        insert into evm_gas_spent as s (day, chain, project_id, owner, spent_wei)
        select (now() at time zone 'utc')::date, $1, project_id, owner, wei from charge order by owner desc, project_id
        on conflict (day, chain, project_id, owner) do update set spent_wei = s.spent_wei + excluded.spent_wei
        returning day, project_id, owner, spent_wei
      )
      select d.day::text, d.project_id, d.owner, d.spent_wei as stored, c.wei as minor
      from charged d join charge c using (project_id, owner)`,
    values: [
      chain,
      charges.map((charge) => charge.projectId),
      charges.map((charge) => charge.owner),
      charges.map((charge) => charge.wei.toString()),
    ],
  });
  rememberSpent(
    db,
    rows.map((row) => ({
      chain,
      day: row.day,
      projectId: row.project_id,
      owner: row.owner,
      minor: BigInt(row.minor),
      stored: BigInt(row.stored),
    })),
  );
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
      | 'day'
      | 'project_id'
      | 'owner'
      | 'project_spent'
      | 'owner_spent'
      | 'project_open'
      | 'owner_open',
      string
    > & { readonly own: BudgetRow | null }
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
        where chain = $1 and status = 'held' and run_at > now() and run_at < 'infinity' and claim_token <> $4 and project_id = any($2::uuid[])
      ), open as materialized (
        select project_id, owner, sum(gas_limit) as gas from under_way group by project_id, owner
      ), project_open as (
        select project_id, sum(gas) as gas from open group by project_id
      )
      select (now() at time zone 'utc')::date::text as day, w.project_id, w.owner, coalesce(ps.spent_wei, 0) as project_spent, coalesce(os.spent_wei, 0) as owner_spent,
        coalesce(po.gas, 0) as project_open, coalesce(oo.gas, 0) as owner_open,
        case when b.id is not null then jsonb_build_object('id', b.id, 'project_id', b.project_id, 'chain', b.chain,
          'project_day', b.project_day_wei::text, 'owner_day', b.owner_day_wei::text, 'mac', b.mac) end as own
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
      input.token,
    ],
  });
  const { projectDayMaxWei: project, ownerDayMaxWei: owner } = input.bounds;
  return rows.map((row) => {
    const spent = { chain: input.chain, day: row.day, projectId: row.project_id };
    const max = budgetsOf(db, {
      table: 'evm_gas_budgets',
      row: row.own ?? undefined,
      bounds: { project, owner },
    });
    return {
      projectId: row.project_id,
      owner: row.owner,
      project: {
        spentWei: spentOf(db, { ...spent, owner: '' }, BigInt(row.project_spent)),
        openGas: BigInt(row.project_open),
        maxWei: max.project,
      },
      ownOwner: {
        spentWei: spentOf(db, { ...spent, owner: row.owner }, BigInt(row.owner_spent)),
        openGas: BigInt(row.owner_open),
        maxWei: max.owner,
      },
    };
  });
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
  await writeOwnRow(db, 'evm_gas_budgets', {
    id: randomUUID(),
    project_id: input.projectId,
    chain: input.chain,
    project_day: input.projectDayWei?.toString() ?? null,
    owner_day: input.ownerDayWei?.toString() ?? null,
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
  const rows = await readOwnRows(db, 'evm_gas_budgets', projectId);
  const wei = (text: string | null) => (text === null ? null : BigInt(text));
  return rows.map((row) => ({
    chain: row.chain,
    projectDayWei: wei(row.project_day),
    ownerDayWei: wei(row.owner_day),
  }));
}
