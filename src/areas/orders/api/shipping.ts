import type { Ctx } from '../../../context.ts';
import type { OrderSettings } from '../pricing/index.ts';
import { readOrderSettings } from '../pricing/index.ts';
import { itemTermsOf } from '../state/items.ts';
import type { OrderRequest, OrderTerms } from '../state/types.ts';

/**
 * True where a line item stands for goods that somebody sends: the project says of which tokens
 * that is so.
 */
export function isShipped(
  settings: Pick<OrderSettings, 'shippedTokens'>,
  terms: OrderTerms,
): boolean {
  return itemTermsOf({ terms }).some(({ receive }) =>
    settings.shippedTokens.includes(receive.currency),
  );
}

/** True where an order cannot go on before its recipient has a physical address. */
export async function lacksPhysicalAddress(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  {
    projectId,
    request,
    terms,
  }: { readonly projectId: string; readonly request: OrderRequest; readonly terms: OrderTerms },
): Promise<boolean> {
  return (
    request.recipient.physicalAddress === undefined &&
    isShipped(await readOrderSettings(ctx, projectId), terms)
  );
}
