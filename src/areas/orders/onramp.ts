import type { Lifecycle } from './lifecycle.ts';

/** What is particular to onramp orders until somebody may pay. */
export const onrampLifecycle: Lifecycle = {
  assessHasEffects: false,
  open: async () => ({ event: 'created', set: {} }),
  assess: async () => ({ event: 'checks-passed' }),
};
