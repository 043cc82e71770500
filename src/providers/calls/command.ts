import type { Ctx } from '../../context.ts';
import {
  CommandError,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
} from '../../lib/command.ts';
import { listProviderCalls, type ProviderCalls } from './calls.ts';
import { providersUsage } from './usage.ts';

/** Serves `purser providers`. @throws CommandError */
export async function providersCommand(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  input: { readonly argv: readonly string[]; readonly print: Print },
): Promise<void> {
  const { values, positionals } = parseCommand(input.argv, {});
  if (values.help) return input.print(providersUsage);
  if (positionals[0] !== undefined)
    throw new CommandError(`Unknown command "providers ${positionals[0]}".\n\n${providersUsage}`);
  const found = await listProviderCalls(ctx.store, ctx.clock.now());
  if (values.json) return input.print(formatJson(found));
  if (found.length === 0) return input.print('No company and no node was called within two days.');
  input.print(
    formatTable(
      ['PROVIDER', 'LAST HOUR', 'FAILED', 'TWO DAYS', 'FAILED', 'LAST FAILURE'],
      found.map(lineOf),
    ),
  );
}

const lineOf = ({ provider, hour, twoDays, lastFailureAt }: ProviderCalls): string[] => [
  provider,
  `${hour.calls}`,
  shareOf(hour),
  `${twoDays.calls}`,
  shareOf(twoDays),
  lastFailureAt?.toISOString() ?? '-',
];

const shareOf = ({ calls, failures }: ProviderCalls['hour']): string =>
  failures === 0 ? '0' : `${failures} (${((failures / calls) * 100).toFixed(1)} %)`;
