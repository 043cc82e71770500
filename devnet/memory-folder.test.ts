import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeThrowAwayFolder } from './memory-folder.ts';

const prefix = `purser-memory-test-${process.pid}-`;
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const make = () => {
  const folder = makeThrowAwayFolder(prefix);
  made.push(folder);
  return folder;
};

describe('a folder for what nobody keeps', () => {
  it('is there, and another one each time', () => {
    const [one, other] = [make(), make()];
    expect(one).not.toBe(other);
    expect(statSync(one).isDirectory()).toBe(true);
  });

  it('takes the place of those whose process is gone, and of no other', () => {
    const living = make();
    const { pid } = spawnSync(process.execPath, ['--version']);
    const [dead, foreign] = [`${prefix}${pid}-abcdef`, `${prefix}notes`].map((name) =>
      join(dirname(living), name),
    ) as [string, string];
    made.push(dead, foreign);
    mkdirSync(join(dead, 'base'), { recursive: true });
    mkdirSync(foreign);
    make();
    expect(existsSync(living)).toBe(true);
    expect(existsSync(foreign)).toBe(true);
    // On a disk, whose system clears its own temporary folder, nothing is removed.
    expect(existsSync(dead)).toBe(!living.startsWith('/dev/shm/'));
  });
});
