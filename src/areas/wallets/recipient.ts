import type { Addresses, FindRecipient, Networks } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { chainTypesOfAddress } from '../../lib/locator/locator.ts';
import { findByAddress } from './find-by-address.ts';
import { toFamilyWallet } from './wallets.ts';

export interface RecipientFinderInput {
  readonly projectId: string;
  readonly family: Pick<Addresses, 'canonicalAddress'>;
  readonly address: string;
  /** Who causes it; absent: the owner of the wallet that is paid. */
  readonly owner?: string;
}

/**
 * How a family finds the wallet of this project that is to be paid, should it need to be made able
 * to hold something.
 */
export function recipientFinder(
  { store }: Pick<Ctx, 'store'>,
  { projectId, family, address, owner }: RecipientFinderInput,
): FindRecipient {
  return async () => {
    const wallet = await findByAddress(store, {
      projectId,
      addressKey: family.canonicalAddress(address),
    });
    return (
      wallet && {
        wallet: toFamilyWallet(wallet),
        projectId,
        owner: owner ?? wallet.owner ?? wallet.address,
      }
    );
  };
}

/**
 * Aptos and Sui write addresses alike, and from one key each makes another: nobody can use on one
 * what is a wallet on the other, and money that is sent there is lost.
 * @returns what is wrong with such an address, as the rest of a sentence
 */
export async function mistakenFamily(
  { store }: Pick<Ctx, 'store'>,
  {
    projectId,
    family,
    address,
  }: Pick<RecipientFinderInput, 'projectId' | 'address'> & {
    readonly family: Addresses & Networks;
  },
): Promise<string | undefined> {
  if (chainTypesOfAddress(address).length < 2) return undefined;
  const wallet = await findByAddress(store, {
    projectId,
    addressKey: family.canonicalAddress(address),
  });
  if (!wallet || wallet.chainType === family.chainType) return undefined;
  return `is the address of a wallet on ${wallet.chainType}: nobody can use it on ${family.chainType}, so money that goes there is lost`;
}
