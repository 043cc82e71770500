import { CommandError, readLimit } from './command.ts';
import { decodePosition, encodePosition, type ListPosition } from './cursor.ts';
import { ServiceError } from './errors.ts';

export interface CommandPage<Row> {
  readonly rows: readonly Row[];
  /** What `--after` takes for the next page; undefined: there is none. */
  readonly next: string | undefined;
}

/**
 * A page of what a command lists, the newest first.
 * @param list.query what the list is asked by: a cursor of another one is refused
 * @throws CommandError for a limit or a cursor that is none
 */
export async function readPage<Row>(
  options: { readonly limit?: string | undefined; readonly after?: string | undefined },
  list: {
    readonly query: readonly unknown[];
    readonly placeOf: (row: Row) => ListPosition;
    readonly read: (page: {
      readonly before: ListPosition | undefined;
      readonly limit: number;
    }) => Promise<readonly Row[]>;
  },
): Promise<CommandPage<Row>> {
  const limit = readLimit(options.limit);
  // One more says whether there are more.
  const found = await list.read({ before: readAfter(options.after, list.query), limit: limit + 1 });
  const rows = found.slice(0, limit);
  return {
    rows,
    next: found.length > limit ? encodePosition(list.placeOf(rows.at(-1)!), list.query) : undefined,
  };
}

function readAfter(text: string | undefined, query: readonly unknown[]): ListPosition | undefined {
  if (text === undefined) return undefined;
  try {
    return decodePosition(text, query);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new CommandError(
      '--after takes what the page before has printed, beside the same other options.',
    );
  }
}

/** The command that shows the next page, below a table. */
export const withNext = (
  table: string,
  { next }: Pick<CommandPage<unknown>, 'next'>,
  command: string,
): string => (next === undefined ? table : `${table}\n\nMore: ${command} --after ${next}`);

/** Options as they were typed, for the next command. */
export const repeatOptions = (options: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(options)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [` --${name}${value.startsWith('-') ? '=' : ' '}${quoted(value)}`],
    )
    .join('');

/** As a shell takes it for one word. */
const quoted = (word: string): string =>
  /^[\w.,:@/+-]+$/.test(word)
    ? word
    : `'${word.replaceAll("'", "'\\''").replaceAll(/\p{C}/gu, ' ')}'`;
