import { expect, test } from 'vitest';
import { formatJson, parseCommand } from './command.ts';

test.each([
  [['--last', '-5'], '--last needs a value behind it (one that begins with a dash: --last=-1).'],
  [['--last'], '--last needs a value behind it (one that begins with a dash: --last=-1).'],
  [['--nope'], 'There is no option --nope here; --help lists those there are.'],
  [['-x'], 'There is no option -x here; --help lists those there are.'],
  [['--json=3'], '--json takes no value.'],
])('a mistyped command line (%j) is one sentence that says what to type', (argv, sentence) => {
  expect(() => parseCommand(argv, { texts: ['last'] })).toThrow(sentence);
});

test('what others have written reads as the same value in JSON, and reaches no terminal raw', () => {
  const texts = [
    '\u001b[2J',
    '\u009b31m',
    '\u007f',
    'a\u202eb\u2066c\u2069',
    '\u200b\u00ad\u2028\u00a0',
    '\u{e0041}\u3164',
    '\ud800',
    'two words\nof 漢字 and 🙂',
  ];
  const value = { texts, [texts[1]!]: null };
  for (const indent of [0, 2]) {
    const text = formatJson(value, indent);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.replaceAll(/[ \n]/g, '')).not.toMatch(/[\p{C}\p{Z}\p{DI}]/u);
    expect(text).toContain('漢字 and 🙂');
  }
  expect(formatJson({ sum: 12n }, 0)).toBe('{"sum":"12"}');
});
