import type { Db } from '../../../store/types.ts';
import { type BudgetsInput, type Charge, readBudgets } from './budgets.ts';
import { type FeeKind, feeTables } from './fee-tables.ts';

/** What a relay has before it, as far as budgets ask. */
export interface BudgetedOperation extends Omit<Charge, 'minor'> {
  /** The most that it may cost the service, in the smallest unit of the native token. */
  readonly costMax: bigint;
}

/** What the budgets of projects and owners say to claimed operations. */
export interface Budgeted<Operation> {
  readonly within: readonly Operation[];
  /** There is a budget left, and what is under way may take it. */
  readonly waiting: readonly Operation[];
  /** With the sentence that says what to do. */
  readonly over: ReadonlyMap<Operation, string>;
}

export interface SortInput extends Pick<BudgetsInput, 'chain' | 'bounds' | 'kind'> {
  /** How people call the smallest unit, e.g. `lamports`. */
  readonly unit: string;
  /** What is under way for these projects. */
  readonly readOpen: (projectIds: readonly string[]) => Promise<readonly Charge[]>;
  /** Of another book than that of the tables. */
  readonly readBudgets?: typeof readBudgets;
}

interface Open {
  readonly spent: bigint;
  readonly max: bigint;
  open: bigint;
}

/**
 * Sorts claimed operations by the budgets they draw on. One operation alone may go beyond what is
 * left, by no more than its cap.
 */
export async function sortByBudget<Operation extends BudgetedOperation>(
  db: Db,
  operations: readonly Operation[],
  { chain, bounds, unit, kind, readOpen, readBudgets: read = readBudgets }: SortInput,
): Promise<Budgeted<Operation>> {
  const sorted = {
    within: [] as Operation[],
    waiting: [] as Operation[],
    over: new Map<Operation, string>(),
  };
  if (operations.length === 0) return sorted;
  const projects = new Map<string, Open>();
  const owners = new Map<string, Open>();
  const open = await readOpen([...new Set(operations.map(({ projectId }) => projectId))]);
  for (const budget of await read(db, { chain, pairs: operations, bounds, open, kind })) {
    projects.set(budget.projectId, { ...budget.project });
    owners.set(keyOf(budget), { ...budget.ownOwner });
  }
  for (const operation of operations) {
    const [project, owner] = [projects.get(operation.projectId)!, owners.get(keyOf(operation))!];
    const empty = [project, owner].find(({ spent, max }) => spent >= max);
    if (empty)
      sorted.over.set(
        operation,
        overSentence(chain, {
          ...empty,
          unit,
          kind,
          whose: empty === project ? 'project' : 'owner of the wallet',
        }),
      );
    else if (
      [project, owner].some(
        (purse) => purse.open > 0n && purse.spent + purse.open + operation.costMax > purse.max,
      )
    )
      sorted.waiting.push(operation);
    else {
      sorted.within.push(operation);
      for (const purse of [project, owner]) purse.open += operation.costMax;
    }
  }
  return sorted;
}

const keyOf = ({ projectId, owner }: Omit<Charge, 'minor'>) => `${projectId} ${owner}`;

interface Over {
  readonly spent: bigint;
  readonly max: bigint;
  readonly unit: string;
  readonly kind: FeeKind;
  readonly whose: string;
}

function overSentence(chain: string, { spent, max, unit, kind, whose }: Over): string {
  return `The ${feeTables[kind].word} budget of the ${whose} on ${chain} is used up for today: ${spent} of ${max} ${unit} are spent. Create it again after 00:00 UTC, or ask the operator of the service for more (purser gas).`;
}
