import type { Lifecycle } from './lifecycle.ts';

/** What is particular to checkout orders until somebody may pay. */
export const checkoutLifecycle: Lifecycle = {
  assessHasEffects: false,
  open: async () => ({ event: 'created', set: {} }),
  assess: async () => ({ event: 'checks-passed' }),
};
