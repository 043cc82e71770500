import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createMicroBatcher, type MicroBatcher } from '../../store/micro-batch.ts';
import { isUniqueViolation } from '../../store/pg-errors.ts';
import type { Store } from '../../store/types.ts';
import { insertSignatures, type SignatureRecord } from './store.ts';

/** Requests that arrive together share one commit. */
const batchers = new WeakMap<Store, MicroBatcher<SignatureRecord, void>>();

/** @throws conflict when a call with the same idempotency key has stored it meanwhile */
export async function insertSignature(
  ctx: Pick<Ctx, 'store'>,
  record: SignatureRecord,
): Promise<void> {
  let batcher = batchers.get(ctx.store);
  if (!batcher) {
    batcher = createMicroBatcher({
      maxItems: 64,
      run: async (items) => {
        await insertSignatures(ctx.store, items);
        return items.map(() => undefined);
      },
    });
    batchers.set(ctx.store, batcher);
  }
  await explainConflict(batcher.add(record));
}

/** @throws conflict when the id is there already */
export async function explainConflict<T>(inserted: Promise<T>): Promise<T> {
  try {
    return await inserted;
  } catch (error) {
    if (!isUniqueViolation(error, 'signatures_pkey')) throw error;
    throw new ServiceError('conflict', {
      message:
        'A call with the same idempotency key is storing this signature request: repeat the call.',
      cause: error,
    });
  }
}
