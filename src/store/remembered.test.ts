import { describe, expect, it } from 'vitest';
import { countHere, noteHere, remembered } from './remembered.ts';
import { createRowMacs } from './row-mac.ts';

const now = new Date('2026-03-08T12:00:00Z');
const until = new Date(now.getTime() + 86_400_000);
const db = () => ({ rowMacs: createRowMacs([]) }) as never;

describe('what a process remembers', () => {
  it('is what goes on, however many others come once', { tags: 'slow' }, () => {
    const one = db();
    const counted = { key: 'guesses', now, until };
    const noted = { key: 'counter', now, until, value: 7n };
    countHere(one, counted);
    noteHere(one, noted);
    for (let nr = 0; nr < 450_000; nr++) {
      countHere(one, { key: `other:${nr}`, now, until });
      if (nr % 50_000 === 0) {
        countHere(one, counted);
        noteHere(one, noted);
      }
    }
    expect(remembered(one, counted)).toBe(10n);
    expect(remembered(one, noted)).toBe(7n);
    expect(remembered(one, { key: 'other:0', now })).toBe(0n);
  });

  it('is over when its time is, whatever was counted since', () => {
    const one = db();
    countHere(one, { key: 'guesses', now, until });
    countHere(one, { key: 'guesses', now, until: new Date(until.getTime() + 1) });
    expect(remembered(one, { key: 'guesses', now: until })).toBe(0n);
  });
});
