import { z } from 'zod';
import { findShipped } from '../../config/folders.ts';
import type { OpenApiDocument } from '../pages/openapi.ts';
import { readShipped } from './shipped.ts';

const exampleSchema = z.object({
  path: z.record(z.string(), z.string()).optional(),
  query: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  status: z.number(),
  answer: z.unknown().optional(),
});
const fileSchema = z.object({
  operations: z.record(z.string(), exampleSchema),
  events: z.record(z.string(), z.unknown()),
});

/** One call and its answer as a test has seen them. */
export type RecordedExample = z.output<typeof exampleSchema>;

/** By operation and by type of event. Made by `npm run docs:examples`. */
export type RecordedExamples = z.output<typeof fileSchema>;

export const examplesPath = 'docs/api/examples.json';

/** None where the file was not shipped: the reference is then without examples. */
export function readExamples(): RecordedExamples {
  const text = readShipped(examplesPath);
  return text === undefined ? { operations: {}, events: {} } : fileSchema.parse(JSON.parse(text));
}

/**
 * Answers of `npm run demo:checkout` that are no JSON: fetched once from the interface, by
 * operation.
 */
export const picturesPath = 'docs/api/pictures';

interface Content {
  description?: string;
  content?: {
    'application/json'?: { readonly schema?: unknown; example?: unknown };
    'image/jpeg'?: unknown;
  };
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: { readonly name: string; readonly in: string; example?: unknown }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** Writes each call into its operation: parameters, body and answer. */
export function addExamples(document: OpenApiDocument, examples: RecordedExamples): void {
  for (const item of Object.values(document.paths ?? {}))
    for (const operation of Object.values(item as Record<string, Operation>)) {
      const example = examples.operations[operation.operationId];
      if (example) addExample(operation, example);
      addPicture(operation);
    }
}

function addExample(operation: Operation, example: RecordedExample): void {
  for (const parameter of operation.parameters ?? []) {
    const value =
      parameter.in === 'path'
        ? example.path?.[parameter.name]
        : parameter.in === 'query'
          ? example.query?.[parameter.name]
          : undefined;
    if (value !== undefined) parameter.example = value;
  }
  const sent = operation.requestBody?.content?.['application/json'];
  if (sent && example.body !== undefined) sent.example = example.body;
  const schema = schemaOf(operation.responses[String(example.status)]);
  // A repeated call answers the same with another status.
  for (const response of Object.values(operation.responses)) {
    const answered = response.content?.['application/json'];
    if (answered && example.answer !== undefined && schemaOf(response) === schema)
      answered.example = example.answer;
  }
}

/**
 * As a link: a media type that is not JSON has no `example`, and readers of OpenAPI want the file
 * of an `externalValue` beside it.
 */
function addPicture({ operationId, responses }: Operation): void {
  const answer = responses['200'];
  if (
    answer?.content?.['image/jpeg'] &&
    findShipped(`${picturesPath}/${operationId}.jpg`) !== undefined
  )
    answer.description = `${answer.description} [A recorded one](/docs/examples/${operationId}.jpg): a cart in a test shop.`;
}

function schemaOf(response: Content | undefined): string | undefined {
  return JSON.stringify(response?.content?.['application/json']?.schema);
}
