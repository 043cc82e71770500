/** @module-tag slow */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { route } from '../../src/http/routes/route.ts';
import { startTestApi } from '../harness/http.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { fuzzRoutes } from './fuzz-routes.ts';
import { fuzzService, fuzzVault } from './fuzz-service.ts';

/** The long tests do sixteen times as many. */
const runCount = Number(process.env.PURSER_FUZZ_RUNS ?? 25);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

test(
  'no input of any kind makes a route answer 5xx or break its documented shape',
  () => fuzzService(stack, runCount),
  900_000,
);

test(
  'nor a route of payment methods, on the API host and on the vault',
  () => fuzzVault(runCount),
  900_000,
);

test('the search finds a route that breaks on odd input, one whose answer is not what it says, and one with a hidden status', async () => {
  const base = {
    method: 'POST',
    operationId: 'probe',
    summary: 'Probe',
    tag: 'Probe',
    family: 'W',
    auth: { keys: 'both', user: 'none', scopes: [] },
    errors: [],
  } as const;
  const breaking = route({
    ...base,
    path: '/probe/breaks',
    body: z.object({ name: z.string().optional() }),
    responses: { 200: { description: 'Fine.', schema: z.object({ length: z.number() }) } },
    handler: async (_, { body }) => ({ status: 200, body: { length: body.name!.length } }),
  });
  const lying = route({
    ...base,
    path: '/probe/lies',
    body: z.object({ name: z.string() }),
    responses: { 200: { description: 'Fine.', schema: z.object({ length: z.number() }) } },
    handler: async (_, { body }) => ({
      status: 200,
      body: { length: body.name === 'alice' ? 'five' : 1 },
    }),
  });
  const hiding = route({
    ...base,
    path: '/probe/hides',
    body: z.object({ name: z.string() }),
    responses: { 200: { description: 'Fine.', schema: z.object({}) } },
    handler: async (_, { body }) => ({ status: body.name === 'alice' ? 202 : 200, body: {} }),
  });
  for (const [probe, message] of [
    [breaking, /answered 500/],
    [lying, /does not fit/],
    [hiding, /does not list that status/],
  ] as const) {
    const probed = await startTestApi({ routes: [probe], server: { checkAnswers: false } });
    // Of two known texts one sets the fault off: among all of them, 500 calls missed it once in
    // fifty times.
    const options = { runCount: 500, knownTexts: ['alice', 'bob'], knownValues: {} };
    await expect(fuzzRoutes(probed, [probe], options)).rejects.toThrow(message);
    await probed.close();
  }
}, 120_000);
