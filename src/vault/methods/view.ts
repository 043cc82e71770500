import type { PaymentMethod } from '../../providers/vault/wire.ts';
import type { Vault } from '../index.ts';
import type { MethodRecord } from './store.ts';
import { type Details, type PaymentMethodType, railsOfType } from './types.ts';

/** A payment method as answers carry it: everything but numbers. */
export function methodView(
  { vault }: { readonly vault: Pick<Vault, 'payableRails'> },
  method: Pick<
    MethodRecord,
    'id' | 'type' | 'isDefault' | 'createdAt' | 'updatedAt' | 'lastPayoutAt'
  >,
  details: Details,
): PaymentMethod {
  const { bankAccount, card } = details;
  return {
    paymentMethodId: method.id,
    type: method.type,
    default: method.isDefault,
    displayName: details.displayName,
    createdAt: method.createdAt.toISOString(),
    updatedAt: method.updatedAt.toISOString(),
    ...(method.lastPayoutAt ? { lastPayoutAt: method.lastPayoutAt.toISOString() } : {}),
    ...(bankAccount ? { bankAccount: { ...bankAccount, rails: railsOf(vault, method.type) } } : {}),
    ...(card ? { card } : {}),
  };
}

/** The rails of the scheme on which somebody can pay now. */
function railsOf(vault: Pick<Vault, 'payableRails'>, type: PaymentMethodType) {
  const payable = vault.payableRails?.(type);
  const supported = railsOfType[type].filter((rail) => payable?.includes(rail) ?? true);
  return {
    supported,
    status: supported.length > 0 ? ('active' as const) : ('unavailable' as const),
  };
}
