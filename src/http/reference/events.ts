import type { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { RecordedExamples } from './examples.ts';

/** A body that receivers of webhooks get. */
export interface EventDescription {
  readonly type: string;
  readonly summary: string;
  /** Where there is more to say than that of every webhook. */
  readonly note?: string;
  /** The whole body. */
  readonly schema: z.ZodType;
}

const description = `Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers \`webhook-id\`, \`webhook-timestamp\` and
\`webhook-signature\`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.`;

/** The OpenAPI \`webhooks\` of the events, each with a body that a test has seen. */
export function describeEvents(
  events: readonly EventDescription[],
  examples: RecordedExamples,
): ZodOpenApiPathsObject {
  return Object.fromEntries(
    events.map(({ type, summary, note, schema }) => {
      const example = examples.events[type];
      return [
        type,
        {
          post: {
            operationId: type,
            summary,
            description: note === undefined ? description : `${note}\n\n${description}`,
            tags: ['Webhooks'],
            security: [],
            requestBody: {
              required: true,
              content: {
                'application/json': { schema, ...(example !== undefined && { example }) },
              },
            },
            responses: {
              '2XX': { description: 'Received.' },
              '4XX': { description: 'Not received: it is sent again later.' },
            },
          },
        },
      ];
    }),
  );
}
