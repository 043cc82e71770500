import { z } from 'zod';
import { parseJson } from '../../lib/json/parse-json.ts';
import type { KycCallback } from './kyc.ts';

const eventSchema = z.object({
  data: z.object({
    type: z.literal('event'),
    id: z.string().min(1).max(200),
    attributes: z.object({
      name: z.string().max(200),
      payload: z.object({
        data: z.object({
          type: z.string(),
          id: z.string().min(1).max(200),
          attributes: z.looseObject({ 'reference-id': z.string().max(300).nullish() }).optional(),
        }),
      }),
    }),
  }),
});

/**
 * Reads the event of a callback; undefined when it is none, or is about something else than an
 * inquiry.
 */
export function readCallbackEvent(body: Buffer): KycCallback | undefined {
  const parsed = eventSchema.safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  const { id, attributes } = parsed.data.data;
  const object = attributes.payload.data;
  if (object.type !== 'inquiry') return undefined;
  const reference = object.attributes?.['reference-id'] ?? undefined;
  return { eventId: id, inquiryId: object.id, ...(reference !== undefined && { reference }) };
}
