import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Measure } from './measure.ts';

const baselineFile = fileURLToPath(new URL('baseline.json', import.meta.url));
/**
 * A ratio may be this much worse than the recorded one: what repeated runs of one version differ
 * by.
 */
export const toleranceShare = 0.25;

const entrySchema = z.object({
  ratio: z.number().optional(),
  value: z.number(),
  unit: z.string(),
  beside: z.object({ what: z.string(), value: z.number() }).optional(),
});
const baselineSchema = z.object({
  machine: z.string(),
  measures: z.record(z.string(), entrySchema),
});
export type Baseline = z.output<typeof baselineSchema>;

export function readBaseline(): Baseline | undefined {
  return existsSync(baselineFile)
    ? baselineSchema.parse(JSON.parse(readFileSync(baselineFile, 'utf8')))
    : undefined;
}

/** Records these measures; those of other benches stay. */
export function writeBaseline(measures: readonly Measure[]): void {
  const known = readBaseline()?.measures ?? {};
  const now = Object.fromEntries(
    measures.map(({ name, value, unit, beside, ratio }) => [
      name,
      {
        ratio: ratio && round(ratio),
        value: round(value),
        unit,
        beside: beside && { what: beside.what, value: round(beside.value) },
      },
    ]),
  );
  const baseline: Baseline = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}`,
    measures: { ...known, ...now },
  };
  writeFileSync(baselineFile, `${JSON.stringify(baseline, null, 2)}\n`);
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

export interface Verdict {
  readonly text: string;
  readonly isFailure: boolean;
}

export interface Compared {
  readonly measure: Measure;
  readonly baselineRatio: number | undefined;
  readonly verdict: Verdict;
}

/**
 * Fails what misses its goal, and what is worse than its recorded ratio by more than
 * {@link toleranceShare}.
 */
export function compareWithBaseline(
  measures: readonly Measure[],
  baseline: Baseline | undefined,
): Compared[] {
  return measures.map((measure) => {
    const baselineRatio = baseline?.measures[measure.name]?.ratio;
    return { measure, baselineRatio, verdict: judge(measure, baselineRatio) };
  });
}

function judge({ ratio, goal }: Measure, baselineRatio: number | undefined): Verdict {
  if (ratio === undefined) return { text: '', isFailure: false };
  const lessIsBetter = goal !== undefined && 'atMost' in goal;
  const missesGoal =
    goal !== undefined && ('atMost' in goal ? ratio > goal.atMost : ratio < goal.atLeast);
  if (missesGoal) return { text: 'MISSES ITS GOAL', isFailure: true };
  if (baselineRatio === undefined) return { text: 'ok, not recorded yet', isFailure: false };
  const isWorse = lessIsBetter
    ? ratio > baselineRatio * (1 + toleranceShare)
    : ratio < baselineRatio * (1 - toleranceShare);
  // A tail is noisy by nature: its goal decides, not its distance from a good day.
  if (isWorse && !lessIsBetter) return { text: 'WORSE THAN RECORDED', isFailure: true };
  return { text: 'ok', isFailure: false };
}

/** The table that people read. */
export function renderTable(compared: readonly Compared[]): string {
  const head = ['', 'measured', 'beside it', 'ratio', 'goal', 'recorded', ''];
  const rows = compared.map(({ measure, baselineRatio, verdict }) => [
    measure.name,
    `${format(measure.value)} ${measure.unit}`,
    measure.beside
      ? `${format(measure.beside.value)} ${measure.beside.unit ?? measure.unit} ${measure.beside.what}`
      : '',
    measure.ratio === undefined ? '' : format(measure.ratio),
    measure.goal === undefined
      ? ''
      : 'atLeast' in measure.goal
        ? `≥ ${measure.goal.atLeast}`
        : `≤ ${measure.goal.atMost}`,
    baselineRatio === undefined ? '' : format(baselineRatio),
    verdict.text,
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  );
}

function format(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
