import type { Db } from '../../../../store/types.ts';
import type { OpenOperation } from '../queue/store.ts';
import { readBudgets, type SpendingBounds } from './budgets.ts';

/** What the budgets of projects and owners say to claimed operations. */
export interface Budgeted {
  readonly within: readonly OpenOperation[];
  /** There is a budget left, and what is under way may take it. */
  readonly waiting: readonly OpenOperation[];
  /** With the sentence that says what to do. */
  readonly over: ReadonlyMap<OpenOperation, string>;
}

interface Open {
  readonly spent: bigint;
  readonly max: bigint;
  open: bigint;
}

/** Sorts claimed operations by the budgets they draw on. One operation alone may go beyond what is left, by no more than its cap. */
export async function sortByBudget(
  db: Db,
  operations: readonly OpenOperation[],
  { chain, bounds }: { readonly chain: string; readonly bounds: SpendingBounds },
): Promise<Budgeted> {
  const sorted = { within: [] as OpenOperation[], waiting: [] as OpenOperation[], over: new Map<OpenOperation, string>() };
  if (operations.length === 0) return sorted;
  const projects = new Map<string, Open>();
  const owners = new Map<string, Open>();
  for (const budget of await readBudgets(db, { chain, pairs: operations, bounds })) {
    projects.set(budget.projectId, { ...budget.project });
    owners.set(keyOf(budget), { ...budget.ownOwner });
  }
  for (const operation of operations) {
    const [project, owner] = [projects.get(operation.projectId)!, owners.get(keyOf(operation))!];
    const empty = [project, owner].find(({ spent, max }) => spent >= max);
    if (empty) sorted.over.set(operation, overSentence(chain, empty, empty === project ? 'project' : 'owner of the wallet'));
    else if ([project, owner].some(({ spent, open, max }) => open > 0n && spent + open + operation.costMax > max))
      sorted.waiting.push(operation);
    else {
      sorted.within.push(operation);
      for (const purse of [project, owner]) purse.open += operation.costMax;
    }
  }
  return sorted;
}

const keyOf = ({ projectId, owner }: { readonly projectId: string; readonly owner: string }) => `${projectId} ${owner}`;

function overSentence(chain: string, { spent, max }: Open, whose: string): string {
  return `The fee budget of the ${whose} on ${chain} is used up for today: ${spent} of ${max} lamports are spent. Create it again after 00:00 UTC, or ask the operator of the service for more.`;
}
