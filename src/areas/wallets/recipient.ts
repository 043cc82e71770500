import type { Addresses, FindRecipient } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { findByAddress } from './find-by-address.ts';
import { toFamilyWallet } from './wallets.ts';

export interface RecipientFinderInput {
  readonly projectId: string;
  readonly family: Pick<Addresses, 'canonicalAddress'>;
  readonly address: string;
  /** Who causes it; absent: the owner of the wallet that is paid. */
  readonly owner?: string;
}

/** How a family finds the wallet of this project that is to be paid, should it need to be made able to hold something. */
export function recipientFinder({ store }: Pick<Ctx, 'store'>, { projectId, family, address, owner }: RecipientFinderInput): FindRecipient {
  return async () => {
    const wallet = await findByAddress(store, { projectId, addressKey: family.canonicalAddress(address) });
    return wallet && { wallet: toFamilyWallet(wallet), projectId, owner: owner ?? wallet.owner ?? wallet.address };
  };
}
