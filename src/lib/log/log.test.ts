import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { programArgs } from '../../../test/harness/programs.ts';
import { Secret } from '../sealing/secret.ts';
import { createLogger } from './log.ts';

/** Runs a process that logs to `path`. @returns its exit code and what it said on standard error */
async function logTo(path: string): Promise<[number | null, string]> {
  const output = openSync(path, 'w');
  const child = spawn(process.execPath, programArgs('src/lib/log/log-child.ts'), {
    stdio: ['ignore', output, 'pipe'],
    timeout: 20_000,
  });
  closeSync(output);
  let text = '';
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return [child.exitCode, text];
}

// Linux has a file that is always full.
test.skipIf(process.platform !== 'linux')(
  'a log on a full disk costs its lines, not the process',
  async () => {
    expect(await logTo('/dev/full')).toEqual([0, 'through']);
  },
);

describe('a line', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase({ empty: true });
  });
  afterAll(() => database.close());

  const lineOf = (
    fields: object,
  ): { readonly text: string; readonly err: Record<string, unknown> } => {
    let text = '';
    createLogger({ level: 'info', process: 'test' }, { write: (line) => void (text += line) }).info(
      fields,
      'said',
    );
    return { text, err: (JSON.parse(text) as { err: Record<string, unknown> }).err };
  };
  const failure = (text: string): Promise<Error> =>
    database.store.query({ text }).then(
      () => expect.unreachable(),
      (error: Error) => error,
    );

  test('about a statement that failed names constraint and table, and no value of the row', async () => {
    const statement = `create table people (age int constraint grown check (age > 17), name text); insert into people values (7, 'canary')`;
    const { text, err } = lineOf({ err: new Error('outer', { cause: await failure(statement) }) });
    expect(err).toMatchObject({
      message: 'outer',
      cause: { type: 'error', code: '23514', constraint: 'grown', table: 'people' },
    });
    expect((err.cause as Error).message).toContain('violates check constraint "grown"');
    expect((err.cause as Error).stack).toContain('log.test.ts');
    expect(text).not.toContain('canary');
    const malformed = lineOf({ err: await failure('select \'canary "quoted" one\'::uuid') });
    expect(malformed.err.message).toBe('invalid input syntax for type uuid: "…"');
    expect(malformed.text).not.toContain('canary');
  });

  test('shows no secret, however deep it lies and whatever its name is written like', () => {
    const { text } = lineOf({
      apiKey: 'canary',
      a: {
        b: [
          { 'x-api-key': 'canary', Client_Secret: 'canary', c: { d: { authorization: 'canary' } } },
        ],
        s: new Secret('canary'),
      },
      err: Object.assign(new Error('refused'), { config: { url: 'canary' }, detail: 'canary' }),
      bytes: Buffer.from('canary'),
      seen: { at: new Date(0), count: 1n },
    });
    expect(text).not.toContain('canary');
    expect(text).toContain('"seen":{"at":"1970-01-01T00:00:00.000Z","count":1}');
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    expect(lineOf({ ring }).text).toContain('[deep]');
  });
});
