import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatPayload, isPublicType } from '../../src/areas/webhooks/events/event-types.ts';
import type { Ctx } from '../../src/context.ts';
import type { Json } from '../../src/lib/json/json.ts';

/** One call of a test, as it went over the wire. */
export interface RecordedCall {
  readonly method: string;
  /** Address with path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

/**
 * Folder of the recordings, one file a process. `npm run docs:examples` sets it and makes
 * docs/api/examples.json of them.
 */
export const recordingFolder = 'PURSER_RECORD_CALLS';

/** Keeps a call when the run records; else does nothing. */
export function recordCall(call: RecordedCall): void {
  const folder = process.env[recordingFolder];
  if (folder !== undefined)
    appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify(call)}\n`);
}

/** Keeps what a project was told of, as receivers of webhooks get it, when the run records. */
export async function recordEvents(ctx: Pick<Ctx, 'store'>): Promise<void> {
  if (process.env[recordingFolder] === undefined) return;
  const { rows } = await ctx.store.query<{ id: string; type: string; object: string; data: Json }>({
    text: 'select id, type, object, data from outbox where data is not null',
  });
  for (const row of rows.filter(({ type }) => isPublicType(type)))
    recordCall({
      method: 'EVENT',
      url: `event:${row.type}`,
      headers: {},
      status: 200,
      answer: JSON.parse(formatPayload(row)),
    });
}
