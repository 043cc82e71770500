import type { Ctx } from '../../context.ts';
import {
  CommandError,
  formatJson,
  type Print,
  parseCommand,
  readLimit,
} from '../../lib/command.ts';
import { selectOperatorCommands } from './store.ts';

export const operationsUsage = `purser operations log [--limit 50]   who ran which command on this database, the newest first
                                     as begun, done or failed; values that may name people show as #<hash>, equal ones alike`;

export async function operationsCommand(
  ctx: Pick<Ctx, 'store'>,
  { argv, print }: { readonly argv: readonly string[]; readonly print: Print },
): Promise<void> {
  const { positionals, values } = parseCommand(argv, { texts: ['limit'] });
  if (positionals.length !== 1 || positionals[0] !== 'log') throw new CommandError(operationsUsage);
  const limit = readLimit(values.limit, { max: 1_000 });
  const rows = await selectOperatorCommands(ctx.store, limit);
  if (values.json) return print(formatJson(rows));
  for (const row of rows)
    print(
      `${row.at.toISOString()}  ${row.outcome.padEnd(6)}  ${row.osUser}@${row.host}  purser ${row.command}`,
    );
}
