import { chainRows, testTokenSymbol } from './constants.ts';
import { type Hex, isAddress, isSameAddress } from './hash.ts';
import { ApprovalRefusedError } from './refusal.ts';

/** A chain as this client knows it; the service is not asked. */
export interface Chain {
  readonly name: string;
  readonly id: number;
  readonly native: { readonly symbol: string; readonly decimals: number };
  readonly usdc: Hex | undefined;
  readonly testName: string | undefined;
  readonly isTest: boolean;
}

/**
 * A token of a chain, known to the caller: amounts of others than the native money and USDC can
 * only be checked with it.
 */
export interface KnownToken {
  readonly chain: string;
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** What is moved. Symbol and decimals are this client's own knowledge, never the service's word. */
export interface ReviewedToken {
  /** Absent: the chain's own money. */
  readonly address?: string;
  /** Absent: not known here; show the address. */
  readonly symbol?: string;
  readonly decimals?: number;
}

const usdcDecimals = 6;
let rows: ReadonlyMap<string, Chain> | undefined;

function allChains(): ReadonlyMap<string, Chain> {
  rows ??= new Map(
    chainRows.split(';').map((row) => {
      const [name = '', id, symbol = '', decimals, usdc, testName, test] = row.split(',');
      const native = { symbol, decimals: Number(decimals) };
      return [
        name,
        {
          name,
          id: Number(id),
          native,
          usdc: (usdc || undefined) as Hex | undefined,
          testName: testName || undefined,
          isTest: test === 't',
        },
      ];
    }),
  );
  return rows;
}

/**
 * The chain that a name stands for: outside production a main network's is its test network's.
 * @throws ApprovalRefusedError
 */
export function chainOf(name: unknown, isProduction: boolean): Chain {
  const named = allChains().get(String(name));
  const chain =
    named?.testName !== undefined && !isProduction ? allChains().get(named.testName) : named;
  if (!chain)
    throw new ApprovalRefusedError(
      'chain',
      `this client does not know the chain "${String(name).slice(0, 64)}".`,
    );
  return chain;
}

/** A token by its address; undefined: the native money. */
export function tokenAt(
  chain: Chain,
  address: string | undefined,
  known: readonly KnownToken[] = [],
): ReviewedToken {
  if (address === undefined) return chain.native;
  if (chain.usdc !== undefined && isSameAddress(chain.usdc, address))
    return { address: chain.usdc, symbol: 'usdc', decimals: usdcDecimals };
  const own = known.find(
    (token) => token.chain === chain.name && isSameAddress(token.address, address),
  );
  return own ? { address, symbol: own.symbol, decimals: own.decimals } : { address };
}

export interface NamedToken {
  readonly token: ReviewedToken;
  readonly tokenId?: string;
  /** A test token whose address each instance has its own: whichever is moved, it is test money. */
  readonly isAnyTestToken?: true;
}

/**
 * What a token locator names, behind its chain.
 * @throws ApprovalRefusedError when this client does not know the symbol
 */
export function tokenOf(chain: Chain, name: string, known: readonly KnownToken[]): NamedToken {
  const [address, tokenId] = name.split(':');
  if (isAddress(address))
    return { token: tokenAt(chain, address, known), ...(tokenId === undefined ? {} : { tokenId }) };
  const symbol = name.toLowerCase();
  if (symbol === chain.native.symbol.toLowerCase()) return { token: chain.native };
  if (symbol === 'usdc' && chain.usdc !== undefined) return { token: tokenAt(chain, chain.usdc) };
  const own = known.find(
    (token) => token.chain === chain.name && token.symbol.toLowerCase() === symbol,
  );
  if (own) return { token: tokenAt(chain, own.address, known) };
  if (symbol === testTokenSymbol && chain.isTest) return { token: {}, isAnyTestToken: true };
  throw new ApprovalRefusedError(
    'not-comparable',
    `this client does not know which token "${name.slice(0, 60)}" is on ${chain.name}: name it by its address, or give createPurser its \`tokens\`.`,
  );
}

/** Smallest units as whole ones, without needless zeros. */
export function wholeUnits(amountMinor: bigint, decimals: number): string {
  const digits = amountMinor.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Whole units as smallest ones; undefined when it is no such amount. */
export function smallestUnits(amount: unknown, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,78})(?:\.(\d{1,78}))?$/.exec(String(amount)) ?? [];
  const digits = fraction.replace(/0+$/, '');
  return whole === undefined || digits.length > decimals
    ? undefined
    : BigInt(whole + digits.padEnd(decimals, '0'));
}
