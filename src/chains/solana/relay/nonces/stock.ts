import { recordSpending } from '../../../family/spending/budgets.ts';
import { readNonceAccount } from '../../operation/layout.ts';
import { readAccounts } from '../../operation/node.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import { ownFee, payersByBalance } from '../balances.ts';
import { relayLimits } from '../limits.ts';
import type { RelayDeps } from '../types.ts';
import { makeNonces, nonceRentMax, type PlannedNonce, planNonces } from './make.ts';
import { addNonces, claimDue, countNonces, lastSeed, setValues } from './store.ts';

/** The nonces of a chain, and which of them are being made from here. */
export interface NonceStock {
  readonly deps: RelayDeps;
  /** Of the fee payers. */
  readonly addresses: readonly string[];
  /**
   * When the making of a nonce was last sent from here, and how long it has before it is sent
   * again.
   */
  readonly asked: Map<string, { readonly atMs: number; readonly pauseMs: number }>;
}

/** Nonces that were made or used get the values that the chain has now. */
export async function refreshNonces(
  stock: NonceStock,
  connection: SolanaConnection,
): Promise<void> {
  const { chain, store } = stock.deps;
  const due = await claimDue(store, {
    chain,
    feePayers: stock.addresses,
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
        'fees',
        chain,
        made.reduce((sum, rent) => sum + rent, fees),
      );
    });
  for (const { address } of values) stock.asked.delete(address);
  const missing = due.filter(
    (one, index) =>
      one.status === 'made' && !readNonceAccount(accounts[index]) && isLate(stock, one),
  );
  await make(stock, connection, missing);
}

/** Plans and makes nonces until enough are ready; twice as many when somebody waits for one. */
export async function growStock(
  stock: NonceStock,
  connection: SolanaConnection,
  wanted: boolean,
): Promise<void> {
  const { chain, store, settings } = stock.deps;
  const payers = payersByBalance(stock.deps);
  const { free, coming, total } = await countNonces(store, chain, {
    all: stock.addresses,
    able: payers.map(({ address }) => address),
  });
  const ready = wanted && free === 0 ? relayLimits.noncesReady * 2 : relayLimits.noncesReady;
  const count = Math.min(
    ready - free - coming,
    settings.noncesMax - total,
    relayLimits.noncesPerRound,
  );
  if (count <= 0) return;
  const [payer] = payers;
  if (!payer) return;
  const seed = await lastSeed(store, chain, payer.address);
  const nonces = await planNonces(payer.address, seed, count);
  await addNonces(store, chain, nonces);
  await make(stock, connection, nonces);
}

/**
 * A transaction that landed late beside another one fails, and costs its fee: hence the growing
 * pauses.
 */
function isLate(
  { asked }: NonceStock,
  { address, ageMs }: { readonly address: string; readonly ageMs: number },
): boolean {
  const last = asked.get(address);
  return last ? performance.now() - last.atMs > last.pauseMs : ageMs > relayLimits.nonceMakeAgainMs;
}

async function make(
  { asked, deps }: NonceStock,
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
  for (const payer of deps.feePayers) {
    const own = nonces.filter(({ feePayer }) => feePayer === payer.address);
    for (let start = 0; start < own.length; start += relayLimits.noncesPerTransaction)
      await makeNonces(
        connection,
        payer,
        own.slice(start, start + relayLimits.noncesPerTransaction),
      );
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
