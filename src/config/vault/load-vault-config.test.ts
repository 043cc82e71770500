import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { internalPublicKey } from '../../lib/net/signed-requests.ts';
import { ConfigError } from '../load-config.ts';
import { loadVaultConfig } from './load-vault-config.ts';

const aSecret = () => randomBytes(32).toString('base64');
const publicKey = () => Buffer.from(internalPublicKey(randomBytes(32))).toString('base64');
const good = (): Record<string, string> => ({
  PURSER_ENVIRONMENT: 'production',
  VAULT_URL: 'https://vault.example/api',
  VAULT_DATABASE_URL: 'postgres://vault:secret@database/vault?sslmode=verify-full',
  VAULT_KEY_ENCRYPTION_KEYS: `2026=${aSecret()}`,
  VAULT_SIGNING_SEED: aSecret(),
  VAULT_PEERS: `api=${publicKey()},worker=${publicKey()}`,
  KEY_SIGNING_PUBLIC_KEY: publicKey(),
});
const problemsOf = (changes: Readonly<Record<string, string | undefined>>): readonly string[] => {
  try {
    loadVaultConfig({ ...good(), ...changes });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

const arn = 'arn:aws:kms:eu-central-1:111122223333:key/0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a001';
const account = JSON.stringify({
  client_email: 'v@p.iam.gserviceaccount.com',
  private_key: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n',
});

describe('the configuration of the vault', () => {
  it('is complete with what the guide names', () => {
    const config = loadVaultConfig(good());
    expect(config.service.api).toMatchObject({ port: 3_001, baseUrl: 'https://vault.example/api' });
    expect([config.keks.map(({ id, kind }) => [id, kind]), [...config.peers.keys()]]).toEqual([
      [['2026', 'file']],
      ['api', 'worker'],
    ]);
    expect(config.service.rateLimits).toEqual({ writesPerMinute: 120, readsPerMinute: 360 });
  });

  it.each([
    ['production', 24],
    ['staging', 0],
    ['development', 0],
  ])('in %s a new destination waits for %i hours where nothing is said', (environment, hours) => {
    const variables = { ...good(), PURSER_ENVIRONMENT: environment };
    expect(loadVaultConfig(variables).newDestinationWaitHours).toBe(hours);
    expect(
      loadVaultConfig({ ...variables, PAYOUT_NEW_DESTINATION_WAIT_HOURS: '2' })
        .newDestinationWaitHours,
    ).toBe(2);
  });

  it('knows the runners’ key where users may pay with saved cards', () => {
    const key = publicKey();
    expect(loadVaultConfig(good()).runnerPublicKey).toBeUndefined();
    expect(
      Buffer.from(loadVaultConfig({ ...good(), RUNNER_PUBLIC_KEY: key }).runnerPublicKey!).toString(
        'base64',
      ),
    ).toBe(key);
    expect(problemsOf({ RUNNER_PUBLIC_KEY: 'x' }).join()).toContain(
      'RUNNER_PUBLIC_KEY is an Ed25519 public key',
    );
  });

  it('has no part of the main side: reading one is a mistake that shows', () => {
    const { service } = loadVaultConfig(good());
    expect(() => service.evm).toThrow('The vault has no setting "evm"');
  });

  it('takes keys of every kind, in their order', () => {
    const { keks } = loadVaultConfig({
      ...good(),
      VAULT_KEY_ENCRYPTION_KEYS: `d=aws-kms:${arn}, c=gcp-kms:projects/p/locations/l/keyRings/r/cryptoKeys/k,b=openbao:purser,a=${aSecret()}`,
      VAULT_AWS_ACCESS_KEY_ID: 'AKID',
      VAULT_AWS_SECRET_ACCESS_KEY: 'aws hush',
      VAULT_GCP_SERVICE_ACCOUNT: account,
      VAULT_OPENBAO_URL: 'https://bao.example:8200',
      VAULT_OPENBAO_TOKEN: 'bao hush',
    });
    expect(keks).toMatchObject([
      {
        id: 'd',
        kind: 'aws-kms',
        region: 'eu-central-1',
        url: 'https://kms.eu-central-1.amazonaws.com/',
      },
      {
        id: 'c',
        kind: 'gcp-kms',
        url: 'https://cloudkms.googleapis.com/',
        serviceAccount: { tokenUrl: 'https://oauth2.googleapis.com/token' },
      },
      { id: 'b', kind: 'openbao', mount: 'transit', keyName: 'purser' },
      { id: 'a', kind: 'file' },
    ]);
    expect(JSON.stringify(keks)).not.toMatch(/hush|BEGIN PRIVATE/);
  });

  it.each([
    ['VAULT_URL', undefined, 'VAULT_URL is not set'],
    ['VAULT_URL', 'http://vault.example/api', 'https address in production'],
    ['VAULT_URL', 'https://vault.example', 'ends in /api'],
    ['VAULT_DATABASE_URL', undefined, 'VAULT_DATABASE_URL is not set'],
    ['VAULT_DATABASE_URL', 'mysql://x', 'starts with postgres://'],
    ['VAULT_SIGNING_SEED', undefined, 'purser vault identity makes one'],
    ['VAULT_SIGNING_SEED', 'short', '32 random bytes'],
    ['VAULT_PEERS', undefined, 'VAULT_PEERS is not set'],
    ['VAULT_PEERS', 'root=0123456789abcdef', 'VAULT_PEERS names who may ask'],
    ['KEY_SIGNING_PUBLIC_KEY', undefined, 'checks API keys with it'],
    ['METRICS_PORT', '3001', 'METRICS_PORT is the port'],
    ['VAULT_KEY_ENCRYPTION_KEYS', undefined, 'VAULT_KEY_ENCRYPTION_KEYS is not set'],
    ['VAULT_KEY_ENCRYPTION_KEYS', 'one=short', 'is a list of id=key'],
    [
      'VAULT_KEY_ENCRYPTION_KEYS',
      `a=${'0123456789abcdef'.repeat(4)},a=${'fedcba9876543210'.repeat(4)}`,
      'names an id twice',
    ],
    ['VAULT_KEY_ENCRYPTION_KEYS', 'a=aws-kms:alias/x', 'named by its ARN'],
    [
      'VAULT_KEY_ENCRYPTION_KEYS',
      `a=aws-kms:${arn}`,
      'VAULT_AWS_ACCESS_KEY_ID and VAULT_AWS_SECRET_ACCESS_KEY',
    ],
    ['VAULT_KEY_ENCRYPTION_KEYS', 'a=gcp-kms:k', 'named in full'],
    [
      'VAULT_KEY_ENCRYPTION_KEYS',
      'a=gcp-kms:projects/p/locations/l/keyRings/r/cryptoKeys/k',
      'VAULT_GCP_SERVICE_ACCOUNT is the JSON',
    ],
    ['VAULT_KEY_ENCRYPTION_KEYS', 'a=openbao:k', 'VAULT_OPENBAO_URL and VAULT_OPENBAO_TOKEN'],
    ['VAULT_KEY_ENCRYPTION_KEYS', 'a=openbao:../k', 'is a list of id=key'],
  ])('with %s=%s is refused, and the sentence says what to do', (name, value, sentence) => {
    expect(problemsOf({ [name]: value }).join('\n')).toContain(sentence);
  });

  it('refuses one key for both peers, and plain http to a key service elsewhere', () => {
    const key = publicKey();
    expect(problemsOf({ VAULT_PEERS: `api=${key},worker=${key}` }).join()).toContain(
      'they have different rights',
    );
    const bao = { VAULT_KEY_ENCRYPTION_KEYS: 'a=openbao:k', VAULT_OPENBAO_TOKEN: 'x' };
    expect(problemsOf({ ...bao, VAULT_OPENBAO_URL: 'http://bao.example' }).join()).toContain(
      'VAULT_OPENBAO_URL is an https address',
    );
    expect(problemsOf({ ...bao, VAULT_OPENBAO_URL: 'http://127.0.0.1:8200' })).toEqual([]);
  });
});
