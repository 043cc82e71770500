import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../context.ts';
import { CommandError, type Print, parseCommand } from '../lib/command.ts';
import type { Store } from '../store/types.ts';
import { describeLength, readLength } from './length.ts';
import { advanceClock, readAheadMs, selectParts } from './store.ts';
import { clockUsage } from './usage.ts';

export interface ClockCommandInput {
  /** The words behind `purser clock`. */
  readonly argv: readonly string[];
  readonly print: Print;
  readonly environment: Environment;
  /** The main database; the worker moves the vault along. */
  readonly store: Store;
  /** How long running parts may take; 30 s when absent. */
  readonly waitMaxMs?: number;
}

const waitDefaultMs = 30_000;
const pollMs = 50;

/** Runs `purser clock …`. @throws CommandError with a sentence for whoever typed it */
export async function clockCommand(input: ClockCommandInput): Promise<void> {
  // A length below zero looks like an option to the reader of options.
  const argv = input.argv.map((word) => (/^-\d/.test(word) ? ` ${word}` : word));
  const { positionals } = parseCommand(argv, {});
  const [verb = 'show', length, ...more] = positionals.map((word) => word.trim());
  if (more.length > 0)
    throw new CommandError(`There is one word too many: "${more[0]}".\n\n${clockUsage}`);
  if (verb === 'reset')
    throw new CommandError(
      'Time never goes back. npm start -- --reset starts empty, at the time of this machine.',
    );
  if (verb !== 'show' && verb !== 'advance')
    throw new CommandError(`Unknown command "clock ${verb}".\n\n${clockUsage}`);
  if (verb === 'advance' && input.environment !== 'development')
    throw new CommandError(`The clock is moved in development only; this is ${input.environment}.`);
  if (verb === 'show') return show(input);
  if (length === undefined)
    throw new CommandError(`How long? For example: purser clock advance 3d.`);
  await advance(input, readLength(length));
}

async function show({ store, print }: ClockCommandInput): Promise<void> {
  const aheadMs = await readAheadMs(store);
  print(
    `The service’s time is ${timeAt(aheadMs)}, ${aheadMs === 0 ? 'that of this machine' : `${describeLength(aheadMs)} ahead of this machine`}.`,
  );
}

async function advance(input: ClockCommandInput, byMs: number): Promise<void> {
  const { store, print } = input;
  const aheadMs = await advanceClock(store, byMs);
  const parts = await waitForParts(store, aheadMs, input.waitMaxMs ?? waitDefaultMs);
  print(
    `The service’s time was ${timeAt(aheadMs - byMs)} and is ${timeAt(aheadMs)} now, ${describeLength(aheadMs)} ahead of this machine.`,
  );
  print(
    parts.length === 0
      ? 'Nothing runs: what is started next begins at that time.'
      : `Moved: ${parts.join(', ')}.`,
  );
}

/** Until every part that runs keeps the new time; answers their names. */
async function waitForParts(store: Store, aheadMs: number, waitMaxMs: number): Promise<string[]> {
  for (const endAtMs = performance.now() + waitMaxMs; ; await delay(pollMs)) {
    const parts = await selectParts(store);
    const behind = parts.filter((part) => part.aheadMs < aheadMs).map(({ name }) => name);
    if (behind.length === 0) return parts.map(({ name }) => name);
    if (performance.now() > endAtMs)
      throw new CommandError(
        `The clock was moved, but after ${waitMaxMs / 1_000} s these parts have not followed: ${behind.join(', ')}. ` +
          'They go on trying; their logs say why. purser clock show shows the time.',
      );
  }
}

/** The service's time to the second. */
function timeAt(aheadMs: number): string {
  return new Date(Date.now() + aheadMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
