import { ServiceError } from '../../../lib/errors.ts';
import type { ShopMoney } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { selectApproval } from '../actions/actions-store.ts';
import { requireWithinMaxCost } from '../limits/max-cost.ts';
import { lockUnknownPurchase, requireUnchanged } from '../store.ts';
import type { CheckoutRecord } from '../types.ts';

/**
 * What has to hold before a card is handed out, and again before the paying click.
 * @throws conflict when the total is not what the user approved at this shop, is above the cap, or
 *   nobody knows whether the item was bought before; internal-error when the checkout was changed
 *   behind the service
 */
export async function requireApproval(
  tx: Tx,
  record: CheckoutRecord,
  { total, origin }: { readonly total: ShopMoney; readonly origin: string },
): Promise<void> {
  requireUnchanged(tx, record);
  requireWithinMaxCost(record, total);
  const approved = await selectApproval(tx, record.id);
  const isApproved =
    approved?.currency === total.currency &&
    approved.amountMinor === total.amountMinor &&
    approved.origin === origin;
  if (!isApproved)
    throw new ServiceError('conflict', {
      message: 'The user has not approved this total at this shop.',
    });
  if (
    await lockUnknownPurchase(tx, {
      userId: record.userId,
      itemKey: record.itemKey,
      exceptId: record.id,
    })
  )
    throw new ServiceError('conflict', {
      message: 'An earlier purchase of this item may have been placed.',
    });
}
