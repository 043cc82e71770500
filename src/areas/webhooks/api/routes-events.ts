import { type AnyRoute, route } from '../../../http/routes/route.ts';
import { listEvents } from '../events/events.ts';
import { eventPageSchema, eventsHeadersSchema, eventsQuerySchema } from './schema.ts';
import { openStream } from './stream.ts';
import { eventView } from './view.ts';

export const eventRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/unstable/events',
    operationId: 'listEvents',
    summary: 'Read events, or follow them',
    description: `Everything that webhooks carry, in order, for 30 days. With \`Accept: text/event-stream\` the answer does not end:
server-sent events whose \`id\` is the position, so that a reader that was cut off goes on with \`Last-Event-ID\`, with a comment as
heartbeat while nothing happens.`,
    tag: 'Webhooks',
    family: 'W',
    auth: { keys: 'server', user: 'none', scopes: ['webhooks.read'] },
    query: eventsQuerySchema,
    headers: eventsHeadersSchema,
    responses: {
      200: {
        description: 'A page of events, the oldest first.',
        schema: eventPageSchema,
        streams: 'text/event-stream',
      },
    },
    errors: ['event-not-found'],
    handler: async (ctx, { query, headers }) => {
      const { projectId } = ctx.caller;
      if (/\btext\/event-stream\b/i.test(headers.accept ?? ''))
        return {
          status: 200,
          stream: await openStream(ctx, {
            projectId,
            query,
            lastEventId: headers['last-event-id'],
          }),
        };
      const { events, nextCursor } = await listEvents(ctx, { projectId, query });
      return { status: 200, body: { events: events.map(eventView), nextCursor } };
    },
  }),
];
