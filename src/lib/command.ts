import { parseArgs } from 'node:util';
import { ServiceError } from './errors.ts';

/** A sentence for whoever typed the command; no stack trace, exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export type Print = (line: string) => void;

/** What a command is given. */
export interface CommandInput {
  /** The words behind its name. */
  readonly argv: readonly string[];
  readonly print: Print;
  /** The project that was named, or the only one. */
  readonly projectOf: (named: string | undefined) => Promise<string>;
}

interface Options {
  /** Those that have a text behind them. */
  readonly texts?: readonly string[];
  /** Those that have none; every command has `help` and `json`. */
  readonly flags?: readonly string[];
}

type TextsOf<O> = O extends { readonly texts: readonly (infer Name extends string)[] }
  ? Name
  : never;
type FlagsOf<O> = O extends { readonly flags: readonly (infer Name extends string)[] }
  ? Name
  : never;

/** The options of a command that were given. */
export type CommandValues<O extends Options> = {
  readonly [K in TextsOf<O>]?: string;
} & { readonly [K in FlagsOf<O> | 'help' | 'json']?: boolean };

/** Reads the words behind a command. @throws CommandError unknown option, missing value */
export function parseCommand<const O extends Options>(
  argv: readonly string[],
  { texts = [], flags = [] }: O,
): { readonly values: CommandValues<O>; readonly positionals: string[] } {
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: 'string' }] as const),
    ...[...flags, 'json'].map((name) => [name, { type: 'boolean' }] as const),
  ]);
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
    return { values: values as CommandValues<O>, positionals };
  } catch (error) {
    throw new CommandError(explainArguments(error as Error & { readonly code?: string }));
  }
}

/** What Node.js says of a command line, in one line that says what to type. */
function explainArguments({ code, message }: Error & { readonly code?: string }): string {
  const name = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `There is no option ${name} here; --help lists those there are.`;
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message;
  return message.includes('does not take')
    ? `${name} takes no value.`
    : `${name} needs a value behind it (one that begins with a dash: ${name}=-1).`;
}

/** A list written with commas. */
export function readCommas(text: string | undefined): string[] | undefined {
  return text === undefined
    ? undefined
    : text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '');
}

/** How many rows a command shows, from 1 to `max`. @throws CommandError */
export function readLimit(
  text: string | undefined,
  { fallback = 50, max = 500 }: { readonly fallback?: number; readonly max?: number } = {},
): number {
  const limit = text === undefined ? fallback : /^\d+$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= max) return limit;
  throw new CommandError(`--limit is a whole number from 1 to ${max}.`);
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `90s`, `15m`, `12h` or `30d`; `0` is none. @throws CommandError */
export function readDuration(text: string): number {
  if (text === '0') return 0;
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (!count || !unit)
    throw new CommandError(`"${text}" is no length of time: write 90s, 15m, 12h or 30d.`);
  return Number(count) * unitMs[unit]!;
}

/**
 * Columns padded to their widest cell. What others may have written reaches no terminal as a
 * control character.
 */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const cells = [heads, ...rows.map((row) => row.map((cell) => cell.replaceAll(/\p{C}/gu, ' ')))];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** No letter, or not seen, or what turns the direction of reading; blanks and newlines stand. */
const unprintable = /(?![\n ])[\p{C}\p{Z}\p{DI}]/gu;

/**
 * JSON for a terminal: sums are texts, and what others may have written has nothing in it that a
 * terminal obeys or nobody sees, yet reads as the same value.
 * @param indent 0: in one line
 */
export function formatJson(value: unknown, indent = 2): string {
  const text = JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part),
    indent,
  );
  return text.replaceAll(unprintable, (sign) =>
    Array.from({ length: sign.length }, (_, at) => escaped(sign, at)).join(''),
  );
}

const escaped = (text: string, at: number) =>
  `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;

/** What a failed command says. */
export function explainFailure(error: unknown): string {
  if (error instanceof CommandError || error instanceof ServiceError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
