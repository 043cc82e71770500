import { seedsPerRound } from './play-seeds.ts';

/** Which seeds a run plays, as its environment says. */
export interface ChosenSeeds {
  readonly first: number;
  readonly last: number;
  readonly only?: readonly number[];
}

/**
 * `FAULT_SEED=101` is one round, `FAULT_ONLY=107,133` of it only these orders, with the troubles of
 * all. Undefined: no round is named.
 */
export function chosenRound(
  env: Readonly<Record<string, string | undefined>>,
): ChosenSeeds | undefined {
  if (env.FAULT_SEED === undefined) return undefined;
  const first = roundStart('FAULT_SEED', env.FAULT_SEED);
  const last = first + seedsPerRound - 1;
  const only = env.FAULT_ONLY?.split(',').map(Number);
  const strangers = (only ?? []).filter((seed) => !(seed >= first && seed <= last));
  if (strangers.length > 0)
    throw new Error(`FAULT_ONLY: the round of ${first} has the seeds ${first} to ${last}`);
  return { first, last, ...(only && { only }) };
}

/** Rounds begin at 1, 101, 201 …: a seed has the same troubles in every run. */
function roundStart(name: string, text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed > 0 && seed % seedsPerRound === 1) return seed;
  throw new Error(`${name} is the first seed of a round: 1, ${seedsPerRound + 1} …`);
}
