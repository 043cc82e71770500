import type { Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isSameSigner, recoveryMethodsOf, type WalletRecord } from '../wallets/index.ts';

/**
 * The recovery method that approves a change of signers, spelled as sent.
 * @throws approver-required, approver-invalid
 */
export function chooseApprover(ctx: RequestCtx, wallet: WalletRecord, approver: string | undefined): Signer {
  const methods = recoveryMethodsOf(wallet);
  const names = methods.map(({ locator }) => locator).join(', ');
  if (methods.length === 1) {
    if (approver !== undefined)
      throw new ServiceError('approver-invalid', {
        message: `approver: the wallet has one recovery method, ${names}, which approves: leave approver out.`,
      });
    return methods[0]!;
  }
  if (approver === undefined)
    throw new ServiceError('approver-required', { message: `approver: the wallet has several recovery methods. Name one of: ${names}.` });
  const method = methods.find((candidate) => isSameSigner(ctx, wallet, candidate, approver));
  if (!method)
    throw new ServiceError('approver-invalid', { message: `approver: is not a recovery method of this wallet. Name one of: ${names}.` });
  return { ...method, locator: approver };
}
