import { z } from 'zod';
import type { TokenBalance } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import {
  decodeCursor,
  decodePosition,
  encodeCursor,
  encodePosition,
  type ListPosition,
  placeNumber,
} from '../../../lib/cursor.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { type ConsoleCall, json, readWith, sessionRoute } from './guard.ts';

/** Of a list as CSV: it is one answer, held in memory. */
const csvRowsMax = 5_000;
const pageMax = 100;

/**
 * How the place behind a row is said to whoever asks for the next page. `asked` is the question
 * that the place belongs to.
 */
export interface Places<Row, Place> {
  encode(row: Row, asked: readonly unknown[]): string;
  /** @throws validation-error for a text that is no cursor of this question */
  decode(text: string, asked: readonly unknown[]): Place;
}

/** Of rows that are sorted by a time, then their id. */
export const byTime = <Row>(placeOf: (row: Row) => ListPosition): Places<Row, ListPosition> => ({
  encode: (row, asked) => encodePosition(placeOf(row), asked),
  decode: decodePosition,
});

const numberSchema = z.object({ nr: placeNumber });

/** Of rows that are sorted by a number which only rises. */
export const byNumber = <Row>(numberOf: (row: Row) => string): Places<Row, string> => ({
  encode: (row, asked) => encodeCursor({ nr: numberOf(row) }, asked),
  decode: (text, asked) => decodeCursor(numberSchema, text, asked).nr,
});

interface ListSpec<Filters, Row, Place> {
  /** What can be asked beside project, cursor and limit; every value is text. */
  readonly filters: z.ZodType<Filters>;
  readonly places: Places<Row, Place>;
  /** At most `limit` rows behind a place, in the order of the list. */
  readonly rows: (
    ctx: Ctx,
    call: ConsoleCall & {
      readonly query: Filters;
      readonly after: Place | undefined;
      readonly limit: number;
      readonly isCsv: boolean;
    },
  ) => Promise<readonly Row[]>;
  /** Columns of the same list as CSV, by name; absent: there is none. */
  readonly csv?: Readonly<Record<string, (row: Row) => unknown>>;
}

const pageSchema = z.object({
  project: z.uuid().optional(),
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(pageMax).default(25),
  format: z.enum(['csv']).optional(),
});

/**
 * A list of the console, page by page or as CSV: of the projects that the operator has a role in,
 * and with a limit.
 */
export function listRoute<Filters extends object, Row, Place>(
  path: string,
  spec: ListSpec<Filters, Row, Place>,
): PublicRoute {
  const { filters, places, rows, csv } = spec;
  return sessionRoute(path, z.looseObject({}), async (ctx, call) => {
    const { cursor, limit: pageSize, format, project } = readWith(pageSchema, call.query);
    const asked = readWith(filters, call.query);
    const question = [
      path,
      project,
      ...Object.entries(asked).sort(),
      ...Object.entries(call.params),
    ];
    const isCsv = format === 'csv' && csv !== undefined;
    const limit = isCsv ? csvRowsMax : pageSize;
    const after = cursor === undefined ? undefined : places.decode(cursor, question);
    const found = await rows(ctx, { ...call, query: asked, after, limit: limit + 1, isCsv });
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    if (!isCsv)
      return json(200, { items, ...(last && { nextCursor: places.encode(last, question) }) });
    return {
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="purser${path.replaceAll(/[^a-z]+/g, '-')}.csv"`,
        'x-content-type-options': 'nosniff',
      },
      body: toCsv(csv, items),
    };
  });
}

/** An amount as it is shown. */
export const amountView = ({ token, amountMinor }: TokenBalance) => ({
  chain: token.chain,
  amount: formatAmount(amountMinor, token.decimals),
  currency: token.symbol ?? token.locator,
});

/** RFC 4180; text that a spreadsheet would take for a formula is kept from being one. */
function toCsv<Row>(
  columns: Readonly<Record<string, (row: Row) => unknown>>,
  rows: readonly Row[],
): string {
  const lines = rows.map((row) => Object.values(columns).map((of) => field(of(row))));
  return [Object.keys(columns), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

const numberPattern = /^-?\d+(?:\.\d+)?$/;

function field(value: unknown): string {
  const text =
    value === undefined || value === null
      ? ''
      : value instanceof Date
        ? value.toISOString()
        : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && !numberPattern.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
