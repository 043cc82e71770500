import { describe, expect, it } from 'vitest';
import { itemsGasMax } from './batch.ts';
import { affordableGas, gatherMs } from './feed.ts';

const relay = { flushAfterMs: 25, batchSizeMax: 48 };

describe('the next batch', () => {
  it('gathers for the flush time while few operations arrive', () => {
    expect([0, 1, 5].map((claimed) => gatherMs(claimed, relay))).toEqual([25, 25, 25]);
  });

  it('gathers four times as long from an eighth of a full batch on, and never with a flush time of none', () => {
    expect([6, 47, 48].map((claimed) => gatherMs(claimed, relay))).toEqual([100, 100, 100]);
    expect(gatherMs(48, { ...relay, flushAfterMs: 0 })).toBe(0);
  });
});

it('a chain on which gas costs nothing takes full batches', () => {
  expect(affordableGas(0n, 0n, 30_000_000n)).toBe(itemsGasMax(30_000_000n));
  expect(affordableGas(10n ** 18n, 1n, 30_000_000n)).toBe(itemsGasMax(30_000_000n));
  expect(affordableGas(1_000_000n, 1n, 30_000_000n)).toBe(itemsGasMax(2_000_000n));
});
