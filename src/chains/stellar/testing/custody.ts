import type { LateSignInput } from '../../family.ts';
import { stellarLateSigning } from '../signing/late.ts';
import { ed25519Signer, type TestSigner } from './smart.ts';

/** Keys of mpc wallets, which follow from the wallet's id: every process of a test has them. */
export const custodySigner = ({ id }: { readonly id: string }): TestSigner =>
  ed25519Signer('api-key', id);

/** As `ChainEntrances.signBuilt`. */
export function signAsCustody({
  walletId,
  operation,
  built,
}: Omit<LateSignInput, 'projectId'>): Uint8Array {
  return custodySigner({ id: walletId }).key.sign(stellarLateSigning.signedBytes(operation, built))
    .signature;
}
