import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { announceClock, raiseAheadMs, selectParts } from '../../clock/store.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type AnyInternalOperation, internalOperation } from './internal-operation.ts';

const waitMaxMs = 5_000;
const pollMs = 25;

/**
 * How the worker moves the vault's clock along with its own; answered when every process of the
 * vault keeps the new time.
 */
export const clockOperations: readonly AnyInternalOperation[] = [
  internalOperation({
    name: 'clock.raise',
    peers: ['worker'],
    input: z.object({ aheadMs: z.int().min(0) }),
    async run({ config, store }, { aheadMs }) {
      if (config.environment !== 'development')
        throw new ServiceError('forbidden', {
          message: `The clock is moved in development only; the vault is in ${config.environment}.`,
        });
      await raiseAheadMs(store, aheadMs);
      await announceClock(store);
      for (const endAtMs = performance.now() + waitMaxMs; ; await delay(pollMs)) {
        const parts = await selectParts(store);
        if (parts.every((part) => part.aheadMs >= aheadMs)) return {};
        if (performance.now() > endAtMs)
          throw new ServiceError('provider-unavailable', {
            message: 'The processes of the vault have not taken over the moved clock.',
          });
      }
    },
  }),
];
