import { expect, test } from 'vitest';
import { describeEventTypes } from '../src/areas/event-descriptions.ts';
import { readExamples } from '../src/http/reference/examples.ts';
import { tagDescriptions } from '../src/http/reference/tags.ts';
import { documentedRoutes, exampleFits } from './examples.ts';

const examples = readExamples();

test('every operation has a recorded call: else run npm run docs:examples', () => {
  const missing = documentedRoutes.filter((route) => !examples.operations[route.operationId]);
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
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
  const stale = Object.entries(examples.events).filter(([type, body]) => !schemas.get(type)?.safeParse(body).success);
  expect(stale.map(([type]) => type)).toEqual([]);
  // No key leaves this service, so that nobody is told of one.
  expect(Object.keys(examples.events)).toEqual([...schemas.keys()].filter((type) => type !== 'wallets.signer.exported').sort());
});

test('no recorded call has a whole key or token', () => {
  expect(JSON.stringify(examples)).not.toMatch(/\b(?:sk|ck|whsec)_(?:[a-z]+_)?[\w+/=-]{8,}|eyJ[\w-]{10,}/);
});

test('every group of operations says what it is about', () => {
  expect(Object.keys(tagDescriptions).sort()).toEqual([...new Set(documentedRoutes.map(({ tag }) => tag))].sort());
});
