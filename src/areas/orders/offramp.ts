import type { Lifecycle } from './lifecycle.ts';

/** What is particular to offramp orders until somebody may pay. */
export const offrampLifecycle: Lifecycle = {
  assessHasEffects: false,
  open: async () => ({ event: 'created', set: {} }),
  assess: async () => ({ event: 'checks-passed' }),
};
