import type { Db } from '../../../store/types.ts';
import { type Finding, type Looker, unitsOf } from '../types.ts';

/** Entries on treasuries and bank accounts: each stands for something that moved. */

interface EntryFact {
  readonly reference: string;
  readonly kind: string;
  readonly isBacked: boolean;
  readonly legs: readonly (readonly [account: string, asset: string, minor: string])[];
}

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

async function selectEntryFacts(
  db: Db,
  input: { projectId: string; references: readonly string[] },
): Promise<EntryFact[]> {
  const { rows } = await db.query<EntryFact>({
    name: 'reconciliation-entries',
    text: `select e.reference, e.kind, case
        when e.reference ~ '^deposit:${uuid}:(final|retracted):' then
          exists (select from deposits where id = split_part(e.reference, ':', 2)::uuid)
        when e.reference ~ '^withdrawal:${uuid}$' then exists (select from treasury_transfers where id = split_part(e.reference, ':', 2)::uuid)
        when e.reference ~ '^refund:${uuid}:(final|retracted):' then exists (select from order_refunds r
          join treasury_transfers t on t.id = r.transfer_id where r.id = split_part(e.reference, ':', 2)::uuid)
        when e.reference ~ '^order-delivery:${uuid}(/[0-9]+)?$' and e.data->>'transferId' ~ '^${uuid}$' then
          exists (select from treasury_transfers where id = (e.data->>'transferId')::uuid)
        else e.reference ~ '^payout:${uuid}(:|$)' end as "isBacked",
      coalesce((select json_agg(json_build_array(p.account, p.asset, (p.posted_minor + p.pending_minor)::text)) from ledger_postings p
        where p.entry_id = e.id and (p.account like 'chain:%:treasury' or p.account like 'bank:%')), '[]'::json) as legs
      from ledger_entries e where e.project_id = $1 and e.hold_id is null and e.reference = any($2::text[])`,
    values: [input.projectId, input.references],
  });
  return rows;
}

/** Whatever a payout's entries say is compared with the payout itself. */
export const lookAtEntries: Looker = async (ctx, { projectId, objects: references }) => {
  const facts = await selectEntryFacts(ctx.store, { projectId, references });
  const findings = facts
    .filter(({ isBacked }) => !isBacked)
    .flatMap(({ reference, kind, legs }) =>
      legs.map(
        ([account, asset, minor]): Finding => ({
          comparison: 'entry',
          object: reference,
          aspect: account,
          asset,
          expectedMinor: 0n,
          foundMinor: BigInt(minor),
          problem: `the ledger has an entry ${reference} (${kind}) of ${unitsOf(BigInt(minor), asset)} on ${account}, and nothing that moved stands behind it`,
        }),
      ),
    );
  return { findings };
};

/** What entries with these references are about. */
export function targetsOfReference(reference: string): {
  readonly deposit?: string;
  readonly payout?: string;
} {
  const [kind, id] = reference.split(':');
  if (id === undefined || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return {};
  if (kind === 'deposit') return { deposit: id };
  return kind === 'payout' ? { payout: id } : {};
}
