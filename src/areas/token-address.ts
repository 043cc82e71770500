import { factsOf } from '../chains/families.ts';
import type { ChainType } from '../chains/family.ts';

/** Under which name the interface gives a token's address (supplement, section 10). */
export function tokenAddressField(
  chainType: ChainType,
): 'contractAddress' | 'mintHash' | 'contractId' {
  return factsOf(chainType).tokenAddressField;
}
