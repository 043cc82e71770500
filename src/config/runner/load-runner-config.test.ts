import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../../test/harness/settings-for.ts';
import { internalPublicKey } from '../../lib/net/signed-requests.ts';
import { ConfigError, loadConfig, type ProcessKind } from '../load-config.ts';
import { loadRunnerConfig } from './load-runner-config.ts';

const aSecret = () => randomBytes(32).toString('base64');
const publicKey = () => Buffer.from(internalPublicKey(randomBytes(32))).toString('base64');
type Variables = Readonly<Record<string, string | undefined>>;
const good = (): Record<string, string> => ({
  PURSER_ENVIRONMENT: 'production',
  PLAINTEXT_HOSTS: 'worker,runner-1,ollama,{hostname}',
  RUNNER_DOOR_ORIGIN: 'http://worker:3002/',
  RUNNER_DOOR_PUBLIC_KEY: publicKey(),
  RUNNER_SEED: aSecret(),
});
const live = () => ({
  RUNNER_LIVE_ORIGIN: 'http://runner-1:3003',
  RUNNER_LIVE_PUBLIC_KEY: publicKey(),
});
const problemsOf = (load: () => unknown): readonly string[] => {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};
const runnerProblems = (changes: Variables) =>
  problemsOf(() => loadRunnerConfig({ ...good(), ...changes }));

describe('the configuration of a runner', () => {
  it('is complete with where the worker is, its key and a seed', () => {
    const config = loadRunnerConfig(good());
    expect(config.link.origin).toBe('http://worker:3002');
    expect([config.live, config.metrics, config.runner.runsMax]).toEqual([
      undefined,
      { host: '127.0.0.1', port: 9_464 },
      4,
    ]);
    expect(JSON.stringify(config)).not.toContain(
      Buffer.from(config.link.seed.reveal()).toString('hex'),
    );
  });

  it('shows live pictures where it is told how the API reaches it, and who that is', () => {
    expect(loadRunnerConfig({ ...good(), ...live() }).live).toMatchObject({
      host: '0.0.0.0',
      port: 3_003,
      origin: 'http://runner-1:3003',
    });
    expect(
      loadRunnerConfig({ ...good(), ...live(), RUNNER_LIVE_ORIGIN: 'http://{hostname}:3003' }).live!
        .origin,
    ).toBe(`http://${hostname().toLowerCase()}:3003`);
  });

  it('has a second secret only where it asks a language model, and shows neither', () => {
    const planner = {
      RUNNER_PLANNER: 'openai-compatible',
      RUNNER_PLANNER_URL: 'http://ollama:11434/v1',
      RUNNER_PLANNER_MODEL: 'small',
    };
    expect(loadRunnerConfig(good()).planner).toBeUndefined();
    const config = loadRunnerConfig({ ...good(), ...planner, RUNNER_PLANNER_KEY: 'sk-only-here' });
    expect(config.planner?.key?.reveal()).toBe('sk-only-here');
    expect(JSON.stringify(config)).not.toContain('sk-only-here');
  });

  it.each<[string, Variables, string]>([
    ['the gateway', { RUNNER_DOOR_ORIGIN: undefined }, 'RUNNER_DOOR_ORIGIN is not set'],
    [
      'a gateway with a path',
      { RUNNER_DOOR_ORIGIN: 'http://worker:3002/api' },
      'RUNNER_DOOR_ORIGIN is an http or https address without a path',
    ],
    [
      'the key of the worker',
      { RUNNER_DOOR_PUBLIC_KEY: undefined },
      'RUNNER_DOOR_PUBLIC_KEY is not set',
    ],
    ['half a key', { RUNNER_DOOR_PUBLIC_KEY: 'abc' }, 'RUNNER_DOOR_PUBLIC_KEY is 32 bytes'],
    ['its seed', { RUNNER_SEED: undefined }, 'RUNNER_SEED is not set'],
    ['half a seed', { RUNNER_SEED: 'abc' }, 'RUNNER_SEED is 32 random bytes'],
    [
      'who may watch',
      { ...live(), RUNNER_LIVE_PUBLIC_KEY: undefined },
      'RUNNER_LIVE_PUBLIC_KEY is not set',
    ],
    [
      'where it is watched',
      { ...live(), RUNNER_LIVE_ORIGIN: undefined },
      'RUNNER_LIVE_ORIGIN is not set',
    ],
    [
      'one port for two things',
      { ...live(), METRICS_PORT: '3003' },
      'RUNNER_LIVE_PORT is METRICS_PORT',
    ],
    [
      'the word for the environment',
      { PURSER_ENVIRONMENT: undefined },
      'PURSER_ENVIRONMENT is not set',
    ],
  ])('says what is missing or wrong: %s', (_what, changes, sentence) => {
    expect(runnerProblems(changes)).toEqual([expect.stringContaining(sentence)]);
  });

  it.each([
    'DATABASE_URL',
    'KEY_ENCRYPTION_KEYS',
    'TREASURY_KEY_ENCRYPTION_KEYS',
    'KEY_SIGNING_SEED',
    'EVM_TREASURY_KEY',
    'VAULT_WORKER_SEED',
    'VAULT_DATABASE_URL',
    'STRIPE_SECRET_KEY',
    'RUNNER_DOOR_SEED',
    'RUNNER_LIVE_SEED',
  ])('refuses %s: whoever breaks out of a browser finds no key to anything else', (name) => {
    expect(runnerProblems({ [name]: aSecret() })).toEqual([
      expect.stringMatching(
        new RegExp(`^${name} belongs to .*: leave it out of the environment of runner`),
      ),
    ]);
  });
});

describe('runners on the main side', () => {
  const main = (): Record<string, string> => ({
    PURSER_ENVIRONMENT: 'staging',
    BASE_URL: 'https://purser.example/api',
    DATABASE_URL: 'postgres://purser:secret@database/purser',
    KEY_SIGNING_SEED: aSecret(),
    KEY_ENCRYPTION_KEYS: `2026=${aSecret()}`,
    TREASURY_KEY_ENCRYPTION_KEYS: `2026=${aSecret()}`,
  });
  const load = (process: ProcessKind, changes: Variables = {}) =>
    loadConfig({ ...settingsFor(process, main()), ...changes }, { process });
  const gateway = () => ({ RUNNER_PUBLIC_KEY: publicKey(), RUNNER_DOOR_SEED: aSecret() });

  it('have a gateway at the worker only, where it knows their key and has a seed', () => {
    expect(load('worker', gateway()).runnerGateway).toMatchObject({ host: '0.0.0.0', port: 3_002 });
    expect([
      load('worker').runnerGateway,
      load('purser', { RUNNER_PUBLIC_KEY: publicKey() }).runnerGateway,
    ]).toEqual([undefined, undefined]);
  });

  it('are watched by the api only, where it has a seed', () => {
    expect(load('api', { RUNNER_LIVE_SEED: aSecret() }).runnerLive?.seed.reveal()).toHaveLength(32);
    expect(load('api').runnerLive).toBeUndefined();
  });

  it.each<[ProcessKind, Variables, string]>([
    ['worker', { ...gateway(), RUNNER_DOOR_SEED: undefined }, 'RUNNER_DOOR_SEED is not set'],
    ['worker', { ...gateway(), RUNNER_PUBLIC_KEY: undefined }, 'RUNNER_PUBLIC_KEY is not set'],
    ['worker', { ...gateway(), RUNNER_PUBLIC_KEY: 'abc' }, 'RUNNER_PUBLIC_KEY is 32 bytes'],
    ['worker', { ...gateway(), RUNNER_DOOR_PORT: '9464' }, 'RUNNER_DOOR_PORT is METRICS_PORT'],
    ['worker', { RUNNER_LIVE_SEED: aSecret() }, 'RUNNER_LIVE_SEED belongs to api:'],
    ['api', { RUNNER_DOOR_SEED: aSecret() }, 'RUNNER_DOOR_SEED belongs to worker:'],
    ['api', { RUNNER_LIVE_SEED: 'abc' }, 'RUNNER_LIVE_SEED is 32 random bytes'],
    ['api', { RUNNER_SEED: aSecret() }, 'RUNNER_SEED belongs to runner:'],
    ['worker', { RUNNER_SEED: aSecret() }, 'RUNNER_SEED belongs to runner:'],
    ['api', { RUNNER_PLANNER_KEY: 'sk-1' }, 'RUNNER_PLANNER_KEY belongs to runner:'],
    ['worker', { RUNNER_PLANNER_KEY: 'sk-1' }, 'RUNNER_PLANNER_KEY belongs to runner:'],
  ])('the %s says what is missing or not its own', (process, changes, sentence) => {
    expect(problemsOf(() => load(process, { PRICING: 'sandbox', ...changes }))).toEqual([
      expect.stringContaining(sentence),
    ]);
  });
});
