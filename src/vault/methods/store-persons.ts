import type { Tx } from '../../store/types.ts';

interface LiveRow {
  id: string;
  fingerprint: string;
  is_default: boolean;
  person_id: string;
}

/**
 * Makes the methods of locked persons those of another locked one. Of several with the same account the oldest stays and the
 * others lead to it; the default of `to` stays the default, else the oldest other one.
 * @returns ids of the methods that gave way
 */
export async function joinMethods(
  tx: Tx,
  input: { readonly from: readonly string[]; readonly to: string; readonly at: Date },
): Promise<{ readonly joined: readonly string[] }> {
  const { from, to, at } = input;
  const { rows: live } = await tx.query<LiveRow>({
    name: 'payment-methods-of-persons',
    text: `select id, encode(fingerprint, 'hex') as fingerprint, is_default, person_id from payment_methods
           where person_id = any($1::uuid[]) and deleted_at is null order by created_at, id`,
    values: [[to, ...from]],
  });
  const kept = new Map<string, string>();
  for (const row of live) if (!kept.has(row.fingerprint)) kept.set(row.fingerprint, row.id);
  const gone = live.filter((row) => kept.get(row.fingerprint) !== row.id);
  const chosen = live.find((row) => row.is_default && row.person_id === to) ?? live.find((row) => row.is_default);
  const defaultId = chosen && kept.get(chosen.fingerprint)!;

  await tx.query({
    name: 'payment-methods-join-defaults',
    text: `update payment_methods set is_default = false, updated_at = $3
           where person_id = any($1::uuid[]) and is_default and deleted_at is null and id is distinct from $2`,
    values: [[to, ...from], defaultId ?? null, at],
  });
  await tx.query({
    name: 'payment-methods-join-duplicates',
    text: `update payment_methods m set deleted_at = $3, updated_at = $3, is_default = false, merged_into = g.stays
           from unnest($1::uuid[], $2::uuid[]) as g(id, stays) where m.id = g.id or m.merged_into = g.id`,
    values: [gone.map((row) => row.id), gone.map((row) => kept.get(row.fingerprint)!), at],
  });
  await tx.query({
    name: 'payment-methods-join',
    text: 'update payment_methods set person_id = $2 where person_id = any($1::uuid[])',
    values: [from, to],
  });
  await tx.query({
    name: 'payment-methods-join-default',
    text: 'update payment_methods set is_default = true, updated_at = $2 where id = $1 and not is_default',
    values: [defaultId ?? null, at],
  });
  return { joined: gone.map((row) => row.id) };
}

/** Takes the content of everything under destroyed keys away, deleted methods included. @returns how many */
export async function wipeMethods(tx: Tx, input: { readonly userKeyIds: readonly string[]; readonly at: Date }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'payment-methods-wipe',
    text: `update payment_methods set sealed_details = '', sealed_account = '', fingerprint = null, is_default = false,
             deleted_at = coalesce(deleted_at, $2), updated_at = $2
           where user_key_id = any($1::uuid[])`,
    values: [input.userKeyIds, input.at],
  });
  return rowCount;
}
