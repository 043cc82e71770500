import type { Verdict } from './judge.ts';
import type { Played } from './play.ts';

const verdicts: readonly Verdict[] = ['right', 'refused', 'question', 'gave up', 'false', 'wrong'];

const count = (played: readonly Played[], verdict: Verdict) =>
  played.filter((one) => one.verdict === verdict).length;

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  '),
    )
    .join('\n');
}

/** How checkouts ended, by class of shop: the classes with the most that is not right first. */
export function report(played: readonly Played[]): string {
  const names = [...new Set(played.flatMap(({ classes }) => classes))];
  const rows = names
    .map((name) => ({ name, of: played.filter(({ classes }) => classes.includes(name)) }))
    .map(({ name, of }) => ({
      name,
      of,
      bad: (of.length - count(of, 'right') - count(of, 'refused')) / of.length,
    }))
    .toSorted((one, other) => other.bad - one.bad)
    .map(({ name, of }) => [
      name,
      String(of.length),
      ...verdicts.map((verdict) => String(count(of, verdict) || '')),
    ]);
  const all = [
    'all',
    String(played.length),
    ...verdicts.map((verdict) => String(count(played, verdict))),
  ];
  return table([['class', 'shops', ...verdicts], all, ...rows]);
}

/** Of a hundred shops in which the wish can be had, in so many it is bought. */
export function rightPercentOf(played: readonly Played[]): number {
  const possible = played.filter(
    ({ obstacle, turn, verdict }) =>
      obstacle === undefined && (turn === undefined || verdict !== 'refused'),
  );
  return Math.floor((100 * count(possible, 'right')) / Math.max(1, possible.length));
}
