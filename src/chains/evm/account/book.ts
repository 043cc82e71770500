import { randomUUID } from 'node:crypto';
import type { LateBook } from '../../family/late/types.ts';
import type { Budget } from '../../family/spending/budgets.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { chargeGas, type GasBudget, readBudgets } from '../relay/spending/budgets.ts';
import { recordSpending } from '../relay/spending/spending.ts';

/** The budgets for gas (`purser gas`), as operations of the relay of intents draw on them. */
export function createGasBook(network: EvmNetwork, readPriceWei: () => Promise<bigint>): LateBook {
  return {
    async readBudgets(db, { chain, pairs, open }) {
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
    },
    async charge(db, chain, charges) {
      await recordSpending(
        db,
        chain,
        charges.reduce((sum, { minor }) => sum + minor, 0n),
      );
      await chargeGas(
        db,
        chain,
        charges
          .filter(({ minor }) => minor > 0n)
          .map(({ projectId, owner, minor }) => ({ projectId, owner, wei: minor })),
      );
    },
  };
}
