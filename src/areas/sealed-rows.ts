import { families } from '../chains/families.ts';
import { sealedBudgets } from '../chains/family/spending/sealed-budgets.ts';
import { sealedOutbox, sealedParked } from '../jobs/index.ts';
import { acceptRow, findChanged, lookAtRow, type SeenRow } from '../store/accept-row.ts';
import { resealTable, type SealedTable } from '../store/row-mac.ts';
import type { Store } from '../store/types.ts';
import { sealedActions, sealedCheckouts } from './agent-checkouts/index.ts';
import { sealedApiKeys } from './api-keys/index.ts';
import { sealedApprovalPages } from './approval-page/index.ts';
import { sealedOffers } from './collections/index.ts';
import { sealedEntries, sealedIdentitySettings, sealedReviews } from './identity/index.ts';
import { sealedAuditHead } from './operations/index.ts';
import { sealedOperators, sealedSessions } from './operator/index.ts';
import { sealedLimitUsage, sealedLimitUses } from './order-limits/index.ts';
import { sealedOrderSettings, sealedOrders, sealedRefunds } from './orders/index.ts';
import { sealedIssuers } from './projects/index.ts';
import { sealedSignatures } from './signatures/index.ts';
import { sealedTransactions } from './transactions/index.ts';
import { sealedLocators, sealedPersons } from './users/index.ts';
import { sealedWallets } from './wallets/index.ts';
import { sealedEndpoints, sealedEvents } from './webhooks/index.ts';

/** Every table whose rows decide who may act, or whom money goes to. */
const tables: readonly SealedTable[] = [
  sealedApiKeys,
  sealedIssuers,
  sealedWallets,
  sealedTransactions,
  sealedSignatures,
  sealedOrders,
  sealedRefunds,
  sealedOrderSettings,
  sealedLimitUsage,
  sealedLimitUses,
  ...sealedBudgets,
  sealedOffers,
  sealedActions,
  sealedCheckouts,
  sealedPersons,
  sealedLocators,
  sealedOperators,
  sealedSessions,
  sealedAuditHead,
  sealedEndpoints,
  sealedEvents,
  sealedOutbox,
  sealedParked,
  sealedEntries,
  sealedReviews,
  sealedIdentitySettings,
  sealedApprovalPages,
];

/** With those of the chains. */
async function allTables(): Promise<readonly SealedTable[]> {
  const ofFamilies = await Promise.all(
    families.map(async ({ code }) => (await code?.loadSealedTables?.()) ?? []),
  );
  return [...tables, ...ofFamilies.flat()];
}

/**
 * Seals all of them with the first of KEY_ENCRYPTION_KEYS, so that an older one can be removed.
 * @returns how many rows
 */
export async function resealRows(store: Store): Promise<number> {
  let sealed = 0;
  for (const table of await allTables()) sealed += await resealTable(store, table);
  return sealed;
}

/** How many rows each key seals. */
export async function countSealedRows(store: Store): Promise<{ keyId: string; count: number }[]> {
  const counts = new Map<string, number>();
  for (const { table, where = 'true' } of await allTables()) {
    const { rows } = await store.query<{ key_id: string; count: number }>({
      // Behind the key's id stand a dot and 43 digits of base64url.
      text: `select left(mac, -44) as key_id, count(*)::int as count from ${table} where length(mac) > 44 and ${where} group by 1 limit 1000`,
    });
    for (const row of rows) counts.set(row.key_id, (counts.get(row.key_id) ?? 0) + row.count);
  }
  return [...counts].map(([keyId, count]) => ({ keyId, count }));
}

/**
 * A row of one of these tables as it is now.
 * @returns undefined when there is none that carries a seal.
 * @throws UnknownTable
 */
export async function lookAtSealedRow(
  store: Store,
  table: string,
  id: string,
): Promise<SeenRow | undefined> {
  return lookAtRow(store, await tableNamed(table), id);
}

/**
 * Seals a row as an operator has seen it.
 * @returns false when it is not as it was seen any more.
 * @throws UnknownTable
 */
export async function acceptSealedRow(
  store: Store,
  { table, ...seen }: { readonly table: string; readonly id: string; readonly digest: string },
): Promise<boolean> {
  return acceptRow(store, await tableNamed(table), seen);
}

/** Every row whose seal is wrong or missing. */
export async function* findChangedRows(
  store: Store,
): AsyncGenerator<{ table: string; id: string; why: string }> {
  yield* findChanged(store, await allTables());
}

/** No table of that name carries seals. */
export class UnknownTable extends Error {}

async function tableNamed(name: string): Promise<SealedTable> {
  const all = await allTables();
  const found = all.find(({ table }) => table === name);
  if (!found)
    throw new UnknownTable(
      `No rows of "${name}" carry seals. Those of ${all
        .map(({ table }) => table)
        .sort()
        .join(', ')} do.`,
    );
  return found;
}
