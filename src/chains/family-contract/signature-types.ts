import { beforeAll, expect, it } from 'vitest';
import { factsOf } from '../families.ts';
import type { SignatureType } from '../family.ts';
import { type FamilyWorld, refusalOf } from './world.ts';

const types: readonly SignatureType[] = ['message', 'typed-data', 'auth-entries'];

/** Signatures without a transaction: which there are. What they are is the family's own. */
export function describeSignatureTypes(worldOf: () => FamilyWorld): void {
  let world: FamilyWorld;
  beforeAll(() => {
    world = worldOf();
  });

  it('signatures are of the types that the facts name: of those nothing is asked that is no parameter, others are refused', async () => {
    const { wallet } = world.aWallet();
    const { signatureTypes } = factsOf(world.family.chainType);
    expect(signatureTypes.length).toBeGreaterThan(0);
    for (const type of types) {
      const request = {
        wallet,
        type,
        params: { chain: world.chain },
        signer: wallet.adminSigner,
        now: new Date(),
      };
      const expected = signatureTypes.includes(type)
        ? 'validation-error'
        : 'signature-type-not-supported';
      expect(await refusalOf(world.family.signatures!.prepareSignature(request)), type).toBe(
        expected,
      );
    }
  });
}
