/** Calls to one company or node, and how many of them had no usable answer. */
export interface CallCount {
  /** A name of our own, e.g. `stripe`, or the host of a node; never a key or a path. */
  readonly provider: string;
  readonly calls: number;
  readonly failures: number;
}

type Sums = Map<string, { calls: number; failures: number }>;

/** What is counted by name; beyond it, together as `others`. */
const providersMax = 100;
/** As the column of names takes: two that are alike so far are one. */
const nameLengthMax = 200;
/** Refused for the key, told to wait, or broken at the other side. */
const failedStatuses = new Set([401, 403, 408, 429]);
const sinceStart: Sums = new Map();
let unstored: Sums = new Map();

/** Counts calls of this process: in memory, so that no caller waits and none can fail for it. */
export function countCalls({ provider, calls, failures }: CallCount): void {
  add(sinceStart, { provider, calls, failures });
  add(unstored, { provider, calls, failures });
}

/**
 * As `fetch`, and counts it: a call has failed when nothing came back, or an answer that says
 * nothing about what was asked (5xx, 401, 403, 408, 429). That a company says no is no failure.
 */
export async function countedFetch(
  provider: string,
  ...call: Parameters<typeof fetch>
): Promise<Response> {
  let isFailed = true;
  try {
    const response = await fetch(...call);
    isFailed = response.status >= 500 || failedStatuses.has(response.status);
    return response;
  } finally {
    countCalls({ provider, calls: 1, failures: isFailed ? 1 : 0 });
  }
}

/** The name of a node: addresses of hosted ones have a key behind their host. */
export const nodeName = (url: string): string => `node ${new URL(url).host}`;

/** What was counted since the last time, which is forgotten here. */
export function takeCallCounts(): readonly CallCount[] {
  const taken = listOf(unstored);
  unstored = new Map();
  return taken;
}

/** Counts again what could not be stored. */
export function putBackCallCounts(counts: readonly CallCount[]): void {
  for (const count of counts) add(unstored, count);
}

/** Since the process has started. */
export const callTotals = (): readonly CallCount[] => listOf(sinceStart);

function add(sums: Sums, { provider, calls, failures }: CallCount): void {
  const short = provider.slice(0, nameLengthMax);
  const name = sums.has(short) || sums.size < providersMax ? short : 'others';
  const sum = sums.get(name) ?? { calls: 0, failures: 0 };
  sums.set(name, { calls: sum.calls + calls, failures: sum.failures + failures });
}

const listOf = (sums: Sums): readonly CallCount[] =>
  [...sums].map(([provider, sum]) => ({ provider, ...sum }));
