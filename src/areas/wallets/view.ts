import { factsOf } from '../../chains/families.ts';
import { isQuorum, type Signer } from '../../chains/family.ts';
import type { Json } from '../../lib/json/json.ts';
import type { DelegateRecord } from './delegates-store.ts';
import type { WalletRecord } from './store.ts';

/**
 * Fields of a signer that answers carry; ids of custody keys stay inside, also those of a quorum's
 * members.
 */
export function signerView(signer: Signer): Record<string, Json> {
  const view: Record<string, Json> = {};
  for (const [field, value] of Object.entries(signer))
    if (field !== 'keyId' && value !== undefined) view[field] = value;
  if (isQuorum(signer)) view['members'] = signer.members.map(signerView);
  return view;
}

/**
 * Who acts, as `params` of transactions and signatures show it: a wallet that is one key has nobody
 * to name.
 */
export function actingSignerView(
  { type }: Pick<WalletRecord, 'type'>,
  signer: Signer,
): { readonly signer?: Record<string, Json> } {
  return type === 'mpc' ? {} : { signer: signerView(signer) };
}

/** A delegated signer as wallets and signers show it: with expiry and scopes as sent. */
export function delegateView({
  signer,
  asked,
}: Pick<DelegateRecord, 'signer' | 'asked'>): Record<string, Json | undefined> {
  return { ...signerView(signer), ...asked };
}

/** The wallet object of the interface. */
export function walletView(
  wallet: WalletRecord,
  delegates: readonly Pick<DelegateRecord, 'signer' | 'asked'>[] = [],
): Record<string, Json | undefined> {
  return {
    chainType: wallet.chainType,
    type: wallet.type,
    address: wallet.address,
    alias: wallet.alias,
    config: wallet.type === 'mpc' ? {} : configView(wallet, delegates),
    owner: wallet.owner,
    createdAt: wallet.createdAt.toISOString(),
  };
}

function configView(
  wallet: WalletRecord,
  delegates: readonly Pick<DelegateRecord, 'signer' | 'asked'>[],
): Record<string, Json> {
  return {
    adminSigner: signerView(wallet.adminSigner),
    ...(wallet.recoveryMethods === undefined
      ? {}
      : { recoveryMethods: wallet.recoveryMethods.map(signerView) }),
    delegatedSigners: delegates.map(delegateView) as Json[],
    ...(factsOf(wallet.chainType).hasPlugins && { plugins: [] }),
  };
}
