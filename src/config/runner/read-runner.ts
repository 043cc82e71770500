import type { Environment } from '../../context.ts';
import { isPublicAddress } from '../../lib/net/public-address.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

/**
 * What a runner is told. Lists are checked here, so that a wrong entry stops the start and not a
 * run.
 */
export interface RunnerConfig {
  readonly chromiumPath: string | undefined;
  readonly runsMax: number;
  /** Of one browser with all its processes, in bytes. */
  readonly memoryBytesMax: number;
  /** As `http://127.0.0.1:4001`. */
  readonly allowedPrivateOrigins: readonly string[];
  /** As `https://shop.example` or `*.shop.example`. */
  readonly blockedOrigins: readonly string[];
  /** As `https://js.stripe.com`. */
  readonly paymentFrameOrigins: readonly string[];
  /** Users are developers, who can change a setting: a refusal names it. */
  readonly namesSettings?: boolean;
}

const bytesPerMib = 1_048_576;

export function readRunnerConfig(reader: SettingReader, environment: Environment): RunnerConfig {
  const allowedPrivateOrigins = readList(
    reader,
    'RUNNER_ALLOWED_PRIVATE_ORIGINS',
    isOrigin,
    'origins such as http://127.0.0.1:4001',
  );
  if (environment === 'production' && allowedPrivateOrigins.length > 0)
    reader.problems.push(
      'RUNNER_ALLOWED_PRIVATE_ORIGINS opens our own network to pages of strangers: not in production.',
    );
  if (allowedPrivateOrigins.some(isMetadataService))
    reader.problems.push(
      'RUNNER_ALLOWED_PRIVATE_ORIGINS names the metadata service of a cloud, which hands out its keys.',
    );
  const paymentFrameOrigins = readList(
    reader,
    'RUNNER_PAYMENT_FRAMES',
    isOrigin,
    'origins such as https://js.stripe.com',
  );
  if (environment === 'production' && paymentFrameOrigins.some((origin) => !isSafeFrame(origin)))
    reader.problems.push(
      'RUNNER_PAYMENT_FRAMES names public https origins only: card numbers are typed there.',
    );
  return {
    chromiumPath: reader.text('CHROMIUM_PATH'),
    runsMax: reader.integer('RUNNER_RUNS_MAX'),
    memoryBytesMax: reader.integer('RUNNER_MEMORY_MAX_MIB') * bytesPerMib,
    allowedPrivateOrigins,
    blockedOrigins: readList(
      reader,
      'RUNNER_BLOCKED_ORIGINS',
      (text) => isOrigin(text) || (text.startsWith('*.') && isOrigin(`https://${text.slice(2)}`)),
      'origins such as https://shop.example, or domains such as *.shop.example',
    ),
    paymentFrameOrigins,
    ...(environment === 'development' && { namesSettings: true }),
  };
}

function readList(
  reader: SettingReader,
  name: SettingName,
  isEntry: (text: string) => boolean,
  meaning: string,
): string[] {
  const entries = (reader.text(name) ?? '').split(',').flatMap((entry) => entry.trim() || []);
  if (!entries.every(isEntry))
    reader.problems.push(`${name} is a list of ${meaning} with commas between.`);
  return entries.filter(isEntry);
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    (url?.protocol === 'http:' || url?.protocol === 'https:') && url.origin === text.toLowerCase()
  );
}

function isMetadataService(origin: string): boolean {
  return ['169.254.169.254', '[fd00:ec2::254]', 'metadata.google.internal'].includes(
    new URL(origin).hostname,
  );
}

function isSafeFrame(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  const address = hostname.replace(/^\[|\]$/g, '');
  const isNumber = /^[\d.]+$/.test(address) || address.includes(':');
  return protocol === 'https:' && (!isNumber || isPublicAddress(address));
}
