import { createTally, type Tally } from './happened.ts';
import { createEventReader, type EventReader } from './published-events.ts';
import { playRound } from './run.ts';
import { groupBy } from './sums.ts';
import type { Ending } from './verdict.ts';
import { type FaultWorld, startFaultWorld } from './world.ts';

/** So many orders at once, disturbed by the same troubles. */
export const seedsPerRound = 100;

/** After so many rounds with findings there is enough to read. */
const failuresMax = 10;

/** Seeds from one to another, both included, in rounds. A round is named by its first seed. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
  /** A world forgets nothing of its rounds: it is made anew before it grows old. */
  readonly seedsPerWorld: number;
  /** Of the seeds of its first round only these; the troubles are the same. */
  readonly only?: readonly number[];
  /** What should have come about in so many seeds of one world, and did not. */
  missing(tally: Tally, seeds: number): readonly string[];
}

/** What a stretch has shown: every end, and every finding, each with its seeds. */
export interface Played {
  readonly endings: readonly Ending[];
  readonly findings: readonly string[];
}

/** Plays seeds, and says at once what it finds: a run of an hour is read while it goes on. */
export interface Player {
  /** A round with findings ends its world; the next round has a new one. */
  play(stretch: Stretch): Promise<Played>;
  close(): Promise<void>;
}

interface OpenWorld {
  readonly world: FaultWorld;
  readonly teller: EventReader;
}

export function createPlayer(say: (text: string) => void): Player {
  let open: OpenWorld | undefined;

  async function openWorld(tally: Tally): Promise<OpenWorld> {
    const world = await startFaultWorld(tally);
    return { world, teller: createEventReader(world) };
  }

  async function close(): Promise<void> {
    const closing = open;
    open = undefined;
    await closing?.world.close();
  }

  return {
    close,
    async play({ first, last, seedsPerWorld, only, missing }) {
      const endings: Ending[] = [];
      const findings: string[] = [];
      const startedMs = performance.now();
      const find = (finding: string) => {
        findings.push(finding);
        say(`FAILED: ${finding}`);
      };
      let tally = createTally();
      let since = first;
      let failures = 0;
      for (let from = first; from <= last; from += seedsPerRound) {
        const to = Math.min(from + seedsPerRound - 1, last);
        const seeds = only ?? Array.from({ length: to - from + 1 }, (_, index) => from + index);
        const roundMs = performance.now();
        open ??= await openWorld(tally);
        try {
          endings.push(
            ...(await playRound(open.world, { first: from, seeds, teller: open.teller })),
          );
        } catch (error) {
          find(error instanceof Error ? error.message : String(error));
          failures += 1;
          await close().catch((left: unknown) =>
            say(`its world could not be closed: ${String(left)}`),
          );
        }
        say(
          `seeds ${from} to ${to}: ${seconds(roundMs)} s; ${to - first + 1} of ${last - first + 1} seeds played in ${seconds(startedMs)} s, ` +
            `${failures} rounds with findings; so far ${countEnds(endings)}`,
        );
        if (failures === failuresMax) {
          find(`the seeds from ${to + 1} on were not played: ${failures} rounds had findings`);
          break;
        }
        const isLastOfWorld = to === last || to - since + 1 >= seedsPerWorld;
        if (!isLastOfWorld) continue;
        say(`seeds ${since} to ${to}, what came about:\n${countHappenings(tally)}`);
        const lacking = missing(tally, to - since + 1);
        if (lacking.length > 0)
          find(`in the seeds ${since} to ${to} these did not come about: ${lacking.join('; ')}`);
        await close();
        tally = createTally();
        since = to + 1;
      }
      return { endings, findings };
    },
  };
}

/** @throws Error with all findings */
export function expectNoFindings({ findings }: Played): void {
  if (findings.length > 0)
    throw new Error(`${findings.length} findings\n\n${findings.join('\n\n')}`);
}

function countEnds(endings: readonly Ending[]): string {
  const states = [...groupBy(endings, ({ state }) => state)].map(
    ([state, ones]) => `${state} ${ones.length}`,
  );
  return `${endings.length} orders: ${states.toSorted().join(', ')}`;
}

function countHappenings(tally: Tally): string {
  return Object.entries(tally.counts())
    .map(([what, count]) => `  ${count} × ${what}`)
    .join('\n');
}

function seconds(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) / 1_000);
}
