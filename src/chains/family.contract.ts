import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FamilyExtras } from './family.ts';
import { describeBasics } from './family-contract/basics.ts';
import { describeDeposits } from './family-contract/deposits.ts';
import { describeFunding } from './family-contract/funding.ts';
import { describeMessages } from './family-contract/messages.ts';
import { describeOperations } from './family-contract/operations.ts';
import { describeSignatureTypes } from './family-contract/signature-types.ts';
import { describeSigners } from './family-contract/signers.ts';
import { type FamilyHarness, type FamilyWorld, openWorld } from './family-contract/world.ts';

export type {
  FamilyHarness,
  TestCustodyKey,
  TestPayer,
  TestSigner,
} from './family-contract/world.ts';

/** What is tested beyond the base, and the capabilities that a part shows. */
const parts = {
  operations: { extras: [], run: describeOperations },
  funding: { extras: ['funding'], run: describeFunding },
  deposits: { extras: ['deposits'], run: describeDeposits },
  delegates: { extras: ['delegates'], run: describeSigners, smartOnly: true },
  signatures: { extras: ['signatures'], run: describeSignatureTypes },
  messages: { extras: ['messages'], run: describeMessages },
} as const satisfies Record<
  string,
  {
    readonly extras: readonly (keyof FamilyExtras)[];
    readonly run: (worldOf: () => FamilyWorld) => void;
    readonly smartOnly?: true;
  }
>;

export type FamilyPart = keyof typeof parts;
export const familyParts = Object.keys(parts) as readonly FamilyPart[];
/** Those that speak of every wallet, and not of signers beside the wallet's own key. */
export const mpcParts = familyParts.filter((part) => !('smartOnly' in parts[part]));

/**
 * What every chain family has to pass, on a real local chain: the base always, and the part of each
 * capability that it has. A capability that no part is named for fails, so that nothing is left out
 * unseen. It says nothing that only one kind of chain has; what a family adds to this it tests
 * beside its own code.
 * @param options `slow` where another kind of wallet of the family shows the same by the same code
 */
export function describeChainFamily(
  title: string,
  start: () => Promise<FamilyHarness>,
  named: readonly FamilyPart[],
  options: { readonly tags?: 'slow' } = {},
): void {
  describe(`the chain family ${title}`, options, () => {
    let world: FamilyWorld | undefined;
    beforeAll(async () => {
      world = await openWorld(await start());
    });
    afterAll(() => world?.close());
    it('has the capabilities that it is tested for, and no others', () => {
      const asked = familyParts.filter(
        (part) => world!.walletType === 'smart' || !('smartOnly' in parts[part]),
      );
      const has = asked.flatMap((part) =>
        parts[part].extras.filter((extra) => world!.family[extra] !== undefined),
      );
      expect(has).toEqual(
        familyParts.filter((part) => named.includes(part)).flatMap((part) => parts[part].extras),
      );
    });
    describeBasics(() => world!);
    for (const part of familyParts) if (named.includes(part)) parts[part].run(() => world!);
  });
}
