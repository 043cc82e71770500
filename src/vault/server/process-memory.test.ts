import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkProcessMemory, overwriteFreed } from './process-memory.ts';

/** What the system says of a process that was started with this limit. */
const limitsOf = (limit: string) =>
  execFileSync('/bin/sh', ['-c', `ulimit -S -c ${limit}; cat /proc/self/limits`], {
    encoding: 'utf8',
  });
const isHere =
  process.platform === 'linux' &&
  !/^Max core file size\s+\S+\s+0/m.test(readFileSync('/proc/self/limits', 'utf8'));

it.runIf(process.platform === 'linux')('a vault without core dumps starts', () => {
  expect(() => checkProcessMemory({ limits: limitsOf('0') })).not.toThrow();
});

it.runIf(isHere)('a vault that may write one does not, and says how to forbid it', () => {
  expect(() => checkProcessMemory({ limits: limitsOf('1000') })).toThrow(
    /may write core dumps \(limit: \d+\)[^.]*`ulimit -c 0`/,
  );
});

it('a vault whose freed memory keeps what lay in it does not start where that can be asked for, and says how', () => {
  const glibcVersion = '2.36';
  for (const tunables of [undefined, '', 'glibc.malloc.perturb=165', `x${overwriteFreed}`])
    expect(() => checkProcessMemory({ glibcVersion, tunables })).toThrow(
      `start it with GLIBC_TUNABLES=${overwriteFreed}`,
    );
  for (const tunables of [overwriteFreed, `glibc.cpu.x86_shstk=on:${overwriteFreed}`])
    expect(() => checkProcessMemory({ glibcVersion, tunables })).not.toThrow();
  expect(() => checkProcessMemory({})).not.toThrow();
});
