import { describe, expect, it } from 'vitest';
import { createSettingReader } from '../read-setting.ts';
import { readAptosConfig } from './read-aptos.ts';

function readAs(
  process: 'api' | 'worker',
  variables: Record<string, string>,
  environment: 'staging' | 'production' = 'staging',
) {
  const reader = createSettingReader(variables, process);
  const config = readAptosConfig(reader, { environment, process });
  return { config, problems: reader.problems };
}

const node = { APTOS_RPC_URL: 'https://node.example/v1' };
const key = (byte: string) => byte.repeat(32);

describe('settings of Aptos', () => {
  it('may all be absent: then there is no Aptos', () => {
    const { config, problems } = readAs('worker', {});
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      rpcUrl: undefined,
      feePayerKeys: [],
      watcher: { pollMs: 1_000, versionsMax: 99 },
    });
  });

  it('takes private keys in the form of AIP-80 and as digits alone', () => {
    const keys = `ed25519-priv-0x${key('a1')}, 0x${key('a2')}\n${key('a3')}`;
    const { config, problems } = readAs('worker', {
      ...node,
      APTOS_FEE_PAYER_KEYS: keys,
      APTOS_TREASURY_KEY: key('a4'),
    });
    expect(problems).toEqual([]);
    expect(config.feePayerKeys.map((one) => Buffer.from(one.reveal()).toString('hex'))).toEqual([
      key('a1'),
      key('a2'),
      key('a3'),
    ]);
    expect(Buffer.from(config.treasuryKey!.reveal()).toString('hex')).toBe(key('a4'));
  });

  it('refuses what is no key, one key in two places, and none at all in the worker', () => {
    expect(readAs('worker', { ...node, APTOS_FEE_PAYER_KEYS: '0xabc' }).problems).toEqual([
      'APTOS_FEE_PAYER_KEYS: a private key is 64 hexadecimal digits, with or without "ed25519-priv-0x" in front.',
      'APTOS_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.',
    ]);
    expect(
      readAs('worker', { ...node, APTOS_FEE_PAYER_KEYS: key('a1'), APTOS_TREASURY_KEY: key('a1') })
        .problems,
    ).toEqual([
      'APTOS_FEE_PAYER_KEYS and APTOS_TREASURY_KEY name an account twice: each needs a key of its own.',
    ]);
  });

  it('keeps the keys from the API, and test tokens from production', () => {
    expect(readAs('api', { ...node, APTOS_TREASURY_KEY: key('a1') }).problems).toEqual([
      'APTOS_TREASURY_KEY belongs to worker and purser: leave it out of the environment of api.',
    ]);
    expect(
      readAs('api', { ...node, APTOS_TEST_TOKEN_ADDRESS: `0x${key('5d')}` }, 'production').problems,
    ).toEqual([
      'APTOS_TEST_TOKEN_ADDRESS is for development and staging: production has no test token.',
    ]);
  });

  it('names what is wrong with addresses, nodes and numbers', () => {
    const wrong = {
      APTOS_RPC_URL: 'node.example',
      APTOS_TREASURY_ADDRESS: '0x5',
      APTOS_START_VERSION: 'first',
      APTOS_GAS_AMOUNT_MAX: '1',
    };
    const { problems } = readAs('api', wrong);
    for (const name of Object.keys(wrong))
      expect(problems.filter((one) => one.startsWith(name))).toHaveLength(1);
  });
});
