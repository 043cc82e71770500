import type { PaymentMethod } from '../../providers/vault/wire.ts';
import type { MethodRecord } from './store.ts';
import { type Details, railsOfType } from './types.ts';

/** A payment method as answers carry it: everything but numbers. */
export function methodView(
  method: Pick<MethodRecord, 'id' | 'type' | 'isDefault' | 'createdAt' | 'updatedAt' | 'lastPayoutAt'>,
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
    ...(bankAccount
      ? { bankAccount: { ...bankAccount, rails: { supported: [...railsOfType[method.type]], status: 'active' as const } } }
      : {}),
    ...(card ? { card } : {}),
  };
}
