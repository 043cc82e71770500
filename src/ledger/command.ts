import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
  readLimit,
} from '../lib/command.ts';
import { formatAmount } from '../lib/money/amount.ts';
import type { Store } from '../store/types.ts';
import { isAccount, isUuid } from './accounts.ts';
import { type Asset, readAssets } from './assets.ts';
import { balancesPerReadMax, readBalances } from './balances.ts';
import { checkLedger, findingsMax } from './check.ts';
import { readEntries } from './entries.ts';
import { trialBalance } from './trial-balance.ts';
import type { LedgerEntry } from './types.ts';
import { ledgerUsage } from './usage.ts';

type AmountOf = (amountMinor: bigint, asset: string) => string;

/**
 * Serves `purser ledger …`.
 * @returns the exit code
 * @throws CommandError
 */
export async function ledgerCommand(
  store: Store,
  { argv, print, projectOf }: CommandInput,
): Promise<number> {
  const {
    values,
    positionals: [verb, subject, ...rest],
  } = parseCommand(argv, { texts: ['project', 'at', 'limit'] });
  const show = (value: unknown, text: string) => {
    print(values.json ? formatJson(value) : text);
    return 0;
  };
  if (values.help || verb === undefined) return show(ledgerUsage, ledgerUsage);
  if (rest.length > 0) throw new CommandError(`Too many words: ${rest.join(' ')}.`);
  const at = readInstant(values.at);
  const limit = readLimit(values.limit, { fallback: 100, max: balancesPerReadMax });
  switch (verb) {
    case 'balances': {
      const balances = await readBalances(store, {
        projectId: await projectOf(values.project),
        limit,
        accountPrefix: subject,
        ...(at && { at }),
      });
      const amountOf = await readAmounts(store, balances);
      const rows = balances.map((row) => [
        row.account,
        row.asset,
        amountOf(row.postedMinor, row.asset),
        amountOf(row.pendingMinor, row.asset),
      ]);
      return show(
        balances,
        rows.length === 0
          ? 'No accounts.'
          : formatTable(['ACCOUNT', 'ASSET', 'POSTED', 'PENDING'], rows),
      );
    }
    case 'entries': {
      if (subject !== undefined && !isAccount(subject))
        throw new CommandError(`"${subject}" is no account of the ledger.`);
      const query = {
        projectId: await projectOf(values.project),
        limit,
        newestFirst: true,
        ...(subject && { account: subject }),
      };
      return showEntries(store, await readEntries(store, query), show);
    }
    case 'order': {
      const orderId = subject?.toLowerCase();
      if (orderId === undefined || !isUuid(orderId))
        throw new CommandError('Name the order by its id: purser ledger order <id>.');
      return showEntries(
        store,
        await readEntries(store, { projectId: await projectOf(values.project), orderId, limit }),
        show,
      );
    }
    case 'trial-balance': {
      const projectId = values.project === undefined ? undefined : await projectOf(values.project);
      const assets = await trialBalance(store, {
        ...(projectId && { projectId }),
        ...(at && { at }),
      });
      const amountOf = await readAmounts(store, assets);
      const rows = assets.flatMap(({ asset, debitMinor, creditMinor, accounts }) => [
        ...accounts.map((line) => [
          asset,
          line.account,
          ...[line.debitMinor, line.creditMinor, line.pendingMinor].map((one) =>
            amountOf(one, asset),
          ),
        ]),
        [
          asset,
          debitMinor === creditMinor ? 'total' : 'total: NOT BALANCED',
          amountOf(debitMinor, asset),
          amountOf(creditMinor, asset),
          '',
        ],
      ]);
      show(
        assets,
        rows.length === 0
          ? 'Nothing is posted.'
          : formatTable(['ASSET', 'ACCOUNT', 'DEBIT', 'CREDIT', 'PENDING'], rows),
      );
      return assets.every(({ debitMinor, creditMinor }) => debitMinor === creditMinor) ? 0 : 1;
    }
    case 'check': {
      const { findings, ...counts } = await checkLedger(store);
      const walked = `${counts.entries} entries with ${counts.postings} postings, ${counts.balances} balances`;
      const list = findings.map(({ where, problem }) => `${where}: ${problem}`).join('\n');
      const atLeast = findings.length === findingsMax ? 'at least ' : '';
      show(
        { ...counts, findings },
        findings.length === 0
          ? `In order: ${walked}.`
          : `${list}\n\n${atLeast}${findings.length} faults in ${walked}.`,
      );
      return findings.length === 0 ? 0 : 1;
    }
    default:
      throw new CommandError(`Unknown command "ledger ${verb}".\n\n${ledgerUsage}`);
  }
}

async function showEntries(
  store: Store,
  entries: readonly LedgerEntry[],
  show: (value: unknown, text: string) => number,
): Promise<number> {
  const amountOf = await readAmounts(
    store,
    entries.flatMap(({ postings }) => postings),
  );
  const rows = entries.flatMap((entry) =>
    entry.postings.map(({ account, asset, amountMinor }, leg) => [
      ...(leg === 0
        ? [entry.recordedAt.toISOString(), entry.kind, entry.phase, entry.reference]
        : ['', '', '', '']),
      account,
      amountOf(amountMinor, asset),
      asset,
    ]),
  );
  const heads = ['RECORDED', 'KIND', 'PHASE', 'REFERENCE', 'ACCOUNT', 'AMOUNT', 'ASSET'];
  return show(entries, rows.length === 0 ? 'No entries.' : formatTable(heads, rows));
}

async function readAmounts(store: Store, rows: readonly Pick<Asset, 'asset'>[]): Promise<AmountOf> {
  const known = await readAssets(
    store,
    rows.map(({ asset }) => asset),
  );
  return (amountMinor, asset) => formatAmount(amountMinor, known.get(asset)?.decimals ?? 0);
}

function readInstant(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(at.getTime()))
    throw new CommandError(`"${text}" is no time: write 2026-01-31 or 2026-01-31T12:00:00Z.`);
  return at;
}
