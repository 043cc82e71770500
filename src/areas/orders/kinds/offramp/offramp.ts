import { requireExtra } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import { checkIdentity, isIdentityRequired } from '../../identity/gate.ts';
import { ensurePerson } from '../../identity/person.ts';
import { prepareDeposit } from '../../legs/deposit/preparation.ts';
import { choosePayoutRail, readPayoutMethod } from '../../legs/payout/method.ts';
import type { OrderRecord } from '../../state/types.ts';
import type { Assessment, Lifecycle } from '../lifecycle.ts';
import { requirePayer } from './payer.ts';

/** What is particular to offramp orders until somebody may pay. */
export const offrampLifecycle: Lifecycle = {
  // It may open an inquiry at the identity company.
  assessHasEffects: true,
  open: async (ctx, { orderId, projectId, request }) => {
    const { payment, recipient, lineItem } = request;
    const method = await readPayoutMethod(ctx, recipient.paymentMethodId!);
    const rail = choosePayoutRail(method, {
      rail: recipient.rail,
      fiatCurrency: lineItem.fiatCurrency!,
    });
    const { userLocator } = method;
    const payer = await requirePayer(ctx, {
      orderId,
      chain: payment.method,
      payerAddress: payment.payerAddress!,
      ownerLocator: userLocator,
    });
    // Whoever is new has to be somebody before an identity check can begin.
    const isNew = payer.userId === undefined && (await isIdentityRequired(ctx, projectId));
    const person = isNew
      ? { userId: await ensurePerson(ctx, { projectId, locator: userLocator }) }
      : {};
    const memo = requireExtra(ctx.chains.familyOfChain(payment.method), 'deposits').newMemo();
    return {
      event: 'created',
      set: { ...payer, ...person, userLocator, memo },
      facts: { quotedRail: rail },
    };
  },
  assess: assessOfframp,
};

/** Verified payers get deposit instructions, others the way to their identity check. */
async function assessOfframp(ctx: Ctx, order: OrderRecord): Promise<Assessment> {
  const { userId } = order;
  const amountUsd = order.facts.amountUsd ?? '0';
  // Without a person the project has no identity checks: see `open`.
  const identity =
    userId === undefined
      ? undefined
      : await checkIdentity(ctx, { order, operation: 'offramp', userId, amountUsd });
  if (identity && identity.state !== 'clear')
    return { event: 'kyc-needed', facts: identity.state === 'refused' ? {} : identity.facts };
  const payerAddress = order.request.payment.payerAddress!;
  return {
    event: 'checks-passed',
    facts: await prepareDeposit(ctx, order, { terms: order.terms!, payerAddress }),
  };
}
