import { sendCall } from '../harness/http.ts';
import type { FaultWorld } from './world.ts';

/** An event of an order, as it was told. */
export interface ToldEvent {
  readonly id: string;
  readonly type: string;
  readonly orderId: string;
  readonly data: unknown;
}

/** Reads the service's own list of events on, from where it was left. */
export function createTeller(world: FaultWorld) {
  const told: ToldEvent[] = [];
  let after: string | undefined;
  return {
    told: told as readonly ToldEvent[],
    async readOn(): Promise<void> {
      for (;;) {
        const query = after === undefined ? '?limit=100' : `?limit=100&after=${after}`;
        const { body } = await sendCall(`${world.plainApiUrl}/unstable/events${query}`, 'GET', { key: world.serverKey });
        if (body.events.length === 0) return;
        for (const { id, type, payload } of body.events)
          if (type.startsWith('orders.')) told.push({ id, type, orderId: payload.actionId, data: payload.data });
        after = body.events.at(-1).id;
      }
    },
  };
}
