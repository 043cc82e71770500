import type { Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import type { WalletRecord } from '../wallets/index.ts';

/** Whether a locator names this signer; addresses are compared in canonical form. */
export function isSameSigner(ctx: RequestCtx, wallet: WalletRecord, signer: Signer, locator: string): boolean {
  if (locator === signer.locator) return true;
  const [type, ...rest] = locator.split(':');
  if (type !== signer.type) return false;
  const value = rest.join(':');
  if (signer.type === 'api-key' && value === '') return true;
  const family = ctx.chains.family(wallet.chainType);
  return (
    signer.address !== undefined && family.isAddress(value) && family.canonicalAddress(value) === family.canonicalAddress(signer.address)
  );
}
