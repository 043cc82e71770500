import { isSignerRole } from '@solana/kit';
import { ServiceError } from '../../../lib/errors.ts';
import { parseSignerLocator } from '../../../lib/locator/locator.ts';
import { invalid } from '../../family/signing/quorums.ts';
import { type FamilyWallet, isQuorum, type Signer } from '../../family.ts';
import { signerKeyOf } from '../wallet/signer-keys.ts';
import { readSmartSetup } from '../wallet/smart-plan.ts';
import { unsigned } from './build.ts';
import type { ReadInstruction } from './message.ts';

/**
 * Signers beside the wallet whom instructions of `params.transaction` name: a new mint signs its
 * own creation, another owner its part of an exchange. `requiredSigners` says how each is asked
 * (supplement, section 6).
 */

export interface RequiredSigners {
  /** Asked for an approval of their own, in the order of the request. */
  readonly coSigners: readonly Signer[];
  /** Locators of members of the quorum that acts. */
  readonly memberLocators: readonly string[];
}

interface RequiredSignersInput {
  readonly wallet: FamilyWallet;
  /** Who acts. */
  readonly signer: Signer;
  readonly requiredSigners: readonly string[];
}

/** @throws validation-error, invalid-locator, transaction-invalid */
export function readRequiredSigners(
  instructions: readonly ReadInstruction[],
  { wallet, signer, requiredSigners }: RequiredSignersInput,
): RequiredSigners {
  const signing = new Set<string>(
    instructions.flatMap(({ accounts }) =>
      accounts.filter(({ role }) => isSignerRole(role)).map(({ address }) => address),
    ),
  );
  const forWallet = addressesSigningFor(wallet, signer);
  const memberLocators: string[] = [];
  const coSigners: Signer[] = [];
  for (const [index, locator] of requiredSigners.entries()) {
    const place = `params.requiredSigners[${index}]`;
    if (isQuorum(signer) && signer.members.some((member) => member.locator === locator)) {
      memberLocators.push(locator);
      continue;
    }
    const { type, address } = readCoSigner(locator, place);
    if (!signing.has(address))
      throw invalid(
        place,
        isQuorum(signer)
          ? `"${locator}" is no member of "${signer.locator}", and no instruction of params.transaction names it as a signer`
          : `"${locator}" signs no instruction of params.transaction: leave it out`,
      );
    if (address === wallet.address || forWallet.has(address))
      throw invalid(
        place,
        `"${locator}" signs for the wallet: it may not be named as a signer beside it`,
      );
    if (coSigners.some((one) => one.address === address))
      throw invalid(place, `"${locator}" is named twice`);
    coSigners.push({ type, locator, address });
  }
  const named = new Set([wallet.address, ...coSigners.map(({ address }) => address)]);
  const unnamed = [...signing].filter((address) => !named.has(address));
  if (unnamed.length > 0)
    throw new ServiceError('transaction-invalid', {
      message: `params.transaction needs the signature of ${unnamed.slice(0, 3).join(', ')} beside that of the wallet ${wallet.address}: name each in params.requiredSigners as "external-wallet:<address>", and it is asked for an approval.`,
    });
  if (!signing.has(wallet.address)) throw unsigned(`the wallet ${wallet.address}`);
  return { coSigners, memberLocators };
}

function readCoSigner(
  locator: string,
  place: string,
): { readonly type: 'external-wallet' | 'server'; readonly address: string } {
  const read = parseSignerLocator(locator);
  if (read.type !== 'external-wallet' && read.type !== 'server')
    throw invalid(
      place,
      `a signer of type "${read.type}" signs for wallets alone: who signs beside the wallet is named as "external-wallet:<address>" or "server:<address>"`,
    );
  const { type, address } = read;
  signerKeyOf({ type, locator, address }, place);
  return { type, address };
}

/**
 * Whose signature in the transaction moves the wallet: asked for something else as well, they could
 * not tell the one from the other.
 */
function addressesSigningFor(wallet: FamilyWallet, signer: Signer): ReadonlySet<string> {
  const keys =
    wallet.type === 'mpc'
      ? []
      : readSmartSetup(wallet).setup.groups.flatMap(({ members }) =>
          members.flatMap((key) => (key.kind === 'ed25519' ? [key.address as string] : [])),
        );
  return new Set([...keys, ...(signer.address === undefined ? [] : [signer.address])]);
}
