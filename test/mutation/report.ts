import type { Mutant, Sort } from './mutants.ts';

export type Verdict = 'killed' | 'timed out' | 'survived' | 'equivalent' | 'unsure' | 'refused';

export interface Outcome {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  /** The test that noticed; why it is equivalent or unsure. */
  readonly by?: string;
  /** Whose test noticed. */
  readonly file?: string;
  /** That file was seen to pass without the mutant. */
  readonly isConfirmed?: boolean;
  /** Of a survivor: how many test files passed, of how many that were named. */
  readonly asked?: readonly [passed: number, named: number];
}

const counted: readonly Verdict[] = ['killed', 'timed out', 'survived'];

/**
 * In percent: of the mutants that change something, those which a test (or its time-out) noticed.
 * 100 of none.
 */
export function shareCaught(outcomes: readonly Outcome[]): number {
  const of = outcomes.filter(({ verdict }) => counted.includes(verdict));
  return of.length === 0
    ? 100
    : (100 * of.filter(({ verdict }) => verdict !== 'survived').length) / of.length;
}

/** Per sort how many were noticed, and every survivor with its place. */
export function printOutcomes(
  outcomes: readonly Outcome[],
  print: (line: string) => void = console.log,
): void {
  const columns: readonly Verdict[] = ['killed', 'timed out', 'survived', 'equivalent', 'unsure'];
  const row = (name: string, of: readonly Outcome[]) =>
    `${name.padEnd(22)}${columns.map((verdict) => String(of.filter((one) => one.verdict === verdict).length).padStart(12)).join('')}`;
  print(`\n${''.padEnd(22)}${columns.map((verdict) => verdict.padStart(12)).join('')}`);
  const sorts = [...new Set(outcomes.map(({ mutant }) => mutant.sort))].sort();
  for (const sort of sorts) print(row(sort, ofSort(outcomes, sort)));
  print(row('all', outcomes));
  print(`\n${shareCaught(outcomes).toFixed(0)} % of those that change something were noticed.`);
  for (const { mutant, verdict, by } of outcomes) {
    if (verdict !== 'survived' && verdict !== 'unsure') continue;
    print(
      `\n${verdict}: ${mutant.sort}, ${mutant.file}:${mutant.line}:${mutant.column}${by === undefined ? '' : ` (${by})`}`,
    );
    print(`  - ${mutant.before}\n  + ${mutant.after}`);
  }
}

const ofSort = (outcomes: readonly Outcome[], sort: Sort) =>
  outcomes.filter(({ mutant }) => mutant.sort === sort);
