import { describe, expect, test } from 'vitest';
import { createSettingReader } from '../read-setting.ts';
import { readPlanner } from './read-planner.ts';

function read(variables: Record<string, string>) {
  const reader = createSettingReader(variables);
  return { config: readPlanner(reader), problems: reader.problems };
}
const local = {
  RUNNER_PLANNER: 'openai-compatible',
  RUNNER_PLANNER_URL: 'http://ollama:11434/v1/',
  RUNNER_PLANNER_MODEL: 'small',
};

describe('the planner of a runner', () => {
  test('is off without a word, and where it is called off, whatever else is set', () => {
    expect(read({})).toEqual({ config: undefined, problems: [] });
    expect(read({ ...local, RUNNER_PLANNER: 'off', RUNNER_PLANNER_KEY: 'sk-1' })).toEqual({
      config: undefined,
      problems: [],
    });
  });

  test('may be inside our network and without a key', () => {
    expect(read(local)).toEqual({
      config: {
        provider: 'openai-compatible',
        url: 'http://ollama:11434/v1',
        model: 'small',
        callsMax: 8,
        timeoutMs: 30_000,
      },
      problems: [],
    });
  });

  test('has a key that no JSON shows, and the address of its provider', () => {
    const { config, problems } = read({
      RUNNER_PLANNER: 'anthropic',
      RUNNER_PLANNER_MODEL: 'large',
      RUNNER_PLANNER_KEY: 'sk-1',
      RUNNER_PLANNER_CALLS_MAX: '3',
      RUNNER_PLANNER_TIMEOUT_SECONDS: '5',
    });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      provider: 'anthropic',
      url: 'https://api.anthropic.com/v1',
      callsMax: 3,
      timeoutMs: 5_000,
    });
    expect(config?.key?.reveal()).toBe('sk-1');
    expect(JSON.stringify(config)).not.toContain('sk-1');
  });

  test.each<[Record<string, string>, string]>([
    [{ RUNNER_PLANNER_KEY: 'sk-1' }, 'RUNNER_PLANNER_KEY is set and RUNNER_PLANNER is not'],
    [
      { RUNNER_PLANNER_URL: 'http://ollama:11434/v1' },
      'RUNNER_PLANNER_URL is set and RUNNER_PLANNER is not',
    ],
    [
      { ...local, RUNNER_PLANNER: 'openai' },
      'RUNNER_PLANNER is one of off, openai-compatible, anthropic',
    ],
    [{ ...local, RUNNER_PLANNER_URL: '' }, 'RUNNER_PLANNER_URL is not set'],
    [
      { ...local, RUNNER_PLANNER_URL: 'ollama:11434' },
      'RUNNER_PLANNER_URL is an http or https address',
    ],
    [
      { ...local, RUNNER_PLANNER_URL: 'http://me:secret@ollama/v1' },
      'RUNNER_PLANNER_URL is an http or https address',
    ],
    [
      { ...local, RUNNER_PLANNER_URL: 'http://ollama/v1?key=1' },
      'RUNNER_PLANNER_URL is an http or https address',
    ],
    [{ ...local, RUNNER_PLANNER_MODEL: '' }, 'RUNNER_PLANNER_MODEL is not set'],
    [
      { RUNNER_PLANNER: 'anthropic', RUNNER_PLANNER_MODEL: 'large' },
      'RUNNER_PLANNER_KEY is not set',
    ],
    [
      { ...local, RUNNER_PLANNER_KEY: 'sk-1\nsk-2' },
      'RUNNER_PLANNER_KEY has a space, a line break',
    ],
    [{ ...local, RUNNER_PLANNER_KEY: 'sk-1…' }, 'RUNNER_PLANNER_KEY has a space, a line break'],
    [
      { ...local, RUNNER_PLANNER_CALLS_MAX: '51' },
      'RUNNER_PLANNER_CALLS_MAX is a whole number from 1 to 50',
    ],
    [
      { ...local, RUNNER_PLANNER_TIMEOUT_SECONDS: '0' },
      'RUNNER_PLANNER_TIMEOUT_SECONDS is a whole number from 1 to 120',
    ],
  ])('%j is refused with one sentence', (variables, sentence) => {
    expect(read(variables).problems).toEqual([expect.stringContaining(sentence)]);
  });
});
