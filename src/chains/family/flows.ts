/** What went from whom to whom, where a chain tells only what each has more or less. */

export interface Delta {
  readonly owner: string;
  readonly deltaMinor: bigint;
}

export interface Flow {
  readonly sender: string;
  readonly recipient: string;
  readonly amountMinor: bigint;
}

/**
 * Of one token: those who have less give to those who have more, in their order.
 * @param maker who gives what is made, and gets what is burnt
 */
export function pairDeltas(deltas: readonly Delta[], maker: string): Flow[] {
  const sides = { in: 1n, out: -1n } as const;
  const sideOf = (side: keyof typeof sides) =>
    deltas
      .filter(({ deltaMinor }) => deltaMinor * sides[side] > 0n)
      .map(({ owner, deltaMinor }) => ({ owner, left: deltaMinor * sides[side] }));
  const [givers, takers] = [sideOf('out'), sideOf('in')];
  const total = (side: typeof givers) => side.reduce((sum, { left }) => sum + left, 0n);
  const surplus = total(takers) - total(givers);
  if (surplus > 0n) givers.push({ owner: maker, left: surplus });
  if (surplus < 0n) takers.push({ owner: maker, left: -surplus });
  const flows: Flow[] = [];
  for (let giver = 0, taker = 0; giver < givers.length && taker < takers.length; ) {
    const [from, to] = [givers[giver]!, takers[taker]!];
    const amountMinor = from.left < to.left ? from.left : to.left;
    flows.push({ sender: from.owner, recipient: to.owner, amountMinor });
    from.left -= amountMinor;
    to.left -= amountMinor;
    if (from.left === 0n) giver++;
    if (to.left === 0n) taker++;
  }
  return flows;
}
