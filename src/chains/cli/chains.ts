import type { Config } from '../../config/config.ts';
import { systemClock } from '../../lib/clock.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
} from '../../lib/command.ts';
import { createLogger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import { families, loadFamilies } from '../families.ts';
import { statusUsage } from './usage.ts';

interface ChainsCtx {
  readonly config: Config;
  readonly store: Store;
}

const verbs = new Map(families.flatMap(({ code }) => Object.entries(code?.commands ?? {})));

/** What `purser chains` says about itself, with the verbs that only some families have. */
export const chainsUsage = [
  statusUsage,
  ...[...verbs.values()].map(({ usage }) => usage),
  'Options: [--json]',
].join('\n');

/** Serves `purser chains …`. @throws CommandError, and what verbs of families throw */
export async function chainsCommand(ctx: ChainsCtx, input: CommandInput): Promise<void> {
  const { values, positionals } = parseCommand(input.argv, {});
  const [verb] = positionals;
  if (values.help || verb === undefined) return input.print(chainsUsage);
  if (verb === 'status')
    return printStatus(ctx, { print: input.print, json: values.json === true });
  const command = verbs.get(verb);
  if (!command) throw new CommandError(`Unknown command "chains ${verb}".\n\n${chainsUsage}`);
  await (await command.load())(ctx, input);
}

async function printStatus(
  { config, store }: ChainsCtx,
  { print, json }: { readonly print: Print; readonly json: boolean },
): Promise<void> {
  const log = createLogger({ level: 'silent', process: 'purser' });
  const served = await loadFamilies({ config, store, clock: systemClock, log });
  const relays = (await Promise.all(served.map((family) => family.relayStatus()))).flat();
  const watchers = (await Promise.all(served.map((family) => family.watchStatus()))).flat();
  if (json) return print(formatJson({ relays, watchers }));
  const text = (value: unknown) => (value === undefined ? '-' : String(value));
  print(
    formatTable(
      ['CHAIN', 'QUEUED', 'IN FLIGHT', 'OLDEST MS', 'PENDING TXS', 'FEES LAST HOUR', 'ALARM'],
      relays.map((relay) => [
        relay.chain,
        ...[
          relay.queued,
          relay.inFlight,
          relay.oldestQueuedMs,
          relay.pendingTransactions,
          relay.spentHourMinor,
          relay.alarm,
        ].map(text),
      ]),
    ),
  );
  print('');
  print(
    formatTable(
      ['CHAIN', 'ROLE', 'ADDRESS', 'BALANCE', 'WORKER', 'ALARM'],
      relays.flatMap(({ chain, accounts }) =>
        accounts.map(({ role, address, balanceMinor, leasedBy, alarm }) => [
          chain,
          role,
          address,
          ...[balanceMinor, leasedBy, alarm].map(text),
        ]),
      ),
    ),
  );
  print('');
  print(
    formatTable(
      ['CHAIN', 'LAG', 'SILENT MS', 'ALARM'],
      watchers.map(({ chain, lagBlocks, silentMs, alarm, failure }) => [
        chain,
        text(lagBlocks),
        text(silentMs),
        text(alarm ?? failure),
      ]),
    ),
  );
}
