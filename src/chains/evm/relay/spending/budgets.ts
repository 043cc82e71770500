import type { Db } from '../../../../store/types.ts';
import {
  type Budget,
  type Charge,
  chargeBudgets,
  readBudgets as read,
} from '../../../family/spending/budgets.ts';
import { type Budgeted, sortByBudget } from '../../../family/spending/sort-by-budget.ts';
import { dayBoundsOf, type SpendingBounds } from '../../config/spending-bounds.ts';
import type { QueuedOperation } from '../queue/queue.ts';
import { marketFees } from '../queue/writer.ts';
import type { ChainState } from '../state.ts';

/** What executors pay for the operations of a project, and of one owner, in a day (UTC). */

export interface GasCharge {
  readonly projectId: string;
  readonly owner: string;
  readonly wei: bigint;
}

/** Adds what operations cost, to their owner's budget and to their project's. */
export async function chargeGas(
  db: Db,
  chain: string,
  charges: readonly GasCharge[],
): Promise<void> {
  const inMinor = charges.map(({ wei, ...whose }) => ({ ...whose, minor: wei }));
  await chargeBudgets(db, 'gas', chain, inMinor);
}

/** Sorts claimed operations by the budgets they draw on, at what gas costs now. */
export async function sortByGasBudget(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<Budgeted<QueuedOperation>> {
  if (operations.length === 0) return { within: [], waiting: [], over: new Map() };
  const { chain, network, deps } = state;
  const { maxFeeWei, tipWei } = await marketFees(state);
  const realWei = (state.head?.baseFeePerGas ?? maxFeeWei) + tipWei;
  const priceWei = realWei < maxFeeWei ? realWei : maxFeeWei;
  const withCosts = operations.map((one) => ({ ...one, costMax: one.gasLimit * priceWei }));
  return sortByBudget(deps.store, withCosts, {
    chain,
    kind: 'gas',
    unit: 'wei',
    bounds: dayBoundsOf(network.bounds),
    async readOpen(projectIds) {
      const open = await readOpenGas(deps.store, { chain, token, projectIds });
      return open.map((one) => ({ ...one, minor: one.minor * priceWei }));
    },
  });
}

export interface GasBudget extends Pick<Budget, 'projectId' | 'owner'> {
  readonly project: GasPurse;
  readonly ownOwner: GasPurse;
}

interface GasPurse {
  readonly spentWei: bigint;
  /** The most that open transactions, and those that are being prepared, may still take. */
  readonly openGas: bigint;
  readonly maxWei: bigint;
}

export interface BudgetsInput {
  readonly chain: string;
  /** The claim that asks. */
  readonly token: string;
  readonly pairs: readonly Pick<GasCharge, 'projectId' | 'owner'>[];
  readonly bounds: SpendingBounds;
}

/** How the budgets of these projects and owners stand, one row for each pair. */
export async function readBudgets(
  db: Db,
  { chain, token, pairs, bounds }: BudgetsInput,
): Promise<GasBudget[]> {
  const projectIds = pairs.map(({ projectId }) => projectId);
  const open = await readOpenGas(db, { chain, token, projectIds });
  const purse = ({ spent, open: openGas, max }: Budget['project']): GasPurse => ({
    spentWei: spent,
    openGas,
    maxWei: max,
  });
  const budgets = await read(db, { chain, pairs, open, bounds: dayBoundsOf(bounds), kind: 'gas' });
  return budgets.map(({ project, ownOwner, ...whose }) => ({
    ...whose,
    project: purse(project),
    ownOwner: purse(ownOwner),
  }));
}

/**
 * Gas of open transactions, as amounts of charges. What other claims hold and may be about to send
 * counts as open: of two that claim at once, and then read, at least one sees the other's. Seals are
 * not looked at: a written row may take from a budget, and gives nothing back to it.
 */
async function readOpenGas(
  db: Db,
  {
    chain,
    token,
    projectIds,
  }: Pick<BudgetsInput, 'chain' | 'token'> & { readonly projectIds: readonly string[] },
): Promise<Charge[]> {
  const { rows } = await db.query<Record<'project_id' | 'owner' | 'gas', string>>({
    name: 'evm-relay-open-gas',
    text: `
      select project_id, owner, sum(greatest(gas_limit, 0)) as gas
      from (
        select o.project_id, o.owner, o.gas_limit
        from evm_sends s join evm_operations o on o.send_id = s.id
        where s.chain = $1 and s.status = 'pending' and o.status = 'sent' and o.project_id = any($2::uuid[])
        union all
        select project_id, owner, gas_limit from evm_operations
        where chain = $1 and status = 'held' and run_at > now() and run_at < 'infinity' and claim_token <> $3 and project_id = any($2::uuid[])
      ) as under_way group by project_id, owner`,
    values: [chain, projectIds, token],
  });
  return rows.map(({ project_id: projectId, owner, gas }) => ({
    projectId,
    owner,
    minor: BigInt(gas),
  }));
}
