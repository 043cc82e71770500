import { z } from 'zod';
import { urlLengthMax } from '../endpoints/target.ts';
import { publicEventTypes } from '../events/event-types.ts';
import { deliveryStatuses } from '../machine.ts';

const pageSizeMax = 100;
export const pageSizeDefault = 20;
export const overlapSecondsMax = 7 * 24 * 60 * 60;
export const overlapSecondsDefault = 24 * 60 * 60;

const instant = z.iso.datetime({ offset: true });
const limit = z
  .string()
  .regex(/^(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${pageSizeMax}`)
  .optional()
  .describe(`Entries per page, 1 to ${pageSizeMax}; default ${pageSizeDefault}.`);
const cursor = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('`nextCursor` of an answer to the same query.');
const eventType = z.enum(publicEventTypes, {
  error: ({ input }) =>
    `${JSON.stringify(input)?.slice(0, 80)} is no type of event; there are ${publicEventTypes.join(', ')}`,
});
const typesOf = (description: string) =>
  z.array(eventType).min(1).max(publicEventTypes.length).optional().describe(description);

const url = z
  .string()
  .min(1)
  .max(urlLengthMax)
  .describe('https address; in development also http, and this machine.');
const description = z.string().max(200).optional();

export const endpointParamsSchema = z.object({ endpointId: z.uuid() });
export const deliveryParamsSchema = z.object({ deliveryId: z.uuid() });
export const replayParamsSchema = z.object({ endpointId: z.uuid(), replayId: z.uuid() });
export const pageQuerySchema = z.object({ cursor, limit });

export const createEndpointSchema = z.strictObject({
  url,
  events: typesOf('Types to send; all when absent.'),
  description,
});
export type CreateEndpoint = z.output<typeof createEndpointSchema>;

export const updateEndpointSchema = z.strictObject({
  url: url.optional(),
  events: typesOf('Types to send.').nullable().describe('Types to send; null: all.'),
  description: description.nullable(),
  disabled: z
    .boolean()
    .optional()
    .describe(
      'A disabled endpoint gets nothing; what was pending goes on when it is enabled again.',
    ),
});
export type UpdateEndpoint = z.output<typeof updateEndpointSchema>;

export const rotateSecretSchema = z.strictObject({
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(overlapSecondsMax)
    .optional()
    .describe(
      `How long the old secret signs too; default ${overlapSecondsDefault} (a day), at most ${overlapSecondsMax} (a week).`,
    ),
});

export const endpointSchema = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string().optional(),
    events: z.array(z.string()).optional().describe('Absent: all.'),
    status: z.enum(['enabled', 'disabled']),
    disabledReason: z.enum(['asked', 'gone', 'failing']).optional(),
    disabledAt: instant.optional(),
    failingSince: instant.optional().describe('First failed attempt after the last success.'),
    pausedUntil: instant.optional().describe('The receiver asked for it with Retry-After.'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'WebhookEndpoint' });

export const createdEndpointSchema = endpointSchema
  .extend({
    secret: z
      .string()
      .optional()
      .describe('`whsec_…`, shown once: a repeat of the call answers without it.'),
  })
  .meta({ id: 'CreatedWebhookEndpoint' });

export const endpointPageSchema = z
  .object({ endpoints: z.array(endpointSchema), nextCursor: z.string().optional() })
  .meta({ id: 'WebhookEndpointPage' });

export const rotatedSecretSchema = z
  .object({
    secret: z
      .string()
      .optional()
      .describe('The new `whsec_…`, shown once: a repeat of the call answers without it.'),
    previousSecretExpiresAt: instant,
  })
  .meta({ id: 'RotatedWebhookSecret' });

export const deliveryQuerySchema = z.object({
  status: z.enum(deliveryStatuses).optional(),
  type: z.string().min(1).max(100).optional().describe('Type of the event.'),
  cursor,
  limit,
});
export type DeliveryQuery = z.output<typeof deliveryQuerySchema>;

const deliverySchema = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    eventId: z
      .uuid()
      .describe(
        'The `webhook-id` that the receiver sees: the same for every attempt and every time it is sent again.',
      ),
    eventType: z.string(),
    object: z.string().describe('Events of one object are sent in order.'),
    kind: z
      .enum(['event', 'test', 'resend', 'replay'])
      .describe('Why it was queued last; `resend`: by hand, once more.'),
    status: z.enum(deliveryStatuses),
    attemptCount: z.number().int().describe('Since it was queued last.'),
    createdAt: instant,
    finishedAt: instant.optional(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryPageSchema = z
  .object({ deliveries: z.array(deliverySchema), nextCursor: z.string().optional() })
  .meta({ id: 'WebhookDeliveryPage' });

const attemptSchema = z
  .looseObject({
    at: instant,
    durationMs: z.number(),
    statusCode: z.number().int().optional(),
    answer: z.string().optional().describe('The first KiB.'),
    error: z.string().optional(),
  })
  .meta({ id: 'WebhookAttempt' });

export const deliveryDetailsSchema = deliverySchema
  .extend({
    attempts: z.array(attemptSchema),
    nextAttemptAt: instant
      .optional()
      .describe('Absent when it has ended, or waits for an earlier event of the same object.'),
    payload: z.unknown().describe('What is sent.'),
  })
  .meta({ id: 'WebhookDeliveryDetails' });

export const createReplaySchema = z.strictObject({
  from: instant.describe('Events that happened at or after this instant.'),
  to: instant
    .optional()
    .describe('Events that happened at or before this instant; now when absent.'),
  events: typesOf('Types to send; those of the endpoint when absent.'),
});
export type CreateReplay = z.output<typeof createReplaySchema>;

export const replaySchema = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    from: instant,
    to: instant,
    events: z.array(z.string()).optional(),
    status: z.enum(['running', 'completed', 'canceled']).describe('`completed`: all are queued.'),
    queued: z.number().int().describe('Deliveries queued so far.'),
    pending: z.number().int().describe('Of these: not sent yet.'),
    delivered: z.number().int(),
    failed: z.number().int(),
    createdAt: instant,
    finishedAt: instant.optional(),
  })
  .meta({ id: 'WebhookReplay' });

export const replayPageSchema = z
  .object({ replays: z.array(replaySchema), nextCursor: z.string().optional() })
  .meta({ id: 'WebhookReplayPage' });

const after = z
  .string()
  .min(1)
  .max(100)
  .describe(
    'An event’s `id` or `position`, or `latest` for what comes next; from the oldest when absent.',
  );

export const eventsQuerySchema = z.object({
  after: after.optional(),
  types: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Comma-separated types; all when absent.'),
  limit,
});
export type EventsQuery = z.output<typeof eventsQuerySchema>;

export const eventsHeadersSchema = z.object({
  accept: z.string().max(1_000).optional().describe('`text/event-stream` for server-sent events.'),
  'last-event-id': z
    .string()
    .max(100)
    .optional()
    .describe('Where a stream goes on: it wins over `after`.'),
});

const eventSchema = z
  .object({
    id: z.uuid().describe('The `webhook-id` of its deliveries.'),
    position: z.string().describe('Rises with each event.'),
    type: z.string(),
    object: z.string(),
    createdAt: instant,
    payload: z
      .unknown()
      .describe('What webhooks carry: `{id, type, data}`, or `{actionId, type, data}` for orders.'),
  })
  .meta({ id: 'Event' });

export const eventPageSchema = z
  .object({
    events: z.array(eventSchema),
    nextCursor: z
      .string()
      .optional()
      .describe('Send it as `after`; it stays valid when nothing is new.'),
  })
  .meta({ id: 'EventPage' });
