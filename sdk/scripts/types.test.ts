import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderGenerated } from './types.ts';

test("the client's types and methods are those of docs/api and of the error table: else run npm run docs", async () => {
  for (const [file, text] of await renderGenerated()) expect(readFileSync(file, 'utf8')).toBe(text);
});
