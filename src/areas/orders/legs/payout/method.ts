import type { RequestCtx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { locatorKeyOf } from '../../../../lib/locator/locator-key.ts';
import type { OwnedPaymentMethod } from '../../../../providers/vault/wire.ts';

type MethodCtx = Pick<RequestCtx, 'caller' | 'providers'>;

/**
 * One call of the vault per request and method: pricing and the checks of the parties both need it.
 */
const asked = new WeakMap<object, Map<string, Promise<OwnedPaymentMethod>>>();

/**
 * A saved bank account within what the caller may use.
 * @throws payment-method-not-found, not-authorized, provider-unavailable
 */
export function readPayoutMethod(
  ctx: MethodCtx,
  paymentMethodId: string,
): Promise<OwnedPaymentMethod> {
  const known = asked.get(ctx) ?? new Map<string, Promise<OwnedPaymentMethod>>();
  asked.set(ctx, known);
  const found =
    known.get(paymentMethodId) ??
    ctx.providers.vault.getPaymentMethod({
      projectId: ctx.caller.projectId,
      id: paymentMethodId,
      ...ownersInReach(ctx.caller),
    });
  known.set(paymentMethodId, found);
  return found;
}

/**
 * The rail of a payout: the one that was asked for, or the account's default.
 * @throws payment-method-not-supported no bank account, or one in another currency;
 * rail-not-supported
 */
export function choosePayoutRail(
  { paymentMethod }: OwnedPaymentMethod,
  wanted: { readonly rail?: string | undefined; readonly fiatCurrency: string },
): string {
  const { bankAccount } = paymentMethod;
  if (!bankAccount)
    throw new ServiceError('payment-method-not-supported', {
      message: 'The payment method is no bank account: nothing can be paid out to it.',
    });
  if (bankAccount.currency !== wanted.fiatCurrency)
    throw new ServiceError('payment-method-not-supported', {
      message: `The bank account is in ${bankAccount.currency}, the order in ${wanted.fiatCurrency}: name fiat:${bankAccount.currency}.`,
    });
  const { supported, status } = bankAccount.rails;
  const rail = wanted.rail ?? supported[0];
  if (rail !== undefined && supported.includes(rail) && status !== 'unavailable') return rail;
  throw new ServiceError('rail-not-supported', {
    message: `The rail ${rail === undefined ? '' : `"${rail}" `}is not supported by this payment method. Status: ${status}; supported: ${supported.join(', ') || 'none'}.`,
  });
}

function ownersInReach(caller: RequestCtx['caller']): { readonly owners?: readonly string[] } {
  if (caller.keyKind === 'server') return {};
  if (!caller.user)
    throw new ServiceError('not-authorized', {
      message:
        'With a client-side key an offramp needs the JWT of the end user as "Authorization: Bearer <jwt>".',
    });
  const email = caller.verifiedEmail;
  return {
    owners: [
      locatorKeyOf(caller.user),
      ...(email === undefined ? [] : [locatorKeyOf({ kind: 'email', value: email })]),
    ],
  };
}
