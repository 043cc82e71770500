import { ServiceError } from '../../lib/errors.ts';
import { formatAmount } from '../../lib/money/amount.ts';
import type { TransferIntent } from './capabilities/transfers.ts';

/** What the amounts of a chain with 64 bits end below. */
const amountLimit = 1n << 64n;

/** Of chains whose amounts have 64 bits: nobody can have more. @throws insufficient-balance */
export function requireHoldable({
  chain,
  token,
  amountMinor,
}: Pick<TransferIntent, 'chain' | 'token' | 'amountMinor'>): void {
  if (amountMinor < amountLimit) return;
  throw new ServiceError('insufficient-balance', {
    message: `No account on "${chain}" can hold ${formatAmount(amountMinor, token.decimals)} ${token.symbol ?? token.locator}.`,
  });
}
