import { hostname } from 'node:os';
import type { Environment } from '../../context.ts';
import { databaseRoad, isOwnMachine } from '../../store/connection.ts';
import type { SettingReader } from '../read-setting.ts';
import { type Setting, type SettingName, settings } from '../settings.ts';

/**
 * Addresses that nothing here connects to: our own as others see them, and lists of other people's
 * pages.
 */
const notReached: readonly SettingName[] = [
  'PLAINTEXT_HOSTS',
  'BASE_URL',
  'VAULT_URL',
  'RUNNER_ALLOWED_PRIVATE_ORIGINS',
  'RUNNER_BLOCKED_ORIGINS',
  'RUNNER_PAYMENT_FRAMES',
];
const databases: readonly SettingName[] = ['DATABASE_URL', 'VAULT_DATABASE_URL'];

/**
 * In production nothing leaves the machine unencrypted, or encrypted for whoever answers: addresses
 * of databases, and every setting that is an http or ws address, are refused unless
 * `PLAINTEXT_HOSTS` names their host.
 * @returns the hosts that are reached so, because it does; for a warning at the start
 */
export function readTransport(reader: SettingReader, environment: Environment): readonly string[] {
  if (environment !== 'production') return [];
  const allowed = readPlaintextHosts(reader);
  const used = new Set<string>();
  const check = (name: string, host: string, problem: string) => {
    if (isOwnMachine(host)) return;
    if (allowed.has(host.toLowerCase())) used.add(host.toLowerCase());
    else
      reader.problems.push(
        `${name} ${problem} If the way to ${host} is your own, name it in PLAINTEXT_HOSTS.`,
      );
  };
  for (const name of databases) checkDatabase(reader, name, check);
  for (const { name, value } of addresses(reader)) {
    const text = value.replace('{hostname}', hostname());
    if (!/^(?:http|ws):\/\//i.test(text) || !URL.canParse(text)) continue;
    check(
      name,
      bare(new URL(text).hostname),
      'is reached without TLS: production needs an https address.',
    );
  }
  return [...used];
}

type Check = (name: string, host: string, problem: string) => void;

function checkDatabase(reader: SettingReader, name: SettingName, check: Check): void {
  const url = reader.secret(name);
  // Another form is refused where it is read.
  if (url === undefined || !/^postgres(?:ql)?:\/\//.test(url)) return;
  try {
    const { host, tls } = databaseRoad(url);
    if (tls === 'verified') return;
    check(
      name,
      host,
      tls === 'none'
        ? 'is reached without TLS: production needs sslmode=verify-full at its end.'
        : 'is reached with TLS that trusts whoever answers: production needs sslmode=verify-full at its end, or sslrootcert=<file> with sslmode=verify-ca.',
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    reader.problems.push(
      `${name} cannot be read${code === undefined ? ': is every special character of its password escaped?' : ` (${code}): does its sslrootcert exist?`}`,
    );
  }
}

function addresses(
  reader: SettingReader,
): readonly { readonly name: string; readonly value: string }[] {
  return settings.flatMap(
    (setting: Setting): readonly { readonly name: string; readonly value: string }[] => {
      const name = setting.name as SettingName;
      if (setting.secret || notReached.includes(name)) return [];
      if (name.endsWith('*')) return reader.perChain(name);
      const value = reader.text(name);
      return value === undefined ? [] : [{ name, value }];
    },
  );
}

function readPlaintextHosts(reader: SettingReader): ReadonlySet<string> {
  const entries = (reader.text('PLAINTEXT_HOSTS') ?? '')
    .split(',')
    .flatMap((entry) => entry.trim().replace('{hostname}', hostname()) || []);
  if (
    !entries.every(
      (entry) =>
        /^[A-Za-z0-9._:-]{1,253}$/.test(entry) &&
        !entry.includes('://') &&
        !/^[^:]+:\d+$/.test(entry),
    )
  )
    reader.problems.push(
      'PLAINTEXT_HOSTS is a list of host names or addresses with commas between, without schemes, ports or stars.',
    );
  return new Set(entries.map((entry) => entry.toLowerCase()));
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '');
