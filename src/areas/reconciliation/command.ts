import type { Ctx } from '../../context.ts';
import { readAssets } from '../../ledger/index.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
} from '../../lib/command.ts';
import { formatMoney } from '../../lib/money/fiat.ts';
import { type Difference, selectHistory } from './differences-store.ts';
import { reconcileProject } from './reconcile.ts';
import { reconcileBooks } from './turns.ts';
import { reconcileUsage } from './usage.ts';

const historyMax = 500;

/**
 * Serves `purser reconcile`.
 * @param openCtx opens the chains and the vault's client
 * @returns the exit code: 1 when there is a difference
 * @throws CommandError, ServiceError
 */
export async function reconcileCommand(
  openCtx: () => Promise<Ctx>,
  { argv, print, projectOf }: CommandInput,
): Promise<number> {
  const { values, positionals } = parseCommand(argv, {
    texts: ['project'],
    flags: ['full', 'history'],
  });
  if (values.help) {
    print(reconcileUsage);
    return 0;
  }
  if (positionals.length > 0)
    throw new CommandError(`"${positionals[0]}" is not understood.\n\n${reconcileUsage}`);
  const projectId = await projectOf(values.project);
  const ctx = await openCtx();
  if (values.history) {
    const differences = await selectHistory(ctx.store, { projectId, limit: historyMax });
    const text =
      differences.length === 0 ? 'There never was a difference.' : await tableOf(ctx, differences);
    print(values.json ? formatJson(differences) : text);
    return 0;
  }
  const full = values.full === true;
  const project = await reconcileProject(ctx, projectId, { full });
  const books = full ? await reconcileBooks(ctx) : undefined;
  const differences = [...project.differences, ...(books?.differences ?? [])];
  const skipped = [...project.skipped, ...(books?.skipped ?? [])];
  if (values.json) print(formatJson({ compared: project.compared, skipped, differences }));
  else {
    if (differences.length > 0) print(await tableOf(ctx, differences));
    for (const sentence of skipped) print(`not compared: ${sentence}`);
    const count =
      differences.length === 1 ? '1 difference' : `${differences.length || 'no'} differences`;
    print(`${project.compared} compared, ${count}.`);
  }
  return differences.length === 0 ? 0 : 1;
}

async function tableOf(
  ctx: Pick<Ctx, 'store'>,
  differences: readonly Difference[],
): Promise<string> {
  const assets = await readAssets(
    ctx.store,
    differences.map(({ asset }) => asset),
  );
  const rows = differences.map((difference) => {
    const { decimals = 0, symbol = '' } = assets.get(difference.asset) ?? {};
    const amount = (minor: bigint) =>
      difference.asset === ''
        ? ''
        : formatMoney({ amountMinor: minor, decimals, currency: symbol }).trimEnd();
    return [
      difference.comparison,
      difference.problem,
      amount(difference.expectedMinor),
      amount(difference.foundMinor),
      difference.firstSeenAt.toISOString(),
      difference.goneAt?.toISOString() ?? '',
    ];
  });
  return formatTable(['WHERE', 'DIFFERENCE', 'EXPECTED', 'FOUND', 'SINCE', 'GONE'], rows);
}
