import type { KnownToken, NamedToken, ReviewedToken } from '../evm/chains.ts';
import { testTokenSymbol } from '../evm/constants.ts';
import { ApprovalRefusedError } from '../evm/refusal.ts';

/** A chain of a family whose addresses are spelled in one way only. */
export interface FamilyChain {
  readonly name: string;
  readonly native: {
    readonly symbol: string;
    readonly decimals: number;
    /** Where money of the chain itself is moved by a contract. */
    readonly address?: string;
  };
  readonly tokens: readonly KnownToken[];
  readonly isTest: boolean;
  readonly isAddress: (text: string) => boolean;
}

/** A token by its address; undefined: the native money. */
export function tokenAt(
  { name, native, tokens }: FamilyChain,
  address: string | undefined,
): ReviewedToken {
  if (address === undefined || address === native.address)
    return { symbol: native.symbol, decimals: native.decimals };
  const own = tokens.find((token) => token.chain === name && token.address === address);
  return own ? { address, symbol: own.symbol, decimals: own.decimals } : { address };
}

/**
 * What a token locator names, behind its chain.
 * @throws ApprovalRefusedError when this client does not know the symbol
 */
export function tokenOf(chain: FamilyChain, locator: string): NamedToken {
  const [, ...rest] = locator.split(':');
  const name = rest.join(':');
  if (chain.isAddress(name)) return { token: tokenAt(chain, name) };
  const symbol = name.toLowerCase();
  if (symbol === chain.native.symbol) return { token: tokenAt(chain, undefined) };
  const own = chain.tokens.find(
    (token) => token.chain === chain.name && token.symbol.toLowerCase() === symbol,
  );
  if (own) return { token: tokenAt(chain, own.address) };
  if (symbol === testTokenSymbol && chain.isTest) return { token: {}, isAnyTestToken: true };
  throw new ApprovalRefusedError(
    'not-comparable',
    `this client does not know which token "${name.slice(0, 60)}" is on ${chain.name}: name it by its address, or give createPurser its \`tokens\`.`,
  );
}
