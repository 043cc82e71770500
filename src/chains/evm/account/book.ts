import { randomUUID } from 'node:crypto';
import type { Budget, readBudgets as read } from '../../family/spending/budgets.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { type GasBudget, readBudgets } from '../relay/spending/budgets.ts';

/** The budgets for gas (`purser gas`), on which operations of executors draw too. */
export function createReadGasBudgets(
  network: EvmNetwork,
  readPriceWei: () => Promise<bigint>,
): typeof read {
  return async (db, { chain, pairs, open }) => {
    const budgets = await readBudgets(db, {
      chain,
      // No claim of the executors' queue.
      token: randomUUID(),
      pairs,
      bounds: network.bounds,
    });
    const hasOpen = budgets.some(({ project }) => project.openGas > 0n);
    const priceWei = hasOpen ? await readPriceWei() : 0n;
    const openOf = (isOwn: (one: (typeof open)[number]) => boolean) =>
      open.filter(isOwn).reduce((sum, { minor }) => sum + minor, 0n);
    return budgets.map(({ projectId, owner, project, ownOwner }): Budget => {
      const purse = (gas: GasBudget['project'], openWei: bigint) => ({
        spent: gas.spentWei,
        max: gas.maxWei,
        open: gas.openGas * priceWei + openWei,
      });
      return {
        projectId,
        owner,
        project: purse(
          project,
          openOf((one) => one.projectId === projectId),
        ),
        ownOwner: purse(
          ownOwner,
          openOf((one) => one.projectId === projectId && one.owner === owner),
        ),
      };
    });
  };
}
