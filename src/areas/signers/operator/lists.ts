import { chainTypes } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import { CommandError, formatTable, readLimit } from '../../../lib/command.ts';
import { readPage, repeatOptions, withNext } from '../../../lib/command-pages.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { readBalancesInUse } from '../../balances/index.ts';
import { listTransactionLines, transactionStatuses } from '../../transactions/index.ts';
import { listWalletLines, type WalletRecord } from '../../wallets/index.ts';

/** The lists of `purser wallets …`, as the console's screens have them. */

/** Shows an answer: as JSON, or as this text. */
export type Show = (value: unknown, text: string) => void;

interface Options {
  readonly find?: string | undefined;
  readonly family?: string | undefined;
  readonly status?: string | undefined;
  readonly limit?: string | undefined;
  readonly after?: string | undefined;
  readonly project?: string | undefined;
}

/** Wallets of a project, the newest first. @throws CommandError */
export async function showWallets(
  { store }: Pick<Ctx, 'store'>,
  projectId: string,
  { find, family, project, limit, after }: Options,
  show: Show,
): Promise<void> {
  const chainType = family === undefined ? undefined : oneOf(chainTypes, family, '--family');
  const page = await readPage(
    { limit, after },
    {
      query: ['wallets', projectId, chainType, find],
      placeOf: ({ createdAt, id }: WalletLine) => ({ at: createdAt, id }),
      read: (place) =>
        listWalletLines(store, { projectIds: [projectId], chainType, find, ...place }),
    },
  );
  const rows = page.rows.map((line) => [
    line.address,
    line.chainType,
    line.isChanged ? `${line.type}, changed` : line.type,
    line.owner ?? line.purpose ?? '-',
    line.createdAt.toISOString(),
  ]);
  const command = `purser wallets list${repeatOptions({ project, family, find, limit })}`;
  const table = formatTable(['WALLET', 'FAMILY', 'TYPE', 'OWNER', 'MADE'], rows);
  show({ wallets: page.rows, next: page.next }, withNext(table, page, command));
}

type WalletLine = Awaited<ReturnType<typeof listWalletLines>>[number];

/** What a wallet sent, the newest first. @throws CommandError */
export async function showTransactions(
  { store }: Pick<Ctx, 'store'>,
  wallet: WalletRecord,
  { status, limit }: Options,
  show: Show,
): Promise<void> {
  const lines = await listTransactionLines(store, {
    walletId: wallet.id,
    status: status === undefined ? undefined : oneOf(transactionStatuses, status, '--status'),
    limit: readLimit(limit),
  });
  const rows = lines.map(({ id, chain, subject, status: now, send, tokenLocator, error }) => [
    id,
    chain,
    send ? `${send.amount ?? ''} ${tokenLocator ?? ''} to ${send.recipient ?? '?'}` : subject,
    now,
    error ?? '',
  ]);
  show(lines, formatTable(['TRANSACTION', 'CHAIN', 'WHAT', 'STATUS', 'ERROR'], rows));
}

/**
 * What a wallet holds of the listed tokens on the chains that it used.
 * @returns the exit code: 1 when a chain did not answer
 */
export async function showBalances(ctx: Ctx, wallet: WalletRecord, show: Show): Promise<number> {
  const { balances, unreachable } = await readBalancesInUse(ctx, wallet);
  const lines = balances.map(({ token, amountMinor }) => ({
    chain: token.chain,
    token: token.locator,
    amount: formatAmount(amountMinor, token.decimals),
  }));
  show(
    { balances: lines, unreachable },
    [
      formatTable(
        ['CHAIN', 'TOKEN', 'AMOUNT'],
        lines.map(({ chain, token, amount }) => [chain, token, amount]),
      ),
      ...unreachable.map(({ chain, error }) => `${chain}: ${error}`),
    ].join('\n'),
  );
  return unreachable.length > 0 ? 1 : 0;
}

function oneOf<const T extends string>(known: readonly T[], text: string, option: string): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new CommandError(`${option} is one of: ${known.join(', ')}.`);
  return found;
}
