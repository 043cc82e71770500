import { describe, expect, it } from 'vitest';
import { createMicroBatcher } from './micro-batch.ts';

describe('micro-batcher', () => {
  it('joins the calls of one tick into one batch and answers each its own result', async () => {
    const sizes: number[] = [];
    const batcher = createMicroBatcher<number, number>({
      maxItems: 64,
      run: async (items) => {
        sizes.push(items.length);
        return items.map((item) => item * 2);
      },
    });
    expect(await Promise.all([1, 2, 3].map((item) => batcher.add(item)))).toEqual([2, 4, 6]);
    expect(sizes).toEqual([3]);
  });

  it('never joins more than maxItems', async () => {
    const sizes: number[] = [];
    const batcher = createMicroBatcher<number, void>({
      maxItems: 10,
      run: async (items) => {
        sizes.push(items.length);
        return items.map(() => undefined);
      },
    });
    await Promise.all(Array.from({ length: 35 }, (_, item) => batcher.add(item)));
    expect(Math.max(...sizes)).toBe(10);
    expect(sizes.reduce((a, b) => a + b)).toBe(35);
  });

  it('lets a bad item fail alone', async () => {
    const batcher = createMicroBatcher<number, number>({
      maxItems: 64,
      run: async (items) => {
        if (items.includes(2)) throw new Error('two is bad');
        return items;
      },
      runAloneAfter: () => true,
    });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not run a batch again whose end nobody knows', async () => {
    let runs = 0;
    const batcher = createMicroBatcher<number, number>({
      maxItems: 64,
      run: async () => {
        runs += 1;
        throw new Error('Connection terminated unexpectedly');
      },
    });
    const results = await Promise.allSettled([1, 2].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
  });

  it('refuses when too many wait', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const batcher = createMicroBatcher<number, number>({
      maxItems: 1,
      concurrency: 1,
      queueMax: 2,
      run: async (items) => {
        await gate;
        return items;
      },
    });
    const accepted = [batcher.add(1), batcher.add(2)];
    await expect(batcher.add(3)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
      status: 503,
    });
    release();
    expect(await Promise.all(accepted)).toEqual([1, 2]);
  });
});
