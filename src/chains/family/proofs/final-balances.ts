import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../lib/errors.ts';
import type { FinalBalances, ResolvedToken } from '../capabilities/tokens.ts';

/** Final balances where a node tells those of its newest final height alone. */

/**
 * Amounts in the order of the tokens, undefined where there is no such token, and the one height
 * that all of them are of.
 */
export interface AmountsAt {
  /** Undefined: the node moved on between two of them. */
  readonly height: bigint | undefined;
  readonly amounts: readonly (bigint | undefined)[];
}

export interface FinalBalancesInput {
  readonly chain: string;
  readonly tokens: readonly ResolvedToken[];
  /** Up to where everything was told as final; undefined: nothing so far. */
  readonly toldHeight: () => Promise<bigint | undefined>;
  readonly readAmounts: () => Promise<AmountsAt>;
}

const looksMax = 10;
const lookPauseMs = 200;
const waitMaxMs = 15_000;

/**
 * As `Tokens.readFinalBalances`: the height is the node's, and this waits until everything up to
 * there was told.
 * @throws provider-unavailable the node moves on faster than it answers, or the watcher is behind
 */
export async function readFinalBalances(
  input: FinalBalancesInput,
): Promise<FinalBalances | undefined> {
  const { chain, tokens, toldHeight } = input;
  if ((await toldHeight()) === undefined) return undefined;
  const { height, amounts } = await readSettledAmounts(input);
  for (let waitedMs = 0; ; waitedMs += lookPauseMs) {
    const told = await toldHeight();
    if (told === undefined) return undefined;
    if (told >= height) break;
    if (waitedMs >= waitMaxMs)
      throw new ServiceError('provider-unavailable', {
        message: `The watcher of "${chain}" is behind: retry later.`,
      });
    await delay(lookPauseMs);
  }
  const balances = tokens.flatMap((token, index) =>
    amounts[index] === undefined ? [] : [{ token, amountMinor: amounts[index] }],
  );
  return { height, balances };
}

/** All of one height. @throws provider-unavailable the node moves on faster than it answers */
export async function readSettledAmounts({
  chain,
  readAmounts,
}: Pick<FinalBalancesInput, 'chain' | 'readAmounts'>) {
  for (let look = 0; look < looksMax; look++) {
    const { height, amounts } = await readAmounts();
    if (height !== undefined) return { height, amounts };
    await delay(lookPauseMs / 4);
  }
  throw new ServiceError('provider-unavailable', {
    message: `The node of "${chain}" does not tell all balances of one height: retry later.`,
  });
}
