import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkCoreDumps } from './core-dumps.ts';

/** What the system says of a process that was started with this limit. */
const limitsOf = (limit: string) => execFileSync('/bin/sh', ['-c', `ulimit -S -c ${limit}; cat /proc/self/limits`], { encoding: 'utf8' });
const isHere = process.platform === 'linux' && !/^Max core file size\s+\S+\s+0/m.test(readFileSync('/proc/self/limits', 'utf8'));

it.runIf(process.platform === 'linux')('a vault without core dumps starts', () => {
  expect(() => checkCoreDumps(limitsOf('0'))).not.toThrow();
});

it.runIf(isHere)('a vault that may write one does not, and says how to forbid it', () => {
  expect(() => checkCoreDumps(limitsOf('1000'))).toThrow(/may write core dumps \(limit: \d+\)[^.]*`ulimit -c 0`/);
});
