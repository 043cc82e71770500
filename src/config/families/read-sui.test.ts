import { encodeSuiPrivateKey } from '@mysten/sui/cryptography';
import { describe, expect, it } from 'vitest';
import { createSettingReader } from '../read-setting.ts';
import { readSuiConfig } from './read-sui.ts';

const seedOf = (byte: number) => new Uint8Array(32).fill(byte);
const keyOf = (byte: number) => encodeSuiPrivateKey(seedOf(byte), 'ED25519');

function readAs(
  process: 'api' | 'worker',
  variables: Record<string, string>,
  environment: 'staging' | 'production' = 'staging',
) {
  const reader = createSettingReader(variables, process);
  const config = readSuiConfig(reader, { environment, process });
  return { config, problems: reader.problems };
}

const node = { SUI_RPC_URL: 'https://node.example/key' };

describe('settings of Sui', () => {
  it('may all be absent: then there is no Sui', () => {
    const { config, problems } = readAs('worker', {});
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      rpcUrl: undefined,
      feePayerKeys: [],
      watcher: { pollMs: 1_000, checkpointsMax: 50 },
    });
    expect(config.depositAloneMaxUsd).toBeUndefined();
    expect(readAs('api', {}, 'production').config.depositAloneMaxUsd).toBe('1000');
  });

  it('takes keys as the tool of the network writes them', () => {
    const { config, problems } = readAs('worker', {
      ...node,
      SUI_FEE_PAYER_KEYS: `${keyOf(1)}, ${keyOf(2)}\n${keyOf(250)}`,
      SUI_TREASURY_KEY: keyOf(4),
    });
    expect(problems).toEqual([]);
    expect(config.feePayerKeys.map((key) => key.reveal())).toEqual([
      seedOf(1),
      seedOf(2),
      seedOf(250),
    ]);
    expect(config.treasuryKey!.reveal()).toEqual(seedOf(4));
  });

  it('refuses keys of other curves and mistyped ones, one key in two places, and too few', () => {
    const none =
      'SUI_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.';
    const form =
      'SUI_FEE_PAYER_KEYS: a key is an Ed25519 key as "sui keytool export" writes it, suiprivkey1….';
    const mistyped = `${keyOf(1).slice(0, -1)}${keyOf(1).endsWith('q') ? 'p' : 'q'}`;
    for (const wrong of [
      encodeSuiPrivateKey(seedOf(1), 'Secp256k1'),
      mistyped,
      '01'.repeat(32),
      'suiprivkey1',
    ])
      expect(readAs('worker', { ...node, SUI_FEE_PAYER_KEYS: wrong }).problems, wrong).toEqual([
        form,
        none,
      ]);
    expect(
      readAs('worker', { ...node, SUI_FEE_PAYER_KEYS: keyOf(1), SUI_TREASURY_KEY: keyOf(1) })
        .problems,
    ).toEqual([
      'SUI_FEE_PAYER_KEYS and SUI_TREASURY_KEY name an account twice: each needs its own key.',
    ]);
    expect(readAs('worker', node).problems).toEqual([none]);
  });

  it('keeps the keys from the API, which needs none', () => {
    expect(readAs('api', node).problems).toEqual([]);
    expect(readAs('api', { ...node, SUI_TREASURY_KEY: keyOf(1) }).problems).toEqual([
      'SUI_TREASURY_KEY belongs to worker and purser: leave it out of the environment of api.',
    ]);
  });

  it('names what is wrong with addresses, nodes and numbers', () => {
    const wrong = {
      SUI_RPC_URL: 'https://node.example/one',
      SUI_RPC_SECOND_URL: 'https://node.example/two',
      SUI_TREASURY_ADDRESS: '0x1',
      SUI_TEST_COIN_TYPE: '0x1::usd::USD',
      SUI_GAS_COINS_MAX: '0',
      SUI_START_CHECKPOINT: 'now',
    };
    expect(readAs('api', wrong, 'production').problems).toEqual([
      'SUI_RPC_SECOND_URL is the node of SUI_RPC_URL: name one of somebody else.',
      'SUI_TREASURY_ADDRESS is for development and staging: production has no test token.',
      'SUI_TREASURY_ADDRESS is a Sui address: 0x and 64 hexadecimal digits.',
      'SUI_TEST_COIN_TYPE is for development and staging: production has no test token.',
      'SUI_GAS_COINS_MAX is a whole number from 1 to 1000.',
      'SUI_START_CHECKPOINT is the number of a checkpoint.',
    ]);
  });
});
