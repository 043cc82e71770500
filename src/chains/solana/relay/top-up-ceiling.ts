import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../store/types.ts';
import type { RelayDeps } from './types.ts';

/** What fee payers get in 24 hours is bounded, over processes and restarts; remembered before it is sent. */
export async function allowTopUp({ store, chain, settings }: RelayDeps, lamports: bigint): Promise<string | undefined> {
  const max = settings.topUpDayMaxLamports;
  const given = await store.transaction((tx) => rememberTopUp(tx, { chain, lamports, max }));
  if (given === undefined) return undefined;
  return `Fee payers got ${given} lamports in 24 hours, and with ${lamports} more it would be over ${max}: look for whoever causes it, or raise SOLANA_TOP_UP_DAY_MAX_LAMPORTS.`;
}

/** @returns what was given in 24 hours, when this would be too much */
async function rememberTopUp(
  tx: Tx,
  { chain, lamports, max }: { readonly chain: string; readonly lamports: bigint; readonly max: bigint },
): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ given: string }>({
    name: 'solana-relay-top-ups-given',
    text: `select coalesce(sum(lamports), 0) as given from solana_top_ups_given where chain = $1 and created_at > now() - interval '24 hours'`,
    values: [chain],
  });
  const given = BigInt(rows[0]!.given);
  if (given + lamports > max) return given;
  await tx.query({
    name: 'solana-relay-top-up',
    text: 'insert into solana_top_ups_given (id, chain, lamports) values ($1, $2, $3)',
    values: [randomUUID(), chain, lamports.toString()],
  });
  await tx.query({
    name: 'solana-relay-top-ups-prune',
    text: `delete from solana_top_ups_given where chain = $1 and created_at < now() - interval '7 days'`,
    values: [chain],
  });
  return undefined;
}
