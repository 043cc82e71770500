import { suiCoinType } from '../config/networks.ts';
import { memosOf } from '../operation/transfer-program.ts';
import type { Recorded } from '../rpc/checkpoints.ts';
import type { BalanceChange } from '../rpc/transactions.ts';

/** Money that went from one address to another in a transaction. */
export interface Movement {
  /** The same however often it is read: one transaction gives one address one sum of one coin. */
  readonly id: string;
  readonly coinType: string;
  readonly amount: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly memo?: string;
}

/** Texts of this form are memos of deposits: what `newMemo` makes. */
export const memoPattern = /^[0-9a-f]{32}$/;

/**
 * Characters of a coin's type. What has a longer one is passed over: no locator names it, its ids
 * are longer than an index of the database takes, and whoever sends it is not to stop the watcher.
 */
const typeLengthMax = 1_024;

/**
 * Who got what in a transaction, by the balances before and after: what happens inside of packages
 * counts by its result. Gas is nobody's movement. A failed transaction moved nothing. Sender is
 * whoever has less of the coin: the transaction's own sender when it is among several, or when
 * nobody has less (the coin was minted, or came out of a package).
 */
export function movementsOf(transaction: Recorded): Movement[] {
  const { digest, sender, succeeded } = transaction;
  if (!succeeded) return [];
  const memo = memoOf(transaction);
  const moved = withoutGas(transaction);
  return moved
    .filter(({ amount, coinType }) => amount > 0n && coinType.length <= typeLengthMax)
    .map(({ address: recipient, coinType, amount }) => {
      const givers = moved
        .filter((other) => other.coinType === coinType && other.amount < 0n)
        .map(({ address }) => address);
      const [only = sender] = givers.length === 1 ? givers : [];
      return {
        id: `${digest}:${recipient}:${coinType}`,
        coinType,
        amount,
        sender: only,
        recipient,
        ...(memo !== undefined && { memo }),
      };
    });
}

/**
 * Changes as they are but for the gas, which may have hidden one: what its payer got and what it
 * cost may be the same.
 */
function withoutGas({ gasOwner, gas, changes }: Recorded): readonly BalanceChange[] {
  const isPayers = ({ address, coinType }: BalanceChange) =>
    address === gasOwner && coinType === suiCoinType;
  const own = changes.find(isPayers)?.amount ?? 0n;
  const amount = own + gas.computation + gas.storage - gas.rebate;
  return [
    ...changes.filter((change) => !isPayers(change)),
    { address: gasOwner, coinType: suiCoinType, amount },
  ];
}

/** The one memo that a transaction carries: with two, nobody knows for which the money is. */
function memoOf({ program }: Recorded): string | undefined {
  const memos = memosOf(program).filter((text) => memoPattern.test(text));
  return memos.length === 1 ? memos[0] : undefined;
}
