import { resolve } from 'node:path';
import type { Operation } from '../../areas/operations/index.ts';
import { CommandError, type Print } from '../../lib/command.ts';
import { commandNames, loadCommand, overview } from './areas.ts';
import type { CommandCall, Opened } from './command.ts';

export interface PurserInput {
  /** The words behind `purser`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: Print;
}

/**
 * Runs one command line.
 * @returns the exit code
 * @throws CommandError, ServiceError, ConfigError with a sentence for whoever typed it
 */
export async function runPurser({ args, env, print }: PurserInput): Promise<number> {
  const {
    dataDir,
    words: [name, ...argv],
  } = takeDataOption(args);
  if (name === undefined || name === 'help' || isHelp(name)) {
    await printHelp(argv, print);
    return 0;
  }
  const command = await loadCommand(name);
  if (!command)
    throw new CommandError(
      `Unknown command "${name}": it is one of ${commandNames.join(', ')}. See purser help.`,
    );
  if (argv.some(isHelp)) {
    print(command.usage);
    return 0;
  }
  let opened: Promise<Opened & { readonly operation: Operation }> | undefined;
  const call: CommandCall = {
    argv,
    print,
    env,
    dataDir,
    open: async () => {
      const { openInstance } = await import('./open.ts');
      opened ??= openInstance({ argv, print, env, dataDir, words: [name, ...argv] });
      return opened;
    },
  };
  let outcome: 'done' | 'failed' = 'failed';
  try {
    const code = (await command.run(call)) ?? 0;
    if (code === 0) outcome = 'done';
    return code;
  } catch (error) {
    throw explain(error);
  } finally {
    const closed = await opened?.catch(() => undefined);
    // That it began is recorded; what it printed and answered counts more than that it ended.
    await closed?.operation.end(outcome).catch(() => undefined);
    await closed?.ctx.store.close();
  }
}

const isHelp = (word: string) => word === '--help' || word === '-h';

async function printHelp([topic]: readonly string[], print: Print): Promise<void> {
  if (topic === undefined) return print(overview());
  if (topic !== '--all') {
    const command = await loadCommand(topic);
    if (!command)
      throw new CommandError(
        `There is no command "${topic}": it is one of ${commandNames.join(', ')}.`,
      );
    return print(command.usage);
  }
  print(overview());
  for (const name of commandNames) print(`\n${(await loadCommand(name))!.usage}`);
}

/**
 * `--data` may stand anywhere: it says where to work, not what to do.
 * @throws CommandError without a value
 */
function takeDataOption(args: readonly string[]): {
  readonly dataDir?: string;
  readonly words: readonly string[];
} {
  const at = args.findIndex((word) => word === '--data' || word.startsWith('--data='));
  if (at === -1) return { words: args };
  const word = args[at]!;
  const value = word === '--data' ? args[at + 1] : word.slice('--data='.length);
  if (value === undefined || value === '' || value.startsWith('-'))
    throw new CommandError('--data needs the name of a folder: the one that npm start was given.');
  return { dataDir: resolve(value), words: args.toSpliced(at, word === '--data' ? 2 : 1) };
}

function explain(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const isAway =
    /^(?:ECONN|ENOENT|ETIMEDOUT|ENOTFOUND|57P0)/.test(code ?? '') ||
    /timeout|terminated/i.test(message ?? '');
  return isAway
    ? new CommandError(
        'The database does not answer: is it running? A local instance is started with npm start.',
      )
    : error;
}
