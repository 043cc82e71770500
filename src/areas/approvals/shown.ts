import type { ChainFamily } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import type { WalletRecord } from '../wallets/index.ts';

/** What a signer is shown, and what is about to be signed or submitted under it. */
export interface ShownApproval {
  readonly family: ChainFamily;
  readonly wallet: Pick<WalletRecord, 'address'>;
  readonly chain: string;
  /** `approvals.pending[].message`. */
  readonly message: string;
  /** The family's own value: an operation or a signature request. */
  readonly signable: JsonObject;
  readonly row: { readonly table: 'transactions' | 'signatures'; readonly id: string };
}

/**
 * What is signed is what the signer was shown, for this wallet on this chain: all of it is computed
 * anew from the stored value.
 * @throws internal-error on any difference, after an alarm
 */
export function requireShown(
  ctx: Pick<Ctx, 'store'>,
  { family, wallet, chain, message, signable, row }: ShownApproval,
): void {
  const refuse = (why: string) => rowMacsOf(ctx.store).refuse(row, why);
  let signed: ReturnType<ChainFamily['readSigned']>;
  try {
    signed = family.readSigned(signable);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (family.canonicalAddress(signed.walletAddress) !== family.canonicalAddress(wallet.address))
    throw refuse(
      `what is signed is for the wallet ${signed.walletAddress}, not for ${wallet.address}`,
    );
  if (signed.chain !== chain)
    throw refuse(`what is signed is for ${signed.chain}, not for ${chain}`);
  if (signed.message !== message)
    throw refuse(`what is signed is ${signed.message}, and the signer was shown ${message}`);
}
