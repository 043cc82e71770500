import { sendCall } from '../harness/http.ts';
import type { FaultWorld } from './world.ts';

/** An event of an order, as it was told. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly orderId: string;
  readonly data: unknown;
}

export type EventReader = ReturnType<typeof createEventReader>;

/** Reads the service's own list of events on, from where it was left. */
export function createEventReader(world: FaultWorld) {
  const told = new Map<string, PublishedEvent>();
  let after: string | undefined;
  return {
    told: () => [...told.values()],
    async readOn(): Promise<void> {
      for (;;) {
        const query = after === undefined ? '?limit=100' : `?limit=100&after=${after}`;
        const { status, body, text } = await sendCall(
          `${world.plainApiUrl}/unstable/events${query}`,
          'GET',
          { key: world.serverKey },
        );
        // The last one that was read is older than events are kept: what is there is newer.
        if (body.code === 'event-not-found') after = undefined;
        else if (status !== 200) throw new Error(`the list of events answered ${status}: ${text}`);
        else if (body.events.length === 0) return;
        else {
          for (const { id, type, payload } of body.events)
            if (type.startsWith('orders.'))
              told.set(id, { id, type, orderId: payload.actionId, data: payload.data });
          after = body.events.at(-1).id;
        }
      }
    },
  };
}
