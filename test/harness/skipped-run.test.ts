import { describe, expect, it } from 'vitest';
import { linesOfSkipped } from './skipped-run.ts';

describe('the tests that a run skipped', () => {
  it('are named with their reason, once for each reason', () => {
    expect(
      linesOfSkipped([
        { name: 'a program > is compiled', note: 'clang-19 is not installed' },
        { name: 'a family > has seeds', note: 'it has none' },
        { name: 'not chosen', note: undefined },
        { name: 'another family > has seeds', note: 'it has none' },
        { name: 'a third family > has seeds', note: 'it has none' },
      ]),
    ).toEqual([
      'Skipped, clang-19 is not installed: a program > is compiled',
      'Skipped, it has none: a family > has seeds and 2 more',
    ]);
    expect(linesOfSkipped([])).toEqual([]);
  });
});
