import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FamilyWorld, refusalOf } from './world.ts';

/** Test money. */
export function describeFunding(worldOf: () => FamilyWorld): void {
  let world: FamilyWorld;
  beforeAll(() => {
    world = worldOf();
  });

  describe('test funding', () => {
    it('mints the test token once per reference', async () => {
      const { address } = world.aWallet().wallet;
      const input = {
        chain: world.chain,
        token: world.token,
        amountMinor: 7n,
        recipientAddress: address,
        findRecipient: world.finderOf(address),
        reference: randomUUID(),
      };
      const [first, second] = await Promise.all([
        world.family.funding!.fund(input),
        world.family.funding!.fund(input),
      ]);
      expect(await world.family.funding!.fund(input)).toEqual(first);
      expect(second).toEqual(first);
      expect(await world.amountOf(address)).toBe(7n);
      expect(
        await refusalOf(
          world.family.funding!.fund({ ...input, token: world.native, reference: randomUUID() }),
        ),
      ).toBe('token-not-supported');
    });
  });
}
