import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../tidy/source-files.ts';
import { ruleFaults } from './faults.ts';
import { findPlaces } from './places.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('the rules that must never be broken', () => {
  it.each(ruleFaults)(
    '$rule: its fault still stands in the source, and its test is there',
    ({ file, from, to, test: [testFile, name] }) => {
      expect(findPlaces(read(file), from), `${file} has “${from}” once`).toHaveLength(1);
      expect(to).not.toBe(from);
      // Names of tables are made of their rows: the first words, as far as they are written.
      const words = name.replace(/\b\d+ times$/, '%i times');
      expect(read(testFile)).toContain(words);
    },
  );

  it('are each named once', () => {
    expect(new Set(ruleFaults.map(({ rule }) => rule)).size).toBe(ruleFaults.length);
  });
});
