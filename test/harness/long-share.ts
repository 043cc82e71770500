/**
 * The share of its random inputs that one `npm run test:long` plays.
 *
 * A million operations against a model and five thousand orders take a night. Each day of the
 * calendar has another fifth, so that a run fits into two hours and five days in a row play all.
 * `TEST_SHARE=3/5` is a certain one, `TEST_SHARE=1/1` everything at once.
 */
export interface Share {
  /** From 1. */
  readonly part: number;
  readonly parts: number;
}

const daily = 5;
/** Of the smallest set each part has at least one. */
const partsMax = 20;
const dayMs = 86_400_000;

/** @throws Error that says how a share is written */
export function shareOf(
  env: Readonly<Record<string, string | undefined>> = process.env,
  now: number = Date.now(),
): Share {
  const text = env.TEST_SHARE;
  if (text === undefined) return { part: (Math.floor(now / dayMs) % daily) + 1, parts: daily };
  const [, part, parts] = (/^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []).map(Number);
  if (part && parts && part <= parts && parts <= partsMax) return { part, parts };
  throw new Error(
    `TEST_SHARE: write part/parts, such as 1/${daily}, or 1/1 for all, and at most ${partsMax} parts; not ${text}`,
  );
}

/**
 * The share's numbers of `first` … `first + count - 1`, in a row: each number is in exactly one
 * part. `multiple`: parts begin and end with so many.
 */
export function shareOfNumbers(
  { first, count, multiple = 1 }: { first: number; count: number; multiple?: number },
  { part, parts }: Share = shareOf(),
): readonly number[] {
  const begin = (index: number) => Math.round((index * count) / parts / multiple) * multiple;
  const from = begin(part - 1);
  const to = part === parts ? count : begin(part);
  return Array.from({ length: to - from }, (_, index) => first + from + index);
}
