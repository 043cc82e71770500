import { expect, test } from 'vitest';
import { parseCommand } from './command.ts';

test.each([
  [['--last', '-5'], '--last needs a value behind it (one that begins with a dash: --last=-1).'],
  [['--last'], '--last needs a value behind it (one that begins with a dash: --last=-1).'],
  [['--nope'], 'There is no option --nope here; --help lists those there are.'],
  [['-x'], 'There is no option -x here; --help lists those there are.'],
  [['--json=3'], '--json takes no value.'],
])('a mistyped command line (%j) is one sentence that says what to type', (argv, sentence) => {
  expect(() => parseCommand(argv, { last: { type: 'string' } })).toThrow(sentence);
});
