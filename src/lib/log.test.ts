import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { programArgs } from '../../test/harness/programs.ts';

/** Runs a process that logs to `path`. @returns its exit code and what it said on standard error */
async function logTo(path: string): Promise<[number | null, string]> {
  const output = openSync(path, 'w');
  const child = spawn(process.execPath, programArgs('src/lib/log-child.ts'), { stdio: ['ignore', output, 'pipe'], timeout: 20_000 });
  closeSync(output);
  let text = '';
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return [child.exitCode, text];
}

// Linux has a file that is always full.
test.skipIf(process.platform !== 'linux')('a log on a full disk costs its lines, not the process', async () => {
  expect(await logTo('/dev/full')).toEqual([0, 'through']);
});
