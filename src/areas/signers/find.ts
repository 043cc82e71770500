import { factsOf } from '../../chains/families.ts';
import type { Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseSignerLocator } from '../../lib/locator/locator.ts';
import {
  type DelegateWithChains,
  delegateKeyOf,
  isSameSigner,
  isThere,
  recoveryMethodsOf,
  selectDelegates,
  usableChains,
  type WalletRecord,
} from '../wallets/index.ts';

/**
 * The delegated signer that a locator names, however it is spelled; the admin signer and other
 * recovery methods are none.
 * @throws invalid-locator, signer-not-found
 */
export async function findSigner(
  ctx: RequestCtx,
  wallet: WalletRecord,
  locator: string,
): Promise<DelegateWithChains> {
  parseSignerLocator(locator);
  const family = ctx.chains.family(wallet.chainType);
  const signerKey = wallet.hasDelegates ? await delegateKeyOf(ctx, family, locator) : undefined;
  const [found] =
    signerKey === undefined
      ? []
      : await selectDelegates(ctx.store, { walletId: wallet.id, signerKey });
  if (!found || !isThere(found, () => usableChains(family)))
    throw new ServiceError('signer-not-found', {
      message: 'The wallet has no such delegated signer.',
    });
  return found;
}

/** The concrete network of a request. @throws validation-error, chain-not-supported */
export function requireChain(
  ctx: RequestCtx,
  wallet: WalletRecord,
  chain: string | undefined,
): string {
  const family = ctx.chains.family(wallet.chainType);
  if (factsOf(wallet.chainType).severalNetworks) {
    if (chain === undefined)
      throw new ServiceError('validation-error', {
        message: `chain: is required for ${wallet.chainType} wallets, e.g. "base-sepolia".`,
      });
    return family.requireNetwork(chain).name;
  }
  const [only] = usableChains(family);
  if (only === undefined) throw new ServiceError('chain-not-supported');
  return only;
}

/**
 * The recovery method that approves a change of signers, spelled as sent.
 * @throws approver-required, approver-invalid
 */
export function chooseApprover(
  ctx: RequestCtx,
  wallet: WalletRecord,
  approver: string | undefined,
): Signer {
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
    throw new ServiceError('approver-required', {
      message: `approver: the wallet has several recovery methods. Name one of: ${names}.`,
    });
  const method = methods.find((candidate) => isSameSigner(ctx, wallet, candidate, approver));
  if (!method)
    throw new ServiceError('approver-invalid', {
      message: `approver: is not a recovery method of this wallet. Name one of: ${names}.`,
    });
  return { ...method, locator: approver };
}
