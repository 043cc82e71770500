import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { Network, ResolvedToken, Tokens } from '../../family.ts';
import { readTokenAccount } from './layout.ts';
import type { ChainAccount } from './node.ts';
import { programs } from './wrapping/programs.ts';

/**
 * What an operation would change in its wallet's balances, told by the accounts before and after
 * its simulation.
 */

/** Changes that are named; nobody's honest operation has more. */
const changesMax = 50;

export interface Accounts {
  readonly address: string;
  readonly before: ChainAccount | undefined;
  readonly after: ChainAccount | undefined;
}

interface Change {
  /** Absent: native money. */
  readonly mint?: string;
  readonly deltaMinor: bigint;
}

export function walletChanges(wallet: string, accounts: readonly Accounts[]): Change[] {
  const own = accounts.find(({ address }) => address === wallet);
  const native = (own?.after?.lamports ?? 0n) - (own?.before?.lamports ?? 0n);
  const byMint = new Map<string, bigint>();
  for (const { before, after } of accounts) {
    for (const [account, sign] of [
      [before, -1n],
      [after, 1n],
    ] as const) {
      const token = readTokenAccount(account);
      if (token?.owner === wallet)
        byMint.set(token.mint, (byMint.get(token.mint) ?? 0n) + sign * token.amount);
    }
  }
  const tokens = [...byMint].map(([mint, deltaMinor]): Change => ({ mint, deltaMinor }));
  return [{ deltaMinor: native }, ...tokens]
    .filter(({ deltaMinor }) => deltaMinor !== 0n)
    .slice(0, changesMax);
}

/**
 * Whoever else's accounts are written, and the programs that are called: those that get something,
 * or decide who does.
 */
export function counterpartiesOf(
  {
    wallet,
    feePayer,
    programs: called,
  }: { readonly wallet: string; readonly feePayer: string; readonly programs: readonly string[] },
  accounts: readonly Accounts[],
): string[] {
  const common = new Set<string>([...Object.values(programs), wallet, feePayer]);
  const written = accounts.flatMap(({ address, before, after }) => {
    const owner = (readTokenAccount(after) ?? readTokenAccount(before))?.owner;
    return owner === undefined ? [address] : owner === wallet ? [] : [owner];
  });
  return [...new Set([...written, ...called])].filter((address) => !common.has(address));
}

export function nameChanges(
  tokens: Pick<Tokens, 'resolveToken'>,
  network: Network,
  changes: readonly Change[],
): Promise<JsonObject[]> {
  return Promise.all(
    changes.map(async ({ mint, deltaMinor }): Promise<JsonObject> => {
      const listed = network.tokens.find(({ address }) => mint !== undefined && address === mint);
      const symbol = mint === undefined ? network.native.symbol : listed?.symbol;
      const token = await tokens
        .resolveToken(network.name, symbol === undefined ? { address: mint! } : { symbol })
        .catch(ignoreOdd);
      return token
        ? describeChange(token, deltaMinor)
        : { token: `${network.name}:${mint}`, rawAmount: deltaMinor.toString() };
    }),
  );
}

/** A mint that the simulation itself makes cannot be described yet. */
function ignoreOdd(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'token-not-supported') return undefined;
  throw error;
}

function describeChange(
  { locator, symbol, decimals }: ResolvedToken,
  deltaMinor: bigint,
): JsonObject {
  return {
    token: locator,
    symbol,
    decimals,
    amount: formatAmount(deltaMinor, decimals),
    rawAmount: deltaMinor.toString(),
  };
}
