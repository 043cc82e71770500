import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSettingReader } from '../read-setting.ts';
import { readTransport } from './read-transport.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-transport-'));
const ca = join(folder, 'ca.pem');
writeFileSync(ca, 'a certificate');
afterAll(() => rmSync(folder, { recursive: true }));

function look(
  variables: Record<string, string>,
  environment: 'production' | 'staging' = 'production',
) {
  const reader = createSettingReader(variables);
  return { hosts: readTransport(reader, environment), problems: reader.problems };
}
const database = (tail: string, host = 'db.example') => ({
  DATABASE_URL: `postgres://purser:hunter2@${host}/purser${tail}`,
});

describe('in production a database', () => {
  it.each([
    ['TLS with a checked certificate', database('?sslmode=verify-full')],
    ['the same as libpq reads it', database('?uselibpqcompat=true&sslmode=verify-full')],
    ['a certificate of its own', database(`?sslmode=verify-ca&sslrootcert=${ca}`)],
    [
      'what libpq takes for the same',
      database(`?uselibpqcompat=true&sslmode=require&sslrootcert=${ca}`),
    ],
    ['this machine by name', database('', 'localhost')],
    ['this machine by number', database('', '127.0.0.1:5433')],
    ['this machine by the number of today', database('', '[::1]')],
    ['a unix socket', { DATABASE_URL: 'postgres://purser@/purser?host=/run/postgresql' }],
    [
      'a unix socket in the place of the host',
      { DATABASE_URL: 'postgres://purser@%2Frun%2Fpostgresql/purser' },
    ],
  ])('may be reached with %s', (_what, variables) => {
    expect(look(variables)).toEqual({ hosts: [], problems: [] });
  });

  it.each([
    ['no word of TLS', database(''), /without TLS/],
    ['TLS off', database('?sslmode=disable'), /without TLS/],
    [
      'a later parameter that takes it back',
      database('?sslmode=verify-full&sslmode=disable'),
      /without TLS/,
    ],
    ['a host behind the host', database('?host=db.example', 'localhost'), /without TLS/],
    ['an address of a private network', database('', '10.0.0.5'), /without TLS/],
    ['a name that begins like this machine', database('', '127.0.0.1.db.example'), /without TLS/],
    ['TLS with whoever answers', database('?sslmode=require'), /trusts whoever answers/],
    [
      'the same as libpq reads it',
      database('?uselibpqcompat=true&sslmode=require'),
      /trusts whoever answers/,
    ],
    ['TLS that is told not to look', database('?sslmode=no-verify'), /trusts whoever answers/],
    ['TLS where there is some', database('?sslmode=prefer'), /trusts whoever answers/],
    [
      'a certificate that is told not to count',
      database(`?sslmode=no-verify&sslrootcert=${ca}`),
      /trusts whoever answers/,
    ],
    [
      'the vault’s own without a word',
      { VAULT_DATABASE_URL: 'postgres://vault:x@db.example/vault' },
      /^VAULT_DATABASE_URL.*without TLS/,
    ],
  ])('is refused with %s', (_what, variables, sentence) => {
    const { problems } = look(variables);
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems[0]).toContain('name it in PLAINTEXT_HOSTS');
    expect(problems[0]).not.toContain('hunter2');
  });

  it('that names a certificate which is not there says so', () => {
    expect(
      look(database(`?sslmode=verify-full&sslrootcert=${join(folder, 'none')}`)).problems,
    ).toEqual(['DATABASE_URL cannot be read (ENOENT): does its sslrootcert exist?']);
  });
});

describe('in production an http address', () => {
  it.each([
    ['EVM_RPC_URL_BASE', 'http://node.example'],
    ['EVM_RPC_SECOND_URL_BASE', 'http://10.1.2.3:8545'],
    ['VAULT_ORIGIN', 'http://vault:3001'],
    ['RUNNER_DOOR_ORIGIN', 'HTTP://worker:3002'],
    ['RUNNER_LIVE_ORIGIN', 'http://{hostname}:3003'],
    ['RUNNER_PLANNER_URL', 'http://ollama:11434/v1'],
    ['COINGECKO_URL', 'http://prices.example'],
  ])('of %s is refused, and taken where its host is named', (name, value) => {
    const host = new URL(value.replace('{hostname}', hostname())).hostname;
    expect(look({ [name]: value }).problems).toEqual([
      `${name} is reached without TLS: production needs an https address. If the way to ${host} is your own, name it in PLAINTEXT_HOSTS.`,
    ]);
    const named = value.includes('{hostname}') ? '{hostname}' : host;
    expect(look({ [name]: value, PLAINTEXT_HOSTS: `other, ${named}` })).toEqual({
      hosts: [host.toLowerCase()],
      problems: [],
    });
  });

  it.each([
    ['EVM_RPC_URL_BASE', 'https://node.example'],
    ['EVM_RPC_URL_BASE', 'http://127.0.0.1:8545'],
    ['VAULT_ORIGIN', 'http://[::1]:3001'],
    ['RUNNER_BLOCKED_ORIGINS', 'http://shop.example'],
  ])('of %s=%s is nothing to refuse', (name, value) => {
    expect(look({ [name]: value })).toEqual({ hosts: [], problems: [] });
  });
});

describe('PLAINTEXT_HOSTS', () => {
  it('opens one host and no other, whatever TLS its database speaks', () => {
    const variables = {
      ...database('?sslmode=require'),
      EVM_RPC_URL_BASE: 'http://node.example',
      PLAINTEXT_HOSTS: 'DB.example',
    };
    expect(look(variables)).toEqual({
      hosts: ['db.example'],
      problems: [expect.stringMatching(/^EVM_RPC_URL_BASE/)],
    });
  });

  it.each(['*', 'http://db', 'db:5432', 'a b', '10.0.0.0/8'])('is not %s', (text) => {
    expect(look({ PLAINTEXT_HOSTS: text }).problems).toEqual([
      expect.stringMatching(/^PLAINTEXT_HOSTS is a list of host names/),
    ]);
  });

  it('is not asked for outside production', () => {
    expect(look({ ...database(''), VAULT_ORIGIN: 'http://vault:3001' }, 'staging')).toEqual({
      hosts: [],
      problems: [],
    });
  });
});
