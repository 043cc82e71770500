import { expect, test } from 'vitest';
import type { Logger } from '../lib/log/log.ts';
import { createRunLog, describeError } from './run-log.ts';

// Looked at as a whole, each of these took a minute.
test('an address as long as a page likes is written down short, and holds up nobody', {
  timeout: 20_000,
}, () => {
  const lines: unknown[] = [];
  const write = (fields: object) => void lines.push(fields);
  const log = createRunLog({ info: write, warn: write } as unknown as Logger, (text) => text);
  const url = `http://shop.example/?token=secret ${'http://'.repeat(90_000)}`;
  log.info({ url }, 'A step is done.');
  expect(lines).toEqual([
    { url: expect.stringMatching(/^http:\/\/shop\.example\/ (?:http:\/\/){60}/) },
  ]);
  expect(describeError(new Error(`At ${url}`))).toMatch(
    /^Error: At http:\/\/shop\.example\/ http:.{400,480}$/,
  );
});
