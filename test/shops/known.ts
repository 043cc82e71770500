import { readFileSync, writeFileSync } from 'node:fs';
import type { Verdict } from './judge.ts';
import type { Played } from './play.ts';

/** How much it matters: `fine` is bought as wished, or rightly not. */
export type End = 'fine' | 'unbought' | 'false' | 'wrong';

const ends: Readonly<Record<Verdict, End>> = {
  right: 'fine',
  refused: 'fine',
  question: 'unbought',
  'gave up': 'unbought',
  false: 'false',
  wrong: 'wrong',
};
export const endOf = ({ verdict }: Pick<Played, 'verdict'>): End => ends[verdict];

interface Known {
  readonly issue: number;
  /** Of the seeds of `npm test`, those that do not end well yet: how, and why. */
  readonly fast: Readonly<Record<string, string>>;
  /**
   * Of the seeds of `npm run test:long`, those in which something else is bought, or something
   * untrue is said.
   */
  readonly long: Readonly<Record<string, string>>;
  /** So many in a hundred shops that could be bought in are bought in; it only rises. */
  readonly rightPercent: number;
}

const file = new URL('./known.json', import.meta.url);
export const known = JSON.parse(readFileSync(file, 'utf8')) as Known;

/** What the list says of a seed. */
export const knownEnd = (list: 'fast' | 'long', seed: number): End =>
  (known[list][seed]?.split(':')[0] as End | undefined) ?? 'fine';

const lengthMax = 160;

/** With `SHOP_KNOWN=write` the list becomes what was seen. */
export function keepKnown(list: 'fast' | 'long', played: readonly Played[]): void {
  if (process.env.SHOP_KNOWN !== 'write') return;
  const shown = played.filter((one) =>
    list === 'fast' ? endOf(one) !== 'fine' : ['false', 'wrong'].includes(endOf(one)),
  );
  const lines = shown.map((one) => [
    one.seed,
    `${endOf(one)}: ${one.why[0] ?? ''}`
      .replaceAll(/127\.0\.0\.1:\d+/g, 'the shop')
      .slice(0, lengthMax),
  ]);
  const next = {
    ...known,
    [list]: Object.fromEntries(lines),
    ...(list === 'long' && { rightPercent: rightPercentOf(played) }),
  };
  writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
}

/** Of the shops in which the wish can be had. */
export function rightPercentOf(played: readonly Played[]): number {
  const possible = played.filter(
    ({ obstacle, turn, verdict }) =>
      obstacle === undefined && (turn === undefined || verdict !== 'refused'),
  );
  return Math.floor(
    (100 * possible.filter(({ verdict }) => verdict === 'right').length) /
      Math.max(1, possible.length),
  );
}
