import { randomUUID } from 'node:crypto';
import { deleteSettled, reviveExpired } from '../../../family/late/queue.ts';
import { deleteOldSpending } from '../../../family/spending/budgets.ts';
import { readNonceAccount } from '../../operation/layout.ts';
import { readAccounts } from '../../operation/node.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import { payersByBalance, watchBalances } from '../balances.ts';
import { relayLimits } from '../limits.ts';
import { deleteOldMessages } from '../queue/messages.ts';
import { solanaOperations } from '../queue/store.ts';
import type { RelayDeps } from '../types.ts';
import { growStock, type NonceStock, refreshNonces } from './stock.ts';
import { doubt, freeOverdue, holdKeeper, readFree, releaseKeeper } from './store.ts';

export interface Keeper {
  /** One round; somebody waits for nonces when `wanted`. */
  round(connection: SolanaConnection, wanted: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Looks after a chain's nonces and fee payers, in one process at a time. */
export function createKeeper(deps: RelayDeps): Keeper {
  const token = randomUUID();
  const { store, chain, feePayers, settings } = deps;
  const stock: NonceStock = {
    deps,
    addresses: feePayers.map(({ address }) => address as string),
    asked: new Map(),
  };
  let heldUntilMs = 0;
  let housekeepingAtMs = Number.NEGATIVE_INFINITY;
  let balancesAtMs = Number.NEGATIVE_INFINITY;

  async function hold(): Promise<boolean> {
    const now = performance.now();
    if (now < heldUntilMs - (settings.leaseMs * 2) / 3) return true;
    if (!(await holdKeeper(store, chain, token, settings.leaseMs))) return false;
    heldUntilMs = now + settings.leaseMs;
    return true;
  }

  return {
    async round(connection, wanted) {
      if (feePayers.length === 0 || !(await hold())) return;
      const balancePauseMs =
        payersByBalance(deps).length > 0 ? relayLimits.balanceMs : relayLimits.noBalanceMs;
      if (performance.now() - balancesAtMs >= balancePauseMs) {
        balancesAtMs = performance.now();
        await watchBalances(deps, connection);
      }
      await refreshNonces(stock, connection);
      await growStock(stock, connection, wanted);
      if (performance.now() - housekeepingAtMs < relayLimits.housekeepingMs) return;
      housekeepingAtMs = performance.now();
      await cleanUp(deps);
      await doubtMoved(deps, connection);
    },
    stop: () => releaseKeeper(store, chain, token),
  };
}

async function cleanUp({ store, chain, clock }: RelayDeps): Promise<void> {
  await freeOverdue(store, chain);
  await reviveExpired(store, solanaOperations, chain, clock.now());
  const { keepClosedDays: olderThanDays, deletePerSweepMax: countMax } = relayLimits;
  await deleteSettled(store, solanaOperations, { olderThanDays, countMax });
  await deleteOldSpending(store, 'fees', { olderThanDays, countMax });
  await deleteOldMessages(store, {
    olderThanDays: relayLimits.keepMessagesDays,
    countMax,
  });
}

/** Free nonces that have another value on the chain. */
async function doubtMoved(
  { store, chain }: RelayDeps,
  connection: SolanaConnection,
): Promise<void> {
  const free = await readFree(store, chain, relayLimits.nonceLooksMax);
  const accounts = await readAccounts(
    connection,
    free.map(({ address }) => address),
  );
  const moved = free.filter(
    ({ value }, index) => readNonceAccount(accounts[index])?.value !== value,
  );
  await doubt(
    store,
    moved.map(({ address }) => address),
  );
}
