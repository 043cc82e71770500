/** One line of the table: what was measured, and what stands beside it from the same run. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly beside?: { readonly what: string; readonly value: number; readonly unit?: string };
  /** `value` by `beside`. Only ratios decide: absolute figures belong to the machine. */
  readonly ratio?: number;
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
}

export type Progress = (line: string) => void;

export interface BenchOptions {
  readonly progress: Progress;
  /** Runs the programs from their sources instead of `dist/`. */
  readonly fromSource: boolean;
  /** Folder for the CPU profiles of the service's processes. */
  readonly profileDir?: string;
  /** Short rounds, to see that everything runs; the figures mean little. */
  readonly quick: boolean;
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing.');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that `share` (0 to 1) of the sorted values do not exceed. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new Error('There is no percentile of nothing.');
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

/**
 * Runs two measurements in turn, A B A B, so that what else the machine does hits both alike.
 * `ratio` is the median of the ratios of neighbours.
 */
export async function interleave<A, B>(input: {
  rounds: number;
  a: (round: number) => Promise<A>;
  b: (round: number) => Promise<B>;
  rateOf: { a: (result: A) => number; b: (result: B) => number };
}) {
  const as: A[] = [];
  const bs: B[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < input.rounds; round++) {
    const a = await input.a(round);
    const b = await input.b(round);
    as.push(a);
    bs.push(b);
    ratios.push(input.rateOf.a(a) / input.rateOf.b(b));
  }
  return { as, bs, ratio: median(ratios) };
}
