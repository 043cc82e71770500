import { ServiceError } from '../lib/errors.ts';
import { sqlStateOf } from './pg-errors.ts';

/** Joins calls that arrive together into one statement. */
export interface MicroBatcher<Item, Result> {
  /** Resolves when the batch that carried the item is durable. */
  add(item: Item): Promise<Result>;
}

export interface MicroBatcherOptions<Item, Result> {
  readonly maxItems: number;
  /**
   * Waiting items beyond which `add` refuses with `temporarily-unavailable`; 10,000 when absent.
   */
  readonly queueMax?: number;
  /** Batches that may run at once; 4 when absent. */
  readonly concurrency?: number;
  /**
   * Whether an error is an item's own fault, so that the others may go on without it;
   * {@link isItemFault} when absent. After a lost connection nobody knows whether the batch was
   * committed: it is not run again, its callers are told.
   */
  readonly runAloneAfter?: (error: unknown) => boolean;
  /** One result per item, in order; all or nothing. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls that wait while batches are under way go together into the next one: 2.7 times the inserts
 * at 32 callers (facts), at no cost for a lone caller. A batch with a bad item is run again item by
 * item, so that the bad one fails alone.
 */
export function createMicroBatcher<Item, Result>(
  options: MicroBatcherOptions<Item, Result>,
): MicroBatcher<Item, Result> {
  const {
    maxItems,
    run,
    queueMax = 10_000,
    concurrency = 4,
    runAloneAfter = isItemFault,
  } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && runAloneAfter(error)) {
        for (const single of batch) await runBatch([single]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  function flush(): void {
    scheduled = false;
    while (waiting.length > 0 && running < concurrency) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      running += 1;
      void runBatch(batch).finally(() => {
        running -= 1;
        flush();
      });
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= queueMax)
          return reject(
            new ServiceError('temporarily-unavailable', {
              cause: new Error(`more than ${queueMax} items wait for the database`),
            }),
          );
        waiting.push({ item, resolve, reject });
        if (!scheduled) {
          scheduled = true;
          setImmediate(flush);
        }
      }),
  };
}

/**
 * Data exceptions and violated constraints (SQLSTATE classes 22 and 23): the transaction is
 * certainly rolled back.
 */
export function isItemFault(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? '');
}
