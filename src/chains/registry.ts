import { ServiceError } from '../lib/errors.ts';
import { type ChainFamily, type ChainType, chainTypes } from './family.ts';

/**
 * The families this process serves. A new family is one folder and one entry where the registry is
 * made.
 */
export interface Chains {
  readonly families: readonly ChainFamily[];
  /** @throws chain-not-supported for a family that this instance does not serve */
  family(chainType: ChainType): ChainFamily;
  /** @throws chain-not-supported for a chain name of no served family */
  familyOfChain(chain: string): ChainFamily;
}

export function createChains(families: readonly ChainFamily[]): Chains {
  const byType = new Map(families.map((family) => [family.chainType, family]));
  const byChain = new Map(
    families.flatMap((family) => family.networks.map((network) => [network.name, family] as const)),
  );
  return {
    families,
    family(chainType) {
      const family = byType.get(chainType);
      if (!family) throw notServed(chainType);
      return family;
    },
    familyOfChain(chain) {
      const family = byChain.get(chain);
      if (family) return family;
      if ((chainTypes as readonly string[]).includes(chain)) throw notServed(chain);
      throw new ServiceError('chain-not-supported', {
        message: `The chain "${chain}" is not known to this instance.`,
      });
    },
  };

  function notServed(name: string): ServiceError {
    const served = [...byType.keys()].join(', ');
    return new ServiceError('chain-not-supported', {
      message: `Not implemented by this instance: wallets, transfers or orders on ${name}. It serves ${served === '' ? 'no chain' : served}.`,
    });
  }
}
