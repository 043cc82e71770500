import { afterAll, beforeAll, describe } from 'vitest';
import { describeBasics } from './family-contract/basics.ts';
import { describeDeposits } from './family-contract/deposits.ts';
import { describeOperations } from './family-contract/operations.ts';
import { describeSignatures } from './family-contract/signatures.ts';
import { describeSigners } from './family-contract/signers.ts';
import { type FamilyHarness, type FamilyWorld, openWorld } from './family-contract/world.ts';

export type { FamilyHarness, TestCustodyKey, TestPayer, TestSigner } from './family-contract/world.ts';

/**
 * What every chain family has to pass, on a real local chain: from the plan of a wallet to settled operations and seen
 * transfers. It says nothing that only one kind of chain has; what a family adds to this it tests beside its own code.
 */
export function describeChainFamily(title: string, start: () => Promise<FamilyHarness>): void {
  describe(`the chain family ${title}`, () => {
    let world: FamilyWorld | undefined;
    beforeAll(async () => {
      world = await openWorld(await start());
    });
    afterAll(() => world?.close());
    describeBasics(() => world!);
    describeOperations(() => world!);
    describeDeposits(() => world!);
    describeSigners(() => world!);
    describeSignatures(() => world!);
  });
}
