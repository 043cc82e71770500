import type { QueuedOperation } from '../queue/queue.ts';
import { marketFees } from '../queue/writer.ts';
import type { ChainState } from '../state.ts';
import { readBudgets } from './budgets.ts';

/** What the budgets of projects and owners say to claimed operations. */
export interface Budgeted {
  readonly within: readonly QueuedOperation[];
  /** There is a budget left, and what is under way may take it. */
  readonly waiting: readonly QueuedOperation[];
  /** With the sentence that says what to do. */
  readonly over: ReadonlyMap<QueuedOperation, string>;
}

interface Purse {
  readonly spentWei: bigint;
  readonly maxWei: bigint;
  openGas: bigint;
}

/**
 * Sorts claimed operations by the budgets they draw on. One operation alone may go beyond what is
 * left, by no more than its cap.
 */
export async function sortByBudget(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<Budgeted> {
  if (operations.length === 0) return { within: [], waiting: [], over: new Map() };
  const { maxFeeWei, tipWei } = await marketFees(state);
  const realWei = (state.head?.baseFeePerGas ?? maxFeeWei) + tipWei;
  const priceWei = realWei < maxFeeWei ? realWei : maxFeeWei;
  const projects = new Map<string, Purse>();
  const owners = new Map<string, Purse>();
  const { chain, network, deps } = state;
  for (const budget of await readBudgets(deps.store, {
    chain,
    token,
    pairs: operations,
    bounds: network.bounds,
  })) {
    projects.set(budget.projectId, { ...budget.project });
    owners.set(keyOf(budget), { ...budget.ownOwner });
  }
  const within: QueuedOperation[] = [];
  const waiting: QueuedOperation[] = [];
  const over = new Map<QueuedOperation, string>();
  for (const operation of operations) {
    const [project, owner] = [projects.get(operation.projectId)!, owners.get(keyOf(operation))!];
    const empty = [project, owner].find(({ spentWei, maxWei }) => spentWei >= maxWei);
    if (empty)
      over.set(
        operation,
        overSentence(state.chain, empty, empty === project ? 'project' : 'owner of the wallet'),
      );
    else if (
      [project, owner].some((purse) => isTakenUp(purse, operation.gasLimit * priceWei, priceWei))
    )
      waiting.push(operation);
    else {
      within.push(operation);
      for (const purse of [project, owner]) purse.openGas += operation.gasLimit;
    }
  }
  return { within, waiting, over };
}

const keyOf = ({ projectId, owner }: { readonly projectId: string; readonly owner: string }) =>
  `${projectId} ${owner}`;

function isTakenUp(
  { spentWei, maxWei, openGas }: Purse,
  costWei: bigint,
  priceWei: bigint,
): boolean {
  return openGas > 0n && spentWei + openGas * priceWei + costWei > maxWei;
}

function overSentence(chain: string, { spentWei, maxWei }: Purse, whose: string): string {
  return `The gas budget of the ${whose} on ${chain} is used up for today: ${spentWei} of ${maxWei} wei are spent. Create it again after 00:00 UTC, or ask the operator of the service for more (purser gas).`;
}
