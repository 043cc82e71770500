import { expect } from 'vitest';
import { openAction } from '../../src/areas/agent-checkouts/actions/actions.ts';
import {
  type CheckoutChange,
  changeCheckout,
} from '../../src/areas/agent-checkouts/change-checkout.ts';
import { lockCheckout } from '../../src/areas/agent-checkouts/store.ts';
import type { Ctx } from '../../src/context.ts';
import type { UserActionRequest } from '../../src/runner/types.ts';

/**
 * What the worker does with a checkout when its runner tells it: no browser is needed to see how a
 * client follows.
 */
export function driveCheckout(ctx: Ctx, id: string) {
  const change = (one: CheckoutChange) =>
    ctx.store.transaction(async (tx) =>
      changeCheckout(ctx, tx, (await lockCheckout(tx, id))!, one),
    );
  const read = () => ctx.store.transaction(async (tx) => (await lockCheckout(tx, id))!);
  return {
    /** Once the user has answered. */
    answered: () => expect.poll(async () => (await read()).status).toBe('running'),
    start: () =>
      change({ event: 'claimed', progress: [{ type: 'step', title: 'Opening the shop' }] }),
    ask: (request: UserActionRequest) =>
      ctx.store.transaction(async (tx) =>
        openAction(ctx, tx, (await lockCheckout(tx, id))!, request),
      ),
    succeed: (receipt: NonNullable<CheckoutChange['set']>['receipt']) =>
      change({
        event: 'succeeded',
        set: { outcome: 'placed', receipt },
        progress: [{ type: 'step', title: 'Bought' }],
      }),
    fail: (failure: NonNullable<CheckoutChange['set']>['failure']) =>
      change({ event: 'failed', set: { failure } }),
  };
}
