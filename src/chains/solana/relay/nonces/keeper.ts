import { randomUUID } from 'node:crypto';
import { recordSpending } from '../../../family/spending/budgets.ts';
import { readNonceAccount } from '../../operation/layout.ts';
import { readAccounts } from '../../operation/node.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import { ownFee, payersByBalance, watchBalances } from '../balances.ts';
import { relayLimits } from '../limits.ts';
import { deleteOldMessages } from '../queue/messages.ts';
import { deleteClosed, reviveExpired } from '../queue/store.ts';
import type { RelayDeps } from '../types.ts';
import { makeNonces, nonceRentMax, type PlannedNonce, planNonces } from './make.ts';
import {
  addNonces,
  countNonces,
  doubt,
  freeOverdue,
  holdKeeper,
  lastSeed,
  readFree,
  releaseKeeper,
  setValues,
  takeDue,
} from './store.ts';

export interface Keeper {
  /** One round; somebody waits for nonces when `wanted`. */
  round(connection: SolanaConnection, wanted: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Looks after a chain's nonces and fee payers, in one process at a time. */
export function createKeeper(deps: RelayDeps): Keeper {
  const token = randomUUID();
  const { store, chain, feePayers } = deps;
  const addresses = feePayers.map(({ address }) => address as string);
  /**
   * When the making of a nonce was last sent from here, and how long it has before it is sent
   * again.
   */
  const asked = new Map<string, { readonly atMs: number; readonly pauseMs: number }>();
  let heldUntilMs = 0;
  let housekeepingAtMs = Number.NEGATIVE_INFINITY;
  let balancesAtMs = Number.NEGATIVE_INFINITY;

  async function hold(): Promise<boolean> {
    const now = performance.now();
    if (now < heldUntilMs - (deps.settings.leaseMs * 2) / 3) return true;
    if (!(await holdKeeper(store, chain, token, deps.settings.leaseMs))) return false;
    heldUntilMs = now + deps.settings.leaseMs;
    return true;
  }

  /** Nonces that were made or used get the values that the chain has now. */
  async function look(connection: SolanaConnection): Promise<void> {
    const due = await takeDue(store, {
      chain,
      feePayers: addresses,
      pauseMs: relayLimits.nonceLookPauseMs,
      limit: relayLimits.nonceLooksMax,
    });
    if (due.length === 0) return;
    const accounts = await readAccounts(
      connection,
      due.map(({ address }) => address),
    );
    const values = due.flatMap(({ address, feePayer }, index) => {
      const nonce = readNonceAccount(accounts[index]);
      return nonce?.authority === feePayer ? [{ address, value: nonce.value }] : [];
    });
    const rents = new Map(
      due.flatMap(({ address, status }, index) =>
        status === 'made' ? [[address, least(accounts[index]?.lamports ?? 0n, nonceRentMax)]] : [],
      ),
    );
    if (values.length > 0)
      await store.transaction(async (tx) => {
        const made = (await setValues(tx, values)).flatMap((address) => rents.get(address) ?? []);
        const fees = ownFee * BigInt(Math.ceil(made.length / relayLimits.noncesPerTransaction));
        await recordSpending(
          tx,
          chain,
          made.reduce((sum, rent) => sum + rent, fees),
        );
      });
    for (const { address } of values) asked.delete(address);
    const missing = due.filter(
      (one, index) => one.status === 'made' && !readNonceAccount(accounts[index]) && isLate(one),
    );
    await make(connection, missing);
  }

  /**
   * A transaction that landed late beside another one fails, and costs its fee: hence the growing
   * pauses.
   */
  function isLate({
    address,
    ageMs,
  }: {
    readonly address: string;
    readonly ageMs: number;
  }): boolean {
    const last = asked.get(address);
    return last
      ? performance.now() - last.atMs > last.pauseMs
      : ageMs > relayLimits.nonceMakeAgainMs;
  }

  async function grow(connection: SolanaConnection, wanted: boolean): Promise<void> {
    const { free, coming, total } = await countNonces(store, chain, addresses);
    const ready = wanted && free === 0 ? relayLimits.noncesReady * 2 : relayLimits.noncesReady;
    const count = Math.min(
      ready - free - coming,
      deps.settings.noncesMax - total,
      relayLimits.noncesPerRound,
    );
    if (count <= 0) return;
    const [payer] = payersByBalance(deps);
    if (!payer) return;
    const nonces = await planNonces(
      payer.address,
      await lastSeed(store, chain, payer.address),
      count,
    );
    await addNonces(store, chain, nonces);
    await make(connection, nonces);
  }

  async function make(
    connection: SolanaConnection,
    nonces: readonly PlannedNonce[],
  ): Promise<void> {
    for (const { address } of nonces) {
      const last = asked.get(address);
      const pauseMs = last
        ? Math.min(last.pauseMs * 2, relayLimits.nonceMakeAgainMaxMs)
        : relayLimits.nonceMakeAgainMs;
      asked.set(address, { atMs: performance.now(), pauseMs });
    }
    for (const payer of feePayers) {
      const own = nonces.filter(({ feePayer }) => feePayer === payer.address);
      for (let start = 0; start < own.length; start += relayLimits.noncesPerTransaction)
        await makeNonces(
          connection,
          payer,
          own.slice(start, start + relayLimits.noncesPerTransaction),
        );
    }
  }

  async function keepHouse(connection: SolanaConnection): Promise<void> {
    if (performance.now() - housekeepingAtMs < relayLimits.housekeepingMs) return;
    housekeepingAtMs = performance.now();
    await freeOverdue(store, chain);
    await reviveExpired(store, chain, deps.clock.now());
    await deleteClosed(store, {
      olderThanDays: relayLimits.keepClosedDays,
      countMax: relayLimits.deletePerSweepMax,
    });
    await deleteOldMessages(store, {
      olderThanDays: relayLimits.keepMessagesDays,
      countMax: relayLimits.deletePerSweepMax,
    });
    const free = await readFree(store, chain, relayLimits.nonceLooksMax);
    const accounts = await readAccounts(
      connection,
      free.map(({ address }) => address),
    );
    await doubt(
      store,
      free
        .filter(({ value }, index) => readNonceAccount(accounts[index])?.value !== value)
        .map(({ address }) => address),
    );
  }

  async function keepBalances(connection: SolanaConnection): Promise<void> {
    const pauseMs =
      payersByBalance(deps).length > 0 ? relayLimits.balanceMs : relayLimits.noBalanceMs;
    if (performance.now() - balancesAtMs < pauseMs) return;
    balancesAtMs = performance.now();
    await watchBalances(deps, connection);
  }

  return {
    async round(connection, wanted) {
      if (feePayers.length === 0 || !(await hold())) return;
      await keepBalances(connection);
      await look(connection);
      await grow(connection, wanted);
      await keepHouse(connection);
    },
    stop: () => releaseKeeper(store, chain, token),
  };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
