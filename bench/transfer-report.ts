import { cpus } from 'node:os';
import type { CpuPart, CpuTimes } from './cpu.ts';
import { type Measure, median } from './measure.ts';

/** Per second, and CPU milliseconds for one transfer. */
export interface TransferRound {
  readonly served: number;
  readonly batches: number;
  readonly singles: number;
  readonly servedCpu: CpuTimes;
  readonly nodeCpuMs: number;
}

/** Lines of the table. */
export function describeTransfers(name: string, results: readonly TransferRound[]): Measure[] {
  const middle = (of: (round: TransferRound) => number) => median(results.map(of));
  const value = middle((round) => round.served);
  return [
    {
      name,
      value,
      unit: '/s',
      beside: { what: 'in pre-signed batches alone', value: middle((round) => round.batches) },
      ratio: middle((round) => round.served / round.batches),
      goal: { atLeast: 0.4 },
    },
    {
      name: `${name}, against single`,
      value,
      unit: '/s',
      beside: { what: 'one transaction per transfer', value: middle((round) => round.singles) },
      ratio: middle((round) => round.served / round.singles),
      goal: { atLeast: 25 },
    },
    ...describeCpu(name, results),
  ];
}

/**
 * Where the CPU goes, beside what there is of it: on this many cores all processes together may
 * take `cores / rate` for a transfer, and the rate that a goal asks for is a share of the
 * pre-signed one or a multiple of the single one.
 */
function describeCpu(name: string, results: readonly TransferRound[]): Measure[] {
  if (results.some((round) => round.servedCpu.size === 0)) return [];
  const middle = (of: (round: TransferRound) => number) => median(results.map(of));
  const total = (round: TransferRound) =>
    [...round.servedCpu.values()].reduce((sum, ms) => sum + ms, 0);
  const availableMs = (perSecond: number) => (cpus().length * 1_000) / perSecond;
  const part = (what: CpuPart, beside?: Measure['beside']): Measure => ({
    name: `${name}, CPU of the ${what}`,
    value: middle((round) => round.servedCpu.get(what) ?? 0),
    unit: 'ms',
    ...(beside === undefined ? {} : { beside }),
  });
  return [
    {
      name: `${name}, CPU of all`,
      value: middle(total),
      unit: 'ms',
      beside: {
        what: 'that the cores have at 0.4 of pre-signed',
        value: middle((round) => availableMs(0.4 * round.batches)),
      },
    },
    {
      name: `${name}, CPU of all once more`,
      value: middle(total),
      unit: 'ms',
      beside: {
        what: 'that the cores have at 25 times single',
        value: middle((round) => availableMs(25 * round.singles)),
      },
    },
    part('API'),
    part('worker'),
    part('PostgreSQL'),
    part('node', {
      what: 'in pre-signed batches alone',
      value: middle((round) => round.nodeCpuMs),
    }),
    part('load generator'),
  ];
}
