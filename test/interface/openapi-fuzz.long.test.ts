import { afterAll, beforeAll, test } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';
import { fuzzService, fuzzVault } from './fuzz-service.ts';

const runCount = 400;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

test('no input of any kind makes a route answer 5xx or break its documented shape', () =>
  fuzzService(stack, runCount));

test('nor a route of payment methods, on the API host and on the vault', () => fuzzVault(runCount));
