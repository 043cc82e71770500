import { expect, test } from 'vitest';
import { describeEventTypes } from '../src/areas/event-descriptions.ts';
import { renderOpenApi } from '../src/http/pages/openapi.ts';
import { readExamples } from '../src/http/reference/examples.ts';
import { tagDescriptions } from '../src/http/reference/tags.ts';
import { productionFiles } from '../test/tidy/source-files.ts';
import { documentedRoutes, exampleFits } from './examples.ts';

const examples = readExamples();

test('every operation has a recorded call: else run npm run docs:examples', () => {
  const missing = documentedRoutes.filter((route) => !examples.operations[route.operationId]);
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

test('the call that a newcomer makes first has the simplest body', () => {
  expect(examples.operations.createWallet?.body).toEqual({
    chainType: 'evm',
    type: 'smart',
    config: { adminSigner: { type: 'api-key' } },
  });
});

test('every recorded call is one that its operation takes and answers today: else run npm run docs:examples', () => {
  const stale = Object.entries(examples.operations).filter(([name, example]) => {
    const route = documentedRoutes.find(({ operationId }) => operationId === name);
    return !route || !exampleFits(route, example);
  });
  expect(stale.map(([name]) => name)).toEqual([]);
});

test('every event that this service sends has a recorded body, which fits its schema', () => {
  const schemas = new Map<string, { safeParse(value: unknown): { success: boolean } }>(
    describeEventTypes().map(({ type, schema }) => [type, schema]),
  );
  const stale = Object.entries(examples.events).filter(
    ([type, body]) => !schemas.get(type)?.safeParse(body).success,
  );
  expect(stale.map(([type]) => type)).toEqual([]);
  const sent = describeEventTypes().filter(({ note }) => !note?.startsWith('Never sent'));
  expect(Object.keys(examples.events)).toEqual(sent.map(({ type }) => type).sort());
});

test('every answer that is a picture leads to one that was recorded', () => {
  type Answers = Record<string, { description: string; content?: Record<string, unknown> }>;
  const answers = Object.values(renderOpenApi(documentedRoutes).paths ?? {})
    .flatMap((item) => Object.values(item as Record<string, { responses: Answers }>))
    .flatMap(({ responses }) => Object.values(responses))
    .filter(({ content }) => Object.keys(content ?? {}).some((type) => type.startsWith('image/')));
  expect(answers.map(({ description }) => /\]\((.+?)\)/.exec(description)?.[1])).toEqual([
    '/docs/examples/getAgentCheckoutPicture.jpg',
  ]);
});

test('only a key that leaves is never told of, and nothing in the service tells of one', () => {
  const silent = describeEventTypes().filter(({ note }) => note?.startsWith('Never sent'));
  expect(silent.map(({ type }) => type)).toEqual(['wallets.signer.exported']);
  const naming = productionFiles().filter(({ text }) => text.includes("'wallets.signer.exported'"));
  expect(naming.map(({ path }) => path).filter((path) => path.startsWith('src/'))).toEqual([
    'src/areas/event-descriptions.ts',
    'src/areas/webhooks/events/event-types.ts',
  ]);
});

test('no recorded call has a whole key or token', () => {
  expect(JSON.stringify(examples)).not.toMatch(
    /\b(?:sk|ck|whsec)_(?:[a-z]+_)?[\w+/=-]{8,}|eyJ[\w-]{10,}/,
  );
});

test('every group of operations says what it is about', () => {
  expect(Object.keys(tagDescriptions).sort()).toEqual(
    [...new Set(documentedRoutes.map(({ tag }) => tag))].sort(),
  );
});
