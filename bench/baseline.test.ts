import { expect, test } from 'vitest';
import { type Baseline, compareWithBaseline, renderTable } from './baseline.ts';
import { interleave, type Measure, median, percentile } from './measure.ts';

const aMeasure = (ratio: number, goal?: Measure['goal']): Measure => ({
  name: 'create wallet',
  value: ratio * 1_000,
  unit: '/s',
  beside: { what: 'INSERTs', value: 1_000 },
  ratio,
  goal,
});
const recorded = (ratio: number): Baseline => ({
  machine: 'any',
  measures: { 'create wallet': { ratio, value: 1, unit: '/s' } },
});
const failures = (measure: Measure, baseline?: Baseline) =>
  compareWithBaseline([measure], baseline).filter(({ verdict }) => verdict.isFailure).length;

test('a missed goal fails, in either direction', () => {
  expect(failures(aMeasure(0.59, { atLeast: 0.6 }))).toBe(1);
  expect(failures(aMeasure(0.6, { atLeast: 0.6 }))).toBe(0);
  expect(failures(aMeasure(10.1, { atMost: 10 }))).toBe(1);
  expect(failures(aMeasure(10, { atMost: 10 }))).toBe(0);
});

test('a ratio a quarter below the recorded one fails although the goal is met, absolute figures never do', () => {
  expect(failures(aMeasure(0.74, { atLeast: 0.6 }), recorded(1))).toBe(1);
  expect(failures(aMeasure(0.76, { atLeast: 0.6 }), recorded(1))).toBe(0);
  expect(failures({ name: 'create wallet', value: 0.001, unit: 'MiB' }, recorded(1))).toBe(0);
});

test('the table shows what was measured beside its limit', () => {
  const text = renderTable(compareWithBaseline([aMeasure(0.7, { atLeast: 0.6 })], recorded(0.71)));
  expect(text).toMatch(/create wallet +700 \/s +1,000 \/s INSERTs +0\.70 +≥ 0\.6 +0\.71 +ok/);
});

test('rounds alternate, and the ratio is the median of neighbours', async () => {
  const order: string[] = [];
  const rates = [10, 100, 30];
  const result = await interleave({
    rounds: 3,
    a: async (round) => (order.push('a'), rates[round]!),
    b: async () => (order.push('b'), 10),
    rateOf: { a: (rate) => rate, b: (rate) => rate },
  });
  expect(order.join('')).toBe('ababab');
  expect(result.ratio).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(2);
  expect(percentile([1, 2, 3, 4], 0.99)).toBe(4);
});
