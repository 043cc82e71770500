import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-files.ts';

/** The items of OWASP ASVS 5.0.0 at level 1, and with a `b` at level 2, by section. */
const standard = `
1.1: 1b 2b
1.2: 1 2 3 4 5 6b 7b 8b 9b
1.3: 1 2 3b 4b 5b 6b 7b 8b 9b 10b 11b
1.4: 1b 2b 3b
1.5: 1 2b
2.1: 1 2b 3b
2.2: 1 2 3b
2.3: 1 2b 3b 4b
2.4: 1b
3.2: 1 2
3.3: 1 2b 3b 4b
3.4: 1 2 3b 4b 5b 6b
3.5: 1 2 3 4b 5b
3.7: 1b 2b
4.1: 1 2b 3b
4.2: 1b
4.3: 1b 2b
4.4: 1 2b 3b 4b
5.1: 1b
5.2: 1 2 3b
5.3: 1 2
5.4: 1b 2b 3b
6.1: 1 2b 3b
6.2: 1 2 3 4 5 6 7 8 9b 10b 11b 12b
6.3: 1 2 3b 4b
6.4: 1 2 3b 4b
6.5: 1b 2b 3b 4b 5b
6.6: 1b 2b 3b
6.8: 1b 2b 3b 4b
7.1: 1b 2b 3b
7.2: 1 2 3 4
7.3: 1b 2b
7.4: 1 2 3b 4b 5b
7.5: 1b 2b
7.6: 1b 2b
8.1: 1 2b
8.2: 1 2 3b
8.3: 1
8.4: 1b
9.1: 1 2 3
9.2: 1 2b 3b 4b
10.1: 1b 2b
10.2: 1b 2b
10.3: 1b 2b 3b 4b
10.4: 1 2 3 4 5 6b 7b 8b 9b 10b 11b
10.5: 1b 2b 3b 4b 5b
10.6: 1b 2b
10.7: 1b 2b 3b
11.1: 1b 2b
11.2: 1b 2b 3b
11.3: 1 2 3b
11.4: 1 2b 3b 4b
11.5: 1b
11.6: 1b
12.1: 1 2b 3b
12.2: 1 2
12.3: 1b 2b 3b 4b
13.1: 1b
13.2: 1b 2b 3b 4b 5b
13.3: 1b 2b
13.4: 1 2b 3b 4b 5b
14.1: 1b 2b
14.2: 1 2b 3b 4b
14.3: 1 2b 3b
15.1: 1 2b 3b
15.2: 1 2b 3b
15.3: 1 2b 3b 4b 5b 6b 7b
16.1: 1b
16.2: 1b 2b 3b 4b 5b
16.3: 1b 2b 3b 4b
16.4: 1b 2b 3b
16.5: 1b 2b 3b
17.1: 1b
17.2: 1b 2b 3b 4b
17.3: 1b 2b
`;
const items = standard
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [section, numbers] = line.split(': ');
    return numbers!.split(' ').map((number) => ({
      item: `${section}.${number.replace('b', '')}`,
      level: number.endsWith('b') ? '2' : '1',
    }));
  });

const guide = readFileSync(join(root, 'docs/guides/asvs.md'), 'utf8');
const rows = [...guide.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| (.*) \|$/gm)].map(
  ([, item, level, verdict, how]) => ({
    item: item!,
    level: level!,
    verdict: verdict!,
    how: how!,
  }),
);
const verdicts = ['met', 'met, no test', 'not applicable', 'accepted'];

// That every test which is named exists is checked of all guides (guides.test.ts).
describe('docs/guides/asvs.md', () => {
  it('has each of the 253 items of the standard once, in its order and with its level', () => {
    expect(items).toHaveLength(253);
    expect(rows.map(({ item, level }) => ({ item, level }))).toEqual(items);
  });

  it('says of each whether it is met, by a test that it names; else why it may be believed, does not apply, or is accepted', () => {
    expect(
      rows.filter(({ verdict }) => !verdicts.includes(verdict)).map(({ item }) => item),
    ).toEqual([]);
    const named = /\[test\]\(\.\.\/\.\.\/[^)]+\) “[^”]{10,}”/;
    expect(
      rows
        .filter(({ verdict }) => verdict !== 'accepted')
        .filter(({ verdict, how }) => (verdict === 'met') !== named.test(how))
        .map(({ item }) => item),
    ).toEqual([]);
    expect(
      rows.filter(({ how }) => how.length < 10).map(({ item, how }) => `${item}: ${how}`),
    ).toEqual([]);
  });

  it('counts them right', () => {
    const countsOf = (some: typeof rows) => [
      some.length,
      ...verdicts.map((verdict) => some.filter((row) => row.verdict === verdict).length),
    ];
    const told = [
      ...guide.matchAll(/^\| (?:V(\d+) [^|]+|\*\*(all)\*\*|of which level (1)) \| ([\d |]+) \|$/gm),
    ];
    expect(told).toHaveLength(19);
    for (const [line, chapter, all, level, counts] of told)
      expect(counts!.split(' | ').map(Number), line).toEqual(
        countsOf(
          rows.filter(
            (row) => all !== undefined || row.level === level || row.item.startsWith(`${chapter}.`),
          ),
        ),
      );
  });
});
