import { expect, it } from 'vitest';
import { parseCommand } from './command.ts';
import { repeatOptions } from './command-pages.ts';

it.each(['alice', 'userId:a b', "o'neil", '-alice', '--limit', ''])(
  'options are printed for the next page as the command takes them: %j',
  (find) => {
    const words = repeatOptions({ find, limit: '1', project: undefined })
      .trim()
      .match(/(?:'(?:[^']|'\\'')*'|[^\s'])+/g)!
      .map((word) =>
        word.replaceAll("'\\''", '\u0000').replaceAll("'", '').replaceAll('\u0000', "'"),
      );
    const { values } = parseCommand(words, { texts: ['find', 'limit'] });
    expect(values).toMatchObject({ find, limit: '1' });
  },
);
