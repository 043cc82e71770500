import { hostname } from 'node:os';
import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Config } from '../config.ts';
import { ConfigError, logLevels, readEnvironment, readMetrics } from '../load-config.ts';
import { readTransport } from '../providers/read-transport.ts';
import {
  createSettingReader,
  type SettingReader,
  type Environment as Variables,
} from '../read-setting.ts';
import { type CommerceConfig, readCommerce } from './read-commerce.ts';
import { type PlannerConfig, readPlanner } from './read-planner.ts';
import { type RunnerConfig, readRunnerConfig } from './read-runner.ts';
import { readPublicKey, readSeed } from './read-runner-links.ts';

/**
 * Everything a runner process is told from outside. It drives browsers through pages of strangers,
 * so it is told little.
 */
export interface RunnerProcessConfig {
  readonly environment: Environment;
  readonly runner: RunnerConfig;
  /** The language model for pages that the engine does not understand; absent: none. */
  readonly planner?: PlannerConfig;
  /** Shops' own interfaces for agents; absent: none is used. */
  readonly commerce?: CommerceConfig;
  /** The worker's gateway. */
  readonly link: {
    /** Scheme, host and port. */
    readonly origin: string;
    /** Ed25519 seed (32 bytes) that signs what it asks. */
    readonly seed: Secret<Uint8Array>;
    /** Ed25519 public key (32 bytes) that answers must be signed with. */
    readonly workerPublicKey: Uint8Array;
  };
  /** Where it shows live pictures to the API; absent: nowhere. */
  readonly live?: {
    readonly host: string;
    readonly port: number;
    /** As the API reaches this very process. */
    readonly origin: string;
    /** Ed25519 public key (32 bytes) that the API signs with. */
    readonly apiPublicKey: Uint8Array;
  };
  readonly metrics?: { readonly host: string; readonly port: number };
  /** Production only: hosts that are reached without TLS, because a setting allows it. */
  readonly plaintextHosts: readonly string[];
  readonly logLevel: Config['logLevel'];
}

/**
 * Makes the configuration of a runner from its environment. `docs/guides/configuration.md` lists
 * every variable.
 * @throws ConfigError with all problems at once
 */
export function loadRunnerConfig(variables: Variables): RunnerProcessConfig {
  const reader = createSettingReader(variables, 'runner');
  const environment = readEnvironment(reader);
  const live = readLive(reader);
  const metrics = readMetrics(reader, { environment, api: { port: 0 } });
  if (live && metrics?.port === live.port)
    reader.problems.push('RUNNER_LIVE_PORT is METRICS_PORT: choose another one.');
  const config: RunnerProcessConfig = {
    environment,
    runner: readRunnerConfig(reader, environment),
    planner: readPlanner(reader),
    commerce: readCommerce(reader, environment),
    link: readLink(reader),
    live,
    metrics,
    plaintextHosts: readTransport(reader, environment),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
  };
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

function readLink(reader: SettingReader): RunnerProcessConfig['link'] {
  const origin = readOrigin(reader, 'RUNNER_DOOR_ORIGIN');
  if (reader.text('RUNNER_DOOR_ORIGIN') === undefined)
    reader.problems.push(
      'RUNNER_DOOR_ORIGIN is not set: it is where the worker’s gateway for runners is, as in http://worker:3002.',
    );
  const seed = readSeed(reader, 'RUNNER_SEED', 'the runner signs what it asks the worker with it');
  const workerPublicKey = readPublicKey(
    reader,
    'RUNNER_DOOR_PUBLIC_KEY',
    'it is the public key of the worker’s RUNNER_DOOR_SEED',
  );
  return {
    origin: origin ?? '',
    seed: seed ?? new Secret(new Uint8Array(32)),
    workerPublicKey: workerPublicKey ?? new Uint8Array(32),
  };
}

function readLive(reader: SettingReader): RunnerProcessConfig['live'] {
  if (
    reader.text('RUNNER_LIVE_ORIGIN') === undefined &&
    reader.text('RUNNER_LIVE_PUBLIC_KEY') === undefined
  )
    return undefined;
  if (reader.text('RUNNER_LIVE_ORIGIN') === undefined)
    reader.problems.push(
      'RUNNER_LIVE_ORIGIN is not set: it is where the API reaches this runner’s live pictures, as in http://runner:3003.',
    );
  const origin = readOrigin(reader, 'RUNNER_LIVE_ORIGIN');
  const apiPublicKey = readPublicKey(
    reader,
    'RUNNER_LIVE_PUBLIC_KEY',
    'it is the public key of the api’s RUNNER_LIVE_SEED',
  );
  const port = reader.integer('RUNNER_LIVE_PORT');
  if (origin === undefined || !apiPublicKey) return undefined;
  return { host: reader.textOrFallback('RUNNER_LIVE_HOST'), port, origin, apiPublicKey };
}

function readOrigin(
  reader: SettingReader,
  name: 'RUNNER_DOOR_ORIGIN' | 'RUNNER_LIVE_ORIGIN',
): string | undefined {
  // Several runners with one environment have a host name each.
  const text = reader.text(name)?.replace('{hostname}', hostname());
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === ''
  )
    return url.origin;
  reader.problems.push(
    `${name} is an http or https address without a path, as in http://worker:3002.`,
  );
  return undefined;
}
