import { z } from 'zod';
import { adminSignerId, type SignerKey, signerIdOf } from '../../../../contracts/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { notOfWallet } from '../../family/smart-wallets/signer-keys.ts';
import type { Delegate, FamilyWallet, Signer } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import { signerKeyOf, storedKeySchema, storeSignerKey } from './signer-keys.ts';
import { readWalletSetup } from './wallet-plan.ts';

/**
 * Whose signature an operation or a message needs, in the form of the contracts. Undefined: that of
 * the wallet's one owner, an address, as most wallets have it.
 */
export type Authority =
  /** So many of these owners of the Safe. */
  | { readonly kind: 'owners'; readonly owners: readonly SignerKey[]; readonly threshold: number }
  | { readonly kind: 'delegate'; readonly key: SignerKey; readonly scopeIndexes: readonly number[] }
  | undefined;

const authoritySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('owners'), owners: z.array(storedKeySchema), threshold: z.int() }),
  z.object({ kind: z.literal('delegate'), key: storedKeySchema, scopeIndexes: z.array(z.int()) }),
]);

/** For stored JSON. */
export const storedAuthoritySchema = authoritySchema.optional();

export function storeAuthority(authority: Authority): JsonObject | undefined {
  if (authority === undefined) return undefined;
  const { kind } = authority;
  if (kind === 'delegate')
    return { kind, key: storeSignerKey(authority.key), scopeIndexes: authority.scopeIndexes };
  return { kind, owners: authority.owners.map(storeSignerKey), threshold: authority.threshold };
}

/** The authority of a delegate. `scopeIndexes`: one per call, none for a signer without scopes. */
export function delegateAuthority(
  { signer }: Delegate,
  scopeIndexes: readonly number[],
): Extract<Authority, { kind: 'delegate' }> {
  return { kind: 'delegate', key: signerKeyOf(signer), scopeIndexes };
}

/** The id that the module knows the authority by. */
export function authorityId(authority: Authority): Hex {
  return authority?.kind === 'delegate' ? signerIdOf(authority.key) : adminSignerId;
}

/**
 * The authority of a recovery method: one of the wallet's owners, or a quorum that they are.
 * @throws transaction-invalid the signer is none of the wallet's recovery methods
 */
export function adminAuthority(wallet: FamilyWallet, signer: Signer): Authority {
  const setup = readWalletSetup(wallet.setup);
  if (setup.form !== 'signers') {
    // An account is its own key.
    const owner = setup.form === 'owner' ? setup.owner : wallet.address;
    if (owner.toLowerCase() === signer.address?.toLowerCase() && signer.type !== 'quorum')
      return undefined;
    throw notOfWallet(signer);
  }
  const key = signerKeyOf(signer);
  const id = signerIdOf(key);
  const ownerIds = setup.owners.map(signerIdOf);
  if (setup.threshold === 1 && ownerIds.includes(id))
    return { kind: 'owners', owners: [key], threshold: 1 };
  if (
    key.kind === 'quorum' &&
    key.threshold === setup.threshold &&
    isSameSet(key.members.map(signerIdOf), ownerIds)
  )
    return { kind: 'owners', owners: setup.owners, threshold: setup.threshold };
  throw notOfWallet(signer);
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry) => b.includes(entry));
}
