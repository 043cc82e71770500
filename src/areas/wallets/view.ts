import type { Signer } from '../../chains/family.ts';
import type { Json } from '../../lib/json.ts';
import type { WalletRecord } from './store.ts';

/** Fields of a signer that answers carry; ids of custody keys stay inside. */
export function signerView(signer: Signer): Record<string, Json> {
  const view: Record<string, Json> = {};
  for (const [field, value] of Object.entries(signer)) if (field !== 'keyId' && value !== undefined) view[field] = value;
  return view;
}

/** The wallet object of the interface. */
export function walletView(wallet: WalletRecord): Record<string, Json | undefined> {
  return {
    chainType: wallet.chainType,
    type: wallet.type,
    address: wallet.address,
    ...(wallet.alias === undefined ? {} : { alias: wallet.alias }),
    config: wallet.type === 'mpc' ? {} : { adminSigner: signerView(wallet.adminSigner), delegatedSigners: [] },
    ...(wallet.owner === undefined ? {} : { owner: wallet.owner }),
    createdAt: wallet.createdAt.toISOString(),
  };
}
