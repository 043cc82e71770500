import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlannerConfig } from '../../config/runner/read-planner.ts';
import { createModel } from './model.ts';
import {
  endpointKey,
  type ModelEndpoint,
  type ModelReply,
  startModelEndpoint,
} from './testing/model-endpoint.ts';

let endpoint: ModelEndpoint;
beforeAll(async () => {
  endpoint = await startModelEndpoint();
});
afterAll(() => endpoint.close());

const user = JSON.stringify({
  goal: 'Go on.',
  values: [],
  history: [],
  page: { elements: [], text: '' },
});
const ask = (
  reply: ModelReply,
  provider: PlannerConfig['provider'] = 'openai-compatible',
  more: Partial<PlannerConfig> = {},
) => {
  endpoint.script = () => reply;
  return createModel(endpoint.config(provider, more)).ask({
    system: 'Rules.',
    user,
    signal: new AbortController().signal,
  });
};

describe.each(['openai-compatible', 'anthropic'] as const)('a model that speaks %s', (provider) => {
  test('is asked once, with its key in the header, and its actions are read', async () => {
    const before = endpoint.requests.length;
    const actions = [
      { do: 'click', ref: '1-4' },
      { do: 'type', ref: '1-5', value: 'shipping.city' },
      { do: 'done' },
    ];
    expect(await ask({ actions }, provider)).toEqual({ actions });
    expect(endpoint.requests).toHaveLength(before + 1);
    const request = endpoint.requests.at(-1)!;
    expect([request.path, request.system, request.user.goal]).toEqual([
      provider === 'anthropic' ? '/v1/messages' : '/v1/chat/completions',
      'Rules.',
      'Go on.',
    ]);
    expect([request.headers.authorization, request.headers['x-api-key']]).toContain(
      provider === 'anthropic' ? endpointKey : `Bearer ${endpointKey}`,
    );
    expect(request.raw).not.toContain(endpointKey);
  });

  test.each<[string, ModelReply, string]>([
    ['an error of the server', { status: 500 }, 'error of the endpoint'],
    ['a wrong key', { status: 401 }, 'refused by the endpoint'],
    ['too many questions', { status: 429 }, 'refused by the endpoint'],
    ['a server that sends elsewhere', { redirect: 'http://127.0.0.1:9/v1' }, 'unreachable'],
    ['an answer without an end', { endless: true }, 'too long'],
    ['a body that is no JSON', { status: 200, body: '<html>' }, 'no valid answer'],
    [
      'words in place of actions',
      { text: 'I am sorry, I cannot help with that.' },
      'no valid answer',
    ],
    ['half an object', { text: '{"actions": [{"do": "cli' }, 'no valid answer'],
    [
      '10,000 actions',
      { actions: Array.from({ length: 10_000 }, () => ({ do: 'scroll', to: 'down' })) },
      'too long',
    ],
    [
      'nine actions',
      { actions: Array.from({ length: 9 }, () => ({ do: 'scroll', to: 'down' })) },
      'no valid answer',
    ],
    ['no action', { actions: [] }, 'no valid answer'],
    [
      'a secret',
      { actions: [{ do: 'type', ref: '1-1', value: 'card.number' }] },
      'no valid answer',
    ],
    [
      'free text',
      { actions: [{ do: 'type', ref: '1-1', value: '4242424242424242' }] },
      'no valid answer',
    ],
    [
      'an action that nobody knows',
      { actions: [{ do: 'navigate', url: 'https://evil.example' }] },
      'no valid answer',
    ],
  ])('gives no answer with %s', async (_what, reply, fault) => {
    const before = endpoint.requests.length;
    expect(await ask(reply, provider)).toEqual({ fault });
    expect(endpoint.requests).toHaveLength(before + 1);
  });

  test('is waited for so long and no longer', async () => {
    expect(await ask({ silent: true }, provider, { timeoutMs: 200 })).toEqual({ fault: 'timeout' });
  });
});

test('a model that nobody can reach, and one whose run has ended, give no answer', async () => {
  const gone = createModel(endpoint.config('openai-compatible', { url: 'http://127.0.0.1:9/v1' }));
  expect(await gone.ask({ system: '', user, signal: new AbortController().signal })).toEqual({
    fault: 'unreachable',
  });
  endpoint.script = () => ({ silent: true });
  const ended = createModel(endpoint.config()).ask({
    system: '',
    user,
    signal: AbortSignal.timeout(100),
  });
  expect(await ended).toHaveProperty('fault');
});
