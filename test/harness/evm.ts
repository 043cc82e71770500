import { createEvmFamily } from '../../src/chains/evm/index.ts';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { createLocalCustody } from '../../src/providers/custody/local.ts';
import { createSandboxPricing } from '../../src/providers/pricing/sandbox.ts';
import { createSandboxScreening } from '../../src/providers/screening/sandbox.ts';
import type { TestApiOptions } from './http.ts';

/** The EVM family and local custody for `startTestApi`, with no node behind them. */
export const evmParts: Pick<TestApiOptions, 'families' | 'providers'> = {
  families: (ctx) => [
    createEvmFamily({ config: ctx.config, store: ctx.store, clock: ctx.clock, log: ctx.log }),
  ],
  providers: (ctx) => ({
    custody: createLocalCustody({
      sealer: createSealer(ctx.config.keyEncryptionKeys),
      clock: ctx.clock,
    }),
    pricing: createSandboxPricing(),
    screening: createSandboxScreening(),
  }),
};
