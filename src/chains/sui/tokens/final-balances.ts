import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../lib/errors.ts';
import { readFinalBalances } from '../../family/proofs/final-balances.ts';
import type { FinalBalances, ResolvedToken, TokenBalance } from '../../family.ts';
import { readHead } from '../rpc/checkpoints.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { readSuiBalances } from './tokens.ts';

const looksMax = 10;
const lookPauseMs = 50;

export interface FinalBalancesInput {
  readonly address: string;
  readonly tokens: readonly ResolvedToken[];
  /** What the watcher told as final; undefined: nothing so far. */
  readonly finalHeight: () => Promise<bigint | undefined>;
}

/**
 * As `Tokens.readFinalBalances`, of the node's newest checkpoint.
 * @throws provider-unavailable they change faster than they are read, or the watcher is behind
 */
export async function readFinalSuiBalances(
  connection: SuiConnection,
  { address, tokens, finalHeight }: FinalBalancesInput,
): Promise<FinalBalances | undefined> {
  return readFinalBalances({
    chain: connection.network.name,
    tokens,
    toldHeight: finalHeight,
    async readAmounts() {
      const { height, balances } = await readBalancesAt(connection, { address, tokens });
      return { height, amounts: balances.map(({ amountMinor }) => amountMinor) };
    },
  });
}

/**
 * Balances of one checkpoint. An answer does not say of which one it is, so what stands between two
 * equal answers is taken.
 * @throws provider-unavailable they change faster than they are read
 */
export async function readBalancesAt(
  connection: SuiConnection,
  { address, tokens }: Pick<FinalBalancesInput, 'address' | 'tokens'>,
): Promise<{ readonly height: bigint; readonly balances: readonly TokenBalance[] }> {
  let before = await readSuiBalances(connection, address, tokens);
  for (let look = 0; look < looksMax; look++) {
    const { checkpoint: height } = await readHead(connection);
    const balances = await readSuiBalances(connection, address, tokens);
    if (balances.every(({ amountMinor }, index) => amountMinor === before[index]!.amountMinor))
      return { height, balances };
    before = balances;
    await delay(lookPauseMs);
  }
  throw new ServiceError('provider-unavailable', {
    message: `Balances on "${connection.network.name}" change faster than they are read: retry later.`,
  });
}
