import { createAgentCheckoutActs } from './agent-checkouts.ts';
import type { Answer, CallOptions, Query } from './call-types.ts';
import { createCalls } from './calls.ts';
import { type StreamOptions, streamEvents } from './events.ts';
import { type Order, type OrderWaitOptions, waitForOrder } from './orders.ts';
import { createHttp, createSend, type PurserOptions } from './send.ts';
import { type WaitOptions, waitUntil } from './wait.ts';
import { createWalletActs } from './wallets.ts';

export type Eligibility = Answer<'getIdentityVerification'>['eligibility'][number];

const reviewing: readonly Eligibility['status'][] = ['pending-review'];

/**
 * A client of one project: a method for each operation of the reference, and those that act to the
 * end. They throw a `PurserError`.
 */
export function createPurser(options: PurserOptions) {
  const http = createHttp(options);
  const { send, sendPages } = createSend(options, http);
  const calls = createCalls(send, sendPages);

  return {
    /** The typed client of all paths (openapi-fetch), with the same keys and retries. */
    http,
    ...calls,
    ...createWalletActs(calls, options),
    ...createAgentCheckoutActs(calls, options),

    /**
     * Waits until everything is delivered, or `until` holds.
     * @throws OperationFailedError when it ends otherwise, WaitTimeoutError
     */
    waitForOrder(
      orderId: string,
      { clientSecret, ...wait }: OrderWaitOptions = {},
    ): Promise<Order> {
      const call: CallOptions = {
        ...(wait.signal ? { signal: wait.signal } : {}),
        ...(clientSecret === undefined ? {} : { clientSecret }),
      };
      return waitForOrder(options, () => calls.getOrder(orderId, call), orderId, wait);
    },

    /**
     * Waits while a user's verification for `type` is looked at: what comes back is decided, or
     * says what is missing.
     */
    async waitForIdentityVerification(
      userLocator: string,
      type: Eligibility['type'],
      wait: WaitOptions = {},
    ): Promise<Eligibility> {
      const call = wait.signal ? { signal: wait.signal } : {};
      const find = async () =>
        (await calls.getIdentityVerification(userLocator, call)).eligibility.find(
          (entry) => entry.type === type,
        )!;
      return waitUntil(find, ({ status }) => !reviewing.includes(status), wait);
    },

    /**
     * Events as they happen, from `after` on, however often the connection breaks. For server keys.
     */
    streamEvents: (query?: Pick<Query<'listEvents'>, 'after' | 'types'>, stream?: StreamOptions) =>
      streamEvents(options, query, stream),
  };
}

export type Purser = ReturnType<typeof createPurser>;
