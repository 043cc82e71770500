import { type OutsideBooks, readOutsideBooks } from './books.ts';
import type { FaultWorld } from './world.ts';

const shownMax = 20;

interface Movement {
  readonly txId: string | null;
  readonly token: string;
  readonly text: string;
}

/**
 * For whoever reads that ledger and chain differ in a token: what only one of them has, and whether
 * the chain went on while the verdict was made.
 */
export async function describeDifference(
  world: FaultWorld,
  books: OutsideBooks,
  symbol: 'usdc' | 'usdxm',
): Promise<string[]> {
  const token = world.tokens[symbol];
  const onChain = books.chain.filter((one) => one.token === token);
  const { rows } = await world.ctx.store.query<Movement>({
    text: `
      select tx_id as "txId", token_address as token, format('the transfer %s for %s is final: %s to %s, at %s', id, subject, amount_minor, recipient, final_at) as text
        from treasury_transfers where status = 'final'
      union all select tx_id, token_address, format('the deposit %s is final: %s from %s, seen at %s', id, amount_minor, sender, seen_at)
        from deposits where status = 'final'`,
    values: [],
  });
  const known = rows.filter((row) => row.token.toLowerCase() === token.toLowerCase());
  const ids = (ones: readonly { readonly txId: string | null }[]) =>
    new Set(ones.map(({ txId }) => txId));
  const [chainIds, knownIds] = [ids(onChain), ids(known)];
  const netMinor = onChain.reduce(
    (sum, { to, amountMinor }) => sum + (to === books.treasury ? amountMinor : -amountMinor),
    0n,
  );
  const nowHas = (await readOutsideBooks(world)).treasuryHolds[symbol];
  return [
    `the chain's log adds up to ${netMinor}, and the token says ${books.treasuryHolds[symbol]}; now it says ${nowHas}`,
    ...known
      .filter(({ txId }) => !chainIds.has(txId as string))
      .map(({ txId, text }) => `${text}; the chain's log has no ${txId}`),
    ...onChain
      .filter(({ txId }) => !knownIds.has(txId))
      .map(
        ({ from, to, amountMinor, txId }) =>
          `${amountMinor} went from ${from} to ${to} by ${txId}, and the service has nothing final of it`,
      ),
  ].slice(0, shownMax);
}
