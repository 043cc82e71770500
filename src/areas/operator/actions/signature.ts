import type { Ctx } from '../../../context.ts';
import { assertionSchema, isSignedBy } from '../operators/passkeys.ts';
import type { Operator } from '../operators/store.ts';
import { challengeOf, readSignedAction } from './signed.ts';
import type { AskedAction } from './store.ts';

/** Whether the operator, who is one, has signed the text of a row for this console. */
export async function isHisSignature(
  ctx: Pick<Ctx, 'config'>,
  asked: AskedAction,
  operator: Operator,
): Promise<boolean> {
  const { action } = readSignedAction(asked.signed);
  if (operator.status !== 'active' || action?.operatorId !== operator.id || action.id !== asked.id)
    return false;
  if (action.console !== ctx.config.console?.url) return false;
  const assertion = assertionSchema.safeParse(asked.proof).data;
  return (
    assertion !== undefined &&
    isSignedBy(ctx.config, { operator, challenge: challengeOf(asked.signed), assertion })
  );
}
