import { setTimeout as delay } from 'node:timers/promises';
import { persist } from './database.ts';
import { diceOf } from './dice.ts';
import type { Happening, Tally } from './happened.ts';
import type { FaultWorld } from './world.ts';

/**
 * What a reorganisation takes: something that the service has seen in a block, and that is not
 * final yet.
 */
export const quarries = [
  'a deposit for good',
  'a deposit',
  'a delivery',
  'a refund',
  'the last blocks',
] as const;
export type Quarry = (typeof quarries)[number];

export interface Hunt {
  readonly atMs: number;
  readonly what: Quarry;
}

const lookMs = 40;
/** A crowd and a relay need time to send again what was taken. */
const restMs = 250;

/** Which reorganisations a round has: each waits from its time on until there is what it takes. */
export function planHunts(seed: number, { forMs }: { readonly forMs: number }): Hunt[] {
  const dice = diceOf(seed ^ 0x4e04);
  const wanted: Quarry[] = [
    'a deposit for good',
    'a deposit',
    'a delivery',
    'a refund',
    ...Array.from({ length: 5 }, () => dice.pick(quarries)),
  ];
  return wanted
    .map((what) => ({ what, atMs: dice.between(0, forMs / 2) }))
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Whether each of them was taken at least once: then nobody needs to wait for more. */
export function hasTakenAll(tally: Tally): boolean {
  const counts = tally.counts();
  return Object.values(happeningOf).every((what) => what === undefined || counts[what] > 0);
}

/**
 * Reorganises the chain until the signal comes, whenever there is something to take that is still
 * wanted.
 */
export async function reorganiseWhen(
  world: FaultWorld,
  hunts: readonly Hunt[],
  end: AbortSignal,
): Promise<void> {
  const startedMs = performance.now();
  const open = [...hunts];
  for (;;) {
    if (open.length === 0 || end.aborted) return;
    const nowMs = performance.now() - startedMs;
    const took = await takeOne(
      world,
      open.filter(({ atMs }) => atMs <= nowMs),
    );
    if (took) open.splice(open.indexOf(took), 1);
    await delay(took ? restMs : lookMs);
  }
}

async function takeOne(world: FaultWorld, due: readonly Hunt[]): Promise<Hunt | undefined> {
  if (due.length === 0) return undefined;
  const heights = await findAll(world);
  for (const hunt of due) {
    const height = heights[hunt.what];
    if (height === undefined || !(await world.crowd.reorganiseFrom(height))) continue;
    const happening = happeningOf[hunt.what];
    if (happening) world.tally.add(happening);
    return hunt;
  }
  return undefined;
}

const happeningOf: Readonly<Record<Quarry, Happening | undefined>> = {
  'a deposit for good': 'a deposit that was seen was taken for good',
  'a deposit': 'a deposit that was seen was taken and came back',
  'a delivery': 'a delivery was taken',
  'a refund': 'a refund was taken',
  'the last blocks': undefined,
};

/** Of what the service has read: the newest block that has it, and may still be replaced. */
const heightsQuery = `
  select 'a deposit for good' as what, max(height)::int as height from deposits
    where status = 'seen' and height > $1 and tx_id = any($2)
  union all select 'a deposit', max(height)::int from deposits where status = 'seen' and height > $1 and tx_id = any($3)
  union all select 'a delivery', max(height)::int from treasury_transfers
    where status = 'success' and height > $1 and subject like 'order:%'
  union all select 'a refund', max(height)::int from treasury_transfers
    where status = 'success' and height > $1 and subject like 'refund:%'
  union all select 'the last blocks', max(next_height - 1)::int from evm_watched_chains where next_height - 1 > $1`;

async function findAll({
  horizon,
  crowd,
  database,
}: FaultWorld): Promise<Partial<Record<Quarry, number>>> {
  const values = [
    horizon.height(),
    crowd.deposits({ isGivenUp: true }),
    crowd.deposits({ isGivenUp: false }),
  ];
  const { rows } = await persist(() =>
    database.stores.main.query<{ what: Quarry; height: number | null }>({
      text: heightsQuery,
      values,
    }),
  );
  return Object.fromEntries(
    rows.flatMap(({ what, height }) => (height === null ? [] : [[what, height]])),
  );
}
