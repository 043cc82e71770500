import type { OperationReview } from '@purser/sdk';
import { useEffect, useState } from 'react';
import { wholeUnits } from '../../sdk/src/evm/chains.ts';
import { type Balance, getBalances } from './api.ts';

export interface Change {
  readonly symbol: string;
  readonly before: string;
  readonly after: string;
  readonly isShort: boolean;
}

const tokensMax = 10;

/**
 * What leaves the wallet by transfers, by token: its address, or the symbol of the native money.
 */
function leavingOf({ calls }: OperationReview): ReadonlyMap<string, bigint> {
  const leaving = new Map<string, bigint>();
  for (const call of calls) {
    if (call.kind !== 'transfer') continue;
    const name = call.token.address ?? call.token.symbol ?? '';
    leaving.set(name, (leaving.get(name) ?? 0n) + BigInt(call.amountMinor));
  }
  return leaving;
}

/**
 * Balances before, as the service says them, and after, as it follows from what is signed. Nothing
 * while they are not known.
 */
export function useBalances(review: OperationReview | undefined): readonly Change[] {
  const [changes, setChanges] = useState<readonly Change[]>([]);
  useEffect(() => {
    if (!review) return;
    const leaving = leavingOf(review);
    const names = [...leaving.keys()].filter((name) => name !== '').slice(0, tokensMax);
    if (names.length === 0) return;
    let isGone = false;
    getBalances(
      review.wallet,
      names.map((name) => `${review.chain}:${name}`),
    )
      .then((balances) => {
        if (!isGone)
          setChanges(
            names.flatMap((name) => changeOf(name, leaving.get(name)!, review.chain, balances)),
          );
      })
      // They are shown beside what is asked, and decide nothing.
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [review]);
  return changes;
}

function changeOf(
  name: string,
  leaving: bigint,
  chain: string,
  balances: readonly Balance[],
): Change[] {
  const isNamed = ({ symbol, chains }: Balance) => {
    const { contractAddress, contractId, mintHash } = chains[chain] ?? {};
    const address = contractAddress ?? contractId ?? mintHash;
    return (address ?? symbol)?.toLowerCase() === name.toLowerCase();
  };
  const found = balances.find(isNamed);
  const raw = found?.chains[chain]?.rawAmount;
  if (!found || raw === undefined) return [];
  const before = BigInt(raw);
  const isShort = before < leaving;
  const shown = (minor: bigint) => wholeUnits(minor, found.decimals);
  return [
    {
      symbol: found.symbol?.toUpperCase() ?? name,
      before: shown(before),
      after: isShort ? 'not enough' : shown(before - leaving),
      isShort,
    },
  ];
}
