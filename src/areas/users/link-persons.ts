import type { Tx } from '../../store/types.ts';
import type { AccessCtx } from './access.ts';
import type { User } from './record.ts';
import { saveRecord } from './save-record.ts';
import { moveLocators, movePersons } from './store.ts';

/**
 * Makes two locked users one person: they turned out to be the same. The one with data stays, else
 * the older one; what hangs on the other stays where it is and is found through the person.
 * @returns the person, or undefined when both have data: nobody can say which of it is true
 */
export async function linkPersons(
  ctx: AccessCtx,
  tx: Tx,
  a: User,
  b: User,
): Promise<User | undefined> {
  if (a.hasData && b.hasData) return undefined;
  const [stays, goes] = b.hasData || (!a.hasData && b.createdAt < a.createdAt) ? [b, a] : [a, b];
  await moveLocators(tx, { fromId: goes.id, toId: stays.id });
  await movePersons(tx, { fromId: goes.id, toId: stays.id });
  const accepted = new Set(stays.record.legalDocuments.map((document) => document.type));
  return saveRecord(ctx, tx, stays, {
    record: {
      ...stays.record,
      locators: [...new Set([...stays.record.locators, ...goes.record.locators])],
      legalDocuments: [
        ...stays.record.legalDocuments,
        ...goes.record.legalDocuments.filter((document) => !accepted.has(document.type)),
      ],
    },
  });
}
