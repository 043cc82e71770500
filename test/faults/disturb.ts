import { setTimeout as delay } from 'node:timers/promises';
import { addAheadMs, announceClock } from '../../src/clock/store.ts';
import { persist } from './database.ts';
import { diceOf } from './dice.ts';
import type { GateFault } from './gate.ts';
import type { FaultWorld } from './world.ts';

/** What is done to the service, and to the world around it. */
export const disturbances = [
  'kill the worker',
  'kill the API',
  'kill the vault',
  'kill the receiver',
  'drop the database connections',
  'kill the database',
  'stop the database at once',
  'nobody listens at the chain',
  'nobody listens at the vault',
  'nobody listens at the acquirer',
  'nobody listens at the bank',
  'a minute passes',
] as const;
export type Disturbance = (typeof disturbances)[number];

export interface Trouble {
  readonly atMs: number;
  readonly what: Disturbance;
  /** How long it is away. */
  readonly awayMs: number;
  /** Whether the leases of the dead end by themselves. */
  readonly waitsForLeases: boolean;
}

const weights: Readonly<Record<Disturbance, number>> = {
  'kill the worker': 9,
  'kill the API': 4,
  'kill the vault': 4,
  'kill the receiver': 3,
  'drop the database connections': 3,
  'kill the database': 1,
  'stop the database at once': 1,
  'nobody listens at the chain': 2,
  'nobody listens at the vault': 2,
  'nobody listens at the acquirer': 2,
  'nobody listens at the bank': 2,
  'a minute passes': 3,
};

/** What a seed has in store for a round. */
export function planTroubles(
  seed: number,
  { forMs, everyMs }: { readonly forMs: number; readonly everyMs: number },
): Trouble[] {
  const dice = diceOf(seed ^ 0x5eed);
  const urn = disturbances.flatMap((what) => Array.from({ length: weights[what] }, () => what));
  const troubles: Trouble[] = [];
  for (
    let atMs = dice.between(0, everyMs);
    atMs < forMs;
    atMs += dice.between(everyMs / 2, everyMs * 1.5)
  )
    troubles.push({
      atMs,
      what: dice.pick(urn),
      awayMs: dice.percent(50) ? 0 : dice.between(100, 1_500),
      waitsForLeases: dice.percent(15),
    });
  return troubles;
}

/** Does it all, at its times. */
export async function disturb(world: FaultWorld, troubles: readonly Trouble[]): Promise<void> {
  const startedMs = performance.now();
  for (const trouble of troubles) {
    await delay(Math.max(0, trouble.atMs - (performance.now() - startedMs)));
    await cause(world, trouble);
  }
}

/**
 * The last trouble of every round: all programs at once. Whatever they had leased is free, so that
 * nobody waits for it.
 */
export async function killAll(world: FaultWorld): Promise<void> {
  const { parts, database } = world;
  const names = ['worker', 'api', 'vault'] as const;
  await Promise.all([
    ...names.map((name) => parts[name].kill({ whileAway: () => database.endLeases(name) })),
    parts.operator.kill(),
    parts.vaultOperator.kill(),
  ]);
}

async function cause(world: FaultWorld, { what, awayMs, waitsForLeases }: Trouble): Promise<void> {
  const { parts, gates, database } = world;
  const kill = (name: 'api' | 'worker' | 'vault') =>
    parts[name].kill({
      pauseMs: awayMs,
      ...(!waitsForLeases && { whileAway: () => database.endLeases(name) }),
    });
  switch (what) {
    case 'kill the worker':
      return kill('worker');
    case 'kill the API':
      return kill('api');
    case 'kill the vault':
      return kill('vault');
    case 'kill the receiver':
      return world.receiver.part.kill({ pauseMs: awayMs });
    case 'drop the database connections':
      return database.dropConnections();
    case 'kill the database':
      return database.kill('SIGKILL');
    case 'stop the database at once':
      return database.kill('SIGQUIT');
    case 'nobody listens at the chain':
      return gates.chain.goAway(awayMs + 300);
    case 'nobody listens at the vault':
      return gates.vault.goAway(awayMs + 300);
    case 'nobody listens at the acquirer':
      return gates.acquirer.goAway(awayMs + 300);
    case 'nobody listens at the bank':
      return gates.bank.goAway(awayMs + 300);
    case 'a minute passes':
      world.clock.moveTo(await persist(() => addAheadMs(world.ctx.store, 60_000)));
      return persist(() => announceClock(world.ctx.store));
  }
}

/** How often a request through a gate meets a fault, in percent, and which. */
const gateFaults: Readonly<
  Record<
    keyof FaultWorld['gates'],
    { readonly percent: number; readonly faults: readonly GateFault[] }
  >
> = {
  clients: {
    percent: 15,
    faults: [
      'lose-request',
      'lose-answer',
      'lose-answer',
      'http-500',
      'http-500-after',
      'half-answer',
      'delay',
    ],
  },
  vaultClients: {
    percent: 15,
    faults: ['lose-request', 'lose-answer', 'http-500-after', 'half-answer'],
  },
  chain: {
    percent: 5,
    faults: ['lose-request', 'lose-answer', 'http-500', 'wrong-json', 'half-answer', 'delay'],
  },
  vault: {
    percent: 15,
    faults: [
      'lose-request',
      'lose-answer',
      'http-500',
      'http-500-after',
      'wrong-json',
      'half-answer',
      'delay',
    ],
  },
  bank: {
    percent: 25,
    faults: [
      'lose-request',
      'lose-answer',
      'http-500',
      'http-500-after',
      'wrong-json',
      'half-answer',
      'hang',
      'delay',
    ],
  },
  acquirer: {
    percent: 25,
    faults: [
      'lose-request',
      'lose-answer',
      'http-500',
      'http-500-after',
      'wrong-json',
      'half-answer',
      'hang',
      'delay',
    ],
  },
};

/** Lets the gates misbehave by a seed's dice. @returns how to stop it */
export function disturbGates(world: FaultWorld, seed: number): () => void {
  const entries = Object.entries(gateFaults) as [
    keyof typeof gateFaults,
    (typeof gateFaults)['chain'],
  ][];
  entries.forEach(([name, { percent, faults }], index) => {
    const dice = diceOf(seed * 31 + index);
    world.gates[name].rule = () => (dice.percent(percent) ? dice.pick(faults) : 'pass');
  });
  return () => entries.forEach(([name]) => (world.gates[name].rule = () => 'pass'));
}
