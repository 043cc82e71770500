import type { Ctx } from '../../../context.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { ShopMoney } from '../../../runner/types.ts';
import type { Db } from '../../../store/types.ts';
import { moneyView } from '../money.ts';
import { hashLastPicture } from './step-pictures.ts';

/** What the interface calls a receipt, with what proves the purchase. */
export async function makeReceipt(
  ctx: Pick<Ctx, 'config'>,
  db: Db,
  input: {
    readonly checkoutId: string;
    readonly total?: ShopMoney;
    readonly capturedAt: Date;
    readonly merchantOrderId?: string;
    readonly confirmationUrl?: string;
    readonly confirmationText?: string;
  },
): Promise<JsonObject> {
  const { total, capturedAt, merchantOrderId, confirmationUrl, confirmationText } = input;
  const screenshotSha256 = await hashLastPicture(ctx, db, input.checkoutId);
  return {
    ...(total && { total: moneyView(total) }),
    capturedAt: capturedAt.toISOString(),
    ...(merchantOrderId !== undefined && { merchantOrderId }),
    evidence: {
      ...(confirmationUrl !== undefined && { confirmationUrl }),
      ...(confirmationText !== undefined && { confirmationText }),
      ...(screenshotSha256 !== undefined && { screenshotSha256 }),
    },
  };
}
