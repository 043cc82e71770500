import { Secret } from '../../lib/sealing/secret.ts';
import type { Config, RunnerGatewayConfig, RunnerLiveConfig } from '../config.ts';
import type { ProcessKind } from '../load-config.ts';
import { read32Bytes, type SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

/** The worker's gateway for runners; absent when nothing of it is set, and in the other processes. */
export function readRunnerGateway(
  reader: SettingReader,
  input: { readonly process: ProcessKind; readonly metrics: Config['metrics'] },
): RunnerGatewayConfig | undefined {
  if (input.process !== 'worker') return undefined;
  if (
    reader.text('RUNNER_PUBLIC_KEY') === undefined &&
    reader.secret('RUNNER_DOOR_SEED') === undefined
  )
    return undefined;
  const runnerPublicKey = readPublicKey(
    reader,
    'RUNNER_PUBLIC_KEY',
    'it is the public key of RUNNER_SEED, which the runners have',
  );
  const signingSeed = readSeed(
    reader,
    'RUNNER_DOOR_SEED',
    'the worker signs its answers to runners with it',
  );
  const port = reader.integer('RUNNER_DOOR_PORT');
  if (port === input.metrics?.port)
    reader.problems.push('RUNNER_DOOR_PORT is METRICS_PORT: choose another one.');
  if (!runnerPublicKey || !signingSeed) return undefined;
  return { host: reader.textOrFallback('RUNNER_DOOR_HOST'), port, signingSeed, runnerPublicKey };
}

/**
 * How the API signs when it asks runners for live pictures; absent when it has no seed, and in the
 * other processes.
 */
export function readRunnerLive(
  reader: SettingReader,
  process: ProcessKind,
): RunnerLiveConfig | undefined {
  if (process !== 'api' || reader.secret('RUNNER_LIVE_SEED') === undefined) return undefined;
  const seed = readSeed(reader, 'RUNNER_LIVE_SEED', '');
  return seed && { seed };
}

type SeedName = Extract<SettingName, 'RUNNER_SEED' | 'RUNNER_DOOR_SEED' | 'RUNNER_LIVE_SEED'>;
type KeyName = Extract<
  SettingName,
  'RUNNER_PUBLIC_KEY' | 'RUNNER_DOOR_PUBLIC_KEY' | 'RUNNER_LIVE_PUBLIC_KEY'
>;

/** `why` is said when it is absent. */
export function readSeed(
  reader: SettingReader,
  name: SeedName,
  why: string,
): Secret<Uint8Array> | undefined {
  const text = reader.secret(name);
  const seed = text === undefined ? undefined : read32Bytes(text);
  if (text === undefined)
    reader.problems.push(`${name} is not set: ${why}. purser vault identity makes one.`);
  else if (!seed) reader.problems.push(`${name} is 32 random bytes as hex or base64.`);
  return seed && new Secret(seed);
}

/** `why` is said when it is absent. */
export function readPublicKey(
  reader: SettingReader,
  name: KeyName,
  why: string,
): Uint8Array | undefined {
  const text = reader.text(name);
  const key = text === undefined ? undefined : read32Bytes(text);
  if (text === undefined) reader.problems.push(`${name} is not set: ${why}.`);
  else if (!key) reader.problems.push(`${name} is 32 bytes as hex or base64.`);
  return key;
}
