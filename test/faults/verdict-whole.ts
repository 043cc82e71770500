import { readBalances } from '../../src/ledger/index.ts';
import { expectLedgerBalanced } from '../harness/ledger.ts';
import type { OutsideBooks } from './books.ts';
import type { DisputeBooks } from './cards.ts';
import { readStray, waitingMinor } from './strays.ts';
import { sum } from './sums.ts';
import { describeDifference } from './token-movements.ts';
import type { FaultWorld } from './world.ts';

/** The whole of the ledger against the whole of the outside. */
export async function judgeWhole(world: FaultWorld, books: OutsideBooks): Promise<string[]> {
  const problems: string[] = [];
  await expectLedgerBalanced(world.ctx.store).catch((error: Error) => problems.push(error.message));
  const balanceOf = async (account: string, asset: string) => {
    const balances = await readBalances(world.ctx.store, {
      projectId: world.projectId,
      account,
      limit: 100,
    });
    return (
      balances.find((balance) => balance.asset.toLowerCase() === asset.toLowerCase())
        ?.postedMinor ?? 0n
    );
  };
  const compare = (what: string, ours: bigint, theirs: bigint) => {
    if (ours !== theirs)
      problems.push(`${what}: the ledger has ${ours}, and the outside ${theirs}`);
  };
  const { rows } = await world.ctx.store.query<{ account: string; sum: string }>({
    text: `select account, sum(posted_minor)::text as sum from ledger_postings where account like 'bank:%' and project_id = $1 group by account`,
    values: [world.projectId],
  });
  const goneMinor = sum(
    books.bank.filter(({ isGone }) => isGone).map(({ amountMinor }) => amountMinor),
  );
  compare('cents at the bank', sum(rows.map((row) => BigInt(row.sum))), -goneMinor);
  const cards = [...books.cards.values()];
  compare(
    'cents at the acquirer',
    await balanceOf('card:stripe:receivable', 'usd'),
    sum(
      cards.map(
        ({ capturedMinor, refundedMinor, dispute }) =>
          capturedMinor - refundedMinor - disputedOf(dispute, ['open', 'lost']),
      ),
    ),
  );
  compare(
    'cents in dispute',
    await balanceOf('card:stripe:disputes', 'usd'),
    sum(cards.map(({ dispute }) => disputedOf(dispute, ['open']))),
  );
  const lost = sum(cards.map(({ dispute }) => disputedOf(dispute, ['lost'])));
  compare('cents lost by disputes', await balanceOf('equity:dispute-losses', 'usd'), lost);
  for (const token of ['usdc', 'usdxm'] as const) {
    const found = problems.length;
    compare(
      `${token} of the treasury`,
      await balanceOf('chain:base-sepolia:treasury', `base-sepolia:${world.tokens[token]}`),
      books.treasuryHolds[token],
    );
    if (problems.length > found)
      problems.push(...(await describeDifference(world, books, token)).map((line) => `  ${line}`));
  }
  const strays = await Promise.all(
    world.strays.all().map((stray) => readStray(world, books, stray)),
  );
  for (const token of ['usdc', 'usdxm'] as const)
    compare(
      `${token} that fit no order`,
      await balanceOf('suspense:unmatched', `base-sepolia:${world.tokens[token]}`),
      -waitingMinor(strays, token),
    );
  const { rows: orders } = await world.ctx.store.query<{ n: number }>({
    text: 'select count(*)::int as n from orders',
  });
  if (orders[0]!.n !== world.orderCount)
    problems.push(`${world.orderCount} orders were created, and there are ${orders[0]!.n}`);
  return problems;
}

function disputedOf(
  dispute: DisputeBooks | undefined,
  statuses: readonly DisputeBooks['status'][],
): bigint {
  return dispute && statuses.includes(dispute.status) ? dispute.amountMinor : 0n;
}
