import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../tidy/source-files.ts';
import { shuffle } from './changes.ts';
import { applyMutant, findMutants, orderMutants } from './mutants.ts';
import { createNearestTests } from './nearest.ts';
import { shareCaught } from './report.ts';

const source = `import { a } from './a.ts';
type Size = 5 | 6;
export async function pay(ctx: Ctx, from: Id, to: Id) {
  if (from === to) throw new Error('same');
  ctx.log.info({ from, to, at: 7 }, 'pays');
  await move(from, to);
  try {
    const left = (await read(from)) ?? 0n;
    return left < 10n && list.filter(isOpen).some(isDue) ? Math.min(left, max) : left + 1n;
  } catch (error) {
    throw error;
  }
}
function close(): void {
  pool.end();
}
`;
const mutants = findMutants('src/pay.ts', source);

describe('mutants of TypeScript', () => {
  it('are of guards, conditions, limits, waits, arguments, calls and throws; never of types, imports and what is logged', () => {
    expect(
      mutants.map(({ line, sort, before, after }) => `${line} ${sort}: ${before} -> ${after}`),
    ).toEqual([
      "4 guard dropped: if (from === to) throw new Error('same'); -> {}",
      '4 comparison changed: === -> !==',
      "4 throw dropped: throw new Error('same'); -> {}",
      '6 await dropped: await move(from, to) -> move(from, to)',
      '6 call dropped: await move(from, to); -> {}',
      '6 argument swapped: from, to -> to, from',
      '8 default dropped: (await read(from)) ?? 0n -> await read(from)',
      '8 await dropped: await read(from) -> read(from)',
      '8 constant changed: 0n -> 1n',
      '9 condition negated: left < 10n && list.filter(isOpen).some(isDue) -> !(left < 10n && list.filter(isOpen).some(isDue))',
      '9 condition dropped: left < 10n && list.filter(isOpen).some(isDue) -> left < 10n',
      '9 condition dropped: left < 10n && list.filter(isOpen).some(isDue) -> list.filter(isOpen).some(isDue)',
      '9 boundary n/n+1: < -> <=',
      '9 comparison changed: < -> >=',
      '9 constant changed: 10n -> 11n',
      '9 constant changed: 10n -> 9n',
      '9 and/or changed: && -> ||',
      '9 filter dropped: list.filter(isOpen) -> list',
      '9 some/every changed: some -> every',
      '9 min/max changed: min -> max',
      '9 argument swapped: left, max -> max, left',
      '9 arithmetic changed: + -> -',
      '9 constant changed: 1n -> 2n',
      '9 constant changed: 1n -> 0n',
      '11 rethrow swallowed: throw error; -> {}',
      '14 early return: { -> { return;',
      '15 call dropped: pool.end(); -> {}',
    ]);
  });

  it('are each a change of one place', () => {
    for (const mutant of mutants) {
      const changed = applyMutant(source, mutant);
      expect(changed).not.toBe(source);
      expect(changed.slice(0, mutant.start)).toBe(source.slice(0, mutant.start));
      expect(changed.endsWith(source.slice(mutant.end))).toBe(true);
    }
  });

  it('are taken in the same order for the same seed, one of each sort in turn', () => {
    const ordered = orderMutants(mutants, 7);
    expect(orderMutants(mutants, 7)).toEqual(ordered);
    expect(orderMutants(mutants, 8)).not.toEqual(ordered);
    expect(new Set(ordered)).toEqual(new Set(mutants));
    const sorts = new Set(mutants.map(({ sort }) => sort));
    expect(new Set(ordered.slice(0, sorts.size).map(({ sort }) => sort))).toEqual(sorts);
  });

  it('are counted as noticed when a test fails or never ends; what changes nothing does not count', () => {
    const of = (...verdicts: ('killed' | 'timed out' | 'survived' | 'equivalent' | 'unsure')[]) =>
      verdicts.map((verdict) => ({ mutant: mutants[0]!, verdict }));
    expect(
      shareCaught(of('killed', 'timed out', 'survived', 'killed', 'equivalent', 'unsure')),
    ).toBe(75);
    expect(shareCaught([])).toBe(100);
  });
});

describe('shuffling', () => {
  it('gives the same order in every run with a seed, and another one with another', () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    expect(shuffle(items, 7)).toEqual(shuffle(items, 7));
    expect(shuffle(items, 7)).not.toEqual(shuffle(items, 8));
    expect(shuffle(items, 7).toSorted((a, b) => a - b)).toEqual(items);
  });
});

describe('the tests that are asked about a source', () => {
  const nearest = createNearestTests(['src', 'bin', 'test'].flatMap(sourceFiles));

  it('begin with its own, then those of its folder, and leave out the slow ones', () => {
    const tests = nearest.of('src/areas/orders/legs/deposit/rules.ts');
    expect(tests[0]).toBe('src/areas/orders/legs/deposit/rules.test.ts');
    expect(tests[1]).toMatch(/^src\/areas\/orders\//);
    expect(tests.filter((path) => /\.long\.test\.ts$|^test\/tidy/.test(path))).toEqual([]);
  });

  it('find those which only reach it through other files, and none for a file that nobody reads', () => {
    expect(nearest.of('src/areas/orders/legs/card/payment.ts')[0]).toMatch(/^src\/areas\/orders\//);
    expect(nearest.of('src/nobody.ts')).toEqual([]);
  });
});
