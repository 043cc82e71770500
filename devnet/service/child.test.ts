import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepChild } from './child.ts';

test('a kept process that cannot be started again is tried again, and takes nobody with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-dev-child-'));
  const said: string[] = [];
  const child = keepChild({
    // There is no such program: it ends at once, by itself.
    program: join(folder, 'missing.ts'),
    env: {},
    logFile: join(folder, 'child.log'),
    title: 'The program',
    withoutIt: 'nothing else ends',
    print: (text) => said.push(text),
  });
  // From now on its log cannot be opened either.
  rmSync(folder, { recursive: true });
  await expect
    .poll(() => said.at(-1))
    .toMatch(/^The program cannot be started \(.*ENOENT.*\); trying again\.$/);
  await child.stop();
});
