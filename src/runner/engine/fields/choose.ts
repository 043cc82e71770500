import { plain } from '../words/words.ts';

/** One of a list, as the page shows it. */
export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly disabled?: boolean;
}

/**
 * The choice that one of the spellings names; by value, by text, then by a text that begins with
 * it. -1 without one.
 */
export function findChoice(choices: readonly Choice[], spellings: readonly string[]): number {
  const rows = choices.map((choice, index) => ({
    index,
    value: plain(choice.value),
    text: plain(choice.text),
    disabled: choice.disabled === true,
  }));
  const open = rows.filter((row) => !row.disabled && (row.value !== '' || row.text !== ''));
  const tests: ((row: (typeof open)[number], spelling: string) => boolean)[] = [
    (row, spelling) => row.text === spelling || row.value === spelling,
    (row, spelling) =>
      spelling.length > 2 &&
      (bare(row.text) === bare(spelling) || bare(row.value) === bare(spelling)),
    (row, spelling) =>
      row.value.endsWith(`-${spelling}`) ||
      row.value.endsWith(`:${spelling}`) ||
      row.text.endsWith(`(${spelling})`) ||
      row.text.startsWith(`${spelling} -`),
    (row, spelling) =>
      spelling.length > 3 && (row.text.startsWith(spelling) || row.text.includes(` ${spelling}`)),
    (row, spelling) =>
      /^\d+$/.test(spelling) &&
      /^\d+\b/.exec(row.text)?.[0]?.replace(/^0+/, '') === spelling.replace(/^0+/, ''),
  ];
  for (const test of tests) {
    for (const spelling of spellings.map(plain)) {
      const found = open.filter((row) => test(row, spelling));
      if (found.length >= 1 && (found.length === 1 || tests.indexOf(test) < 2))
        return found[0]!.index;
    }
  }
  return -1;
}

const bare = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
