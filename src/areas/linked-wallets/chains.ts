import { families } from '../../chains/families.ts';
import type { FamilyName, Linking } from '../../chains/family/facts.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';

/** A chain that wallets may be linked on. */
export interface LinkableChain {
  /** As sent. */
  readonly name: string;
  readonly family: FamilyName;
  readonly linking: Linking;
  /** How the challenge names the account: "… sign in with your <label> account:". */
  readonly label: string;
  /** How the challenge names the network (CAIP-2 reference), where there is a name. */
  readonly reference?: string;
}

/** @throws chain-not-supported for unknown names, and for test networks in production */
export function requireLinkableChain(ctx: Pick<Ctx, 'config'>, name: string): LinkableChain {
  const { environment } = ctx.config;
  for (const { name: family, linking } of families) {
    const chain = linking.findChain(name, environment);
    if (!chain) continue;
    if (environment === 'production' && chain.testnet)
      throw new ServiceError('chain-not-supported', {
        message: `The chain "${name}" is a test network, and this is a production instance: send a main network.`,
      });
    return { name, family, linking, label: linking.label, reference: chain.reference };
  }
  throw new ServiceError('chain-not-supported', {
    message: `The chain "${name.slice(0, 64)}" is not known here: send a chain name such as base, ethereum, solana or stellar.`,
  });
}

/**
 * @throws validation-error naming what is wrong with an address of that chain, a mistyped checksum
 * included
 */
export function checkWalletAddress(address: string, chain: LinkableChain): void {
  const mistake = chain.linking.checkAddress(address);
  if (mistake !== undefined)
    throw new ServiceError('validation-error', {
      message: `The request is not valid. path.address: ${mistake}.`,
    });
}

/**
 * The one spelling by which two addresses are the same wallet, on whichever chain: hex has no case.
 */
export function canonicalWalletAddress(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}
