import {
  ApprovalRefusedError,
  type Purser,
  type PurserSigner,
  type Review,
  type Signature,
  type Transaction,
} from '@purser/sdk';
import { signerIdOf, signerKeyOf } from '../../sdk/src/evm/signer-keys.ts';
import { loadFamily } from '../../sdk/src/families.ts';
import type { Look } from './api.ts';

/**
 * What this browser makes of it: read out of what is signed; refused; or of a kind that it cannot
 * read.
 */
export type Verdict =
  | { readonly kind: 'verified'; readonly review: Review }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unverifiable'; readonly family: string };

class OnlyLooking extends Error {}

type Act = (
  signers: readonly PurserSigner[],
  review: (shown: Review) => void,
) => Promise<Transaction | Signature>;

function actOf(client: Purser, { kind, wallet, object }: Look): Act {
  return (signers, review) => {
    const options = { signers, review: (_: unknown, shown: Review) => review(shown) };
    return kind === 'transaction'
      ? client.approveTransaction(wallet.address, object as Transaction, options)
      : client.approveSignature(wallet.address, object as Signature, options);
  };
}

/** Computes what the signer would sign, and asks nobody. */
export async function verify(client: Purser, look: Look): Promise<Verdict> {
  const { chainType } = look.wallet;
  const family = chainType === 'evm' ? undefined : await loadFamily(chainType);
  // Entries that another service made (SEP-45) are no operations of the wallet.
  if (chainType !== 'evm' && (!family || look.kind === 'signature'))
    return { kind: 'unverifiable', family: chainType };
  let seen: Review | undefined;
  const nobody: PurserSigner = {
    locator: look.signer?.locator ?? '',
    input: { type: 'nobody' },
    approve: () => Promise.reject(new OnlyLooking()),
  };
  try {
    await actOf(client, look)([nobody], (review) => {
      seen = review;
      throw new OnlyLooking();
    });
  } catch (error) {
    if (error instanceof ApprovalRefusedError) return { kind: 'refused', why: error.message };
    if (!(error instanceof OnlyLooking)) throw error;
  }
  if (!seen)
    return {
      kind: 'refused',
      why: 'The service asks this signer for nothing that could be read here.',
    };
  const idOf = (named: unknown) =>
    family ? family.signerIdOf(named) : signerIdOf(signerKeyOf(named, named)).toLowerCase();
  const why = wrongSigner(look, seen, idOf);
  return why === undefined ? { kind: 'verified', review: seen } : { kind: 'refused', why };
}

/** The signer that the service names is the one whose id is signed. */
function wrongSigner(
  { change }: Look,
  review: Review,
  idOf: (signer: unknown) => string | undefined,
): string | undefined {
  const calls = review.kind === 'operation' ? review.calls : [];
  const changes = calls.flatMap((call) =>
    call.kind === 'add-signer' || call.kind === 'remove-signer' ? [call] : [],
  );
  const [only, ...more] = changes;
  if (!change || !only) return undefined;
  try {
    const isSaid = only.kind === `${change.kind}-signer` && only.signerId === idOf(change.signer);
    if (isSaid && more.length === 0) return undefined;
  } catch {
    // A signer whose key is not known here is not the one that is shown.
  }
  return `The service says that this is about the signer ${change.signer.locator}, and what would be signed is about another one.`;
}

/**
 * Has it signed: what was shown, and nothing else.
 * @throws ApprovalRefusedError, whatever the signer or the service throws
 */
export async function approve(
  client: Purser,
  look: Look,
  shown: Review,
  signer: PurserSigner,
): Promise<void> {
  let isAsked = false;
  await actOf(client, look)([signer], ({ hash }) => {
    if (hash !== shown.hash)
      throw new ApprovalRefusedError('message', 'what is to be signed is not what was shown.');
    isAsked = true;
  });
  if (!isAsked) throw new ApprovalRefusedError('asked', 'nothing is asked of this signer.');
}
