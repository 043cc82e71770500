import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { publicKeyOfSeed } from '../../areas/api-keys/index.ts';
import { createSettingReader } from '../read-setting.ts';
import { readSolanaConfig } from './read-solana.ts';

function keypair(byte: number): Uint8Array {
  const seed = new Uint8Array(32).fill(byte);
  return Buffer.concat([seed, publicKeyOfSeed(seed)]);
}

function readAs(
  process: 'api' | 'worker',
  variables: Record<string, string>,
  environment: 'staging' | 'production' = 'staging',
) {
  const reader = createSettingReader(variables, process);
  const config = readSolanaConfig(reader, { environment, process });
  return { config, problems: reader.problems };
}

const node = { SOLANA_RPC_URL: 'https://node.example/key' };

describe('settings of Solana', () => {
  it('may all be absent: then there is no Solana', () => {
    const { config, problems } = readAs('worker', {});
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      rpcUrl: undefined,
      feePayerKeys: [],
      watcher: { pollMs: 1_000, blocksMax: 50 },
    });
  });

  it('takes keypairs as base58 and as the list that solana-keygen writes', () => {
    const keys = `${bs58.encode(keypair(1))}, [${keypair(2).join(', ')}]\n${bs58.encode(keypair(3))}`;
    const { config, problems } = readAs('worker', {
      ...node,
      SOLANA_FEE_PAYER_KEYS: keys,
      SOLANA_TREASURY_KEY: `[${keypair(4).join(',')}]`,
    });
    expect(problems).toEqual([]);
    expect(config.feePayerKeys.map((key) => Buffer.from(key.reveal()))).toEqual(
      [1, 2, 3].map((byte) => Buffer.from(keypair(byte))),
    );
    expect(Buffer.from(config.treasuryKey!.reveal())).toEqual(Buffer.from(keypair(4)));
  });

  it('refuses a key whose halves do not belong together, one key in two places, and too few', () => {
    const mixed = Buffer.concat([keypair(1).subarray(0, 32), keypair(2).subarray(32)]);
    expect(
      readAs('worker', { ...node, SOLANA_FEE_PAYER_KEYS: bs58.encode(mixed) }).problems,
    ).toEqual([
      'SOLANA_FEE_PAYER_KEYS: a keypair is 64 bytes, as base58 or as the list of numbers that solana-keygen writes.',
      'SOLANA_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.',
    ]);
    const one = bs58.encode(keypair(1));
    expect(
      readAs('worker', { ...node, SOLANA_FEE_PAYER_KEYS: one, SOLANA_TREASURY_KEY: one }).problems,
    ).toEqual([
      'SOLANA_FEE_PAYER_KEYS and SOLANA_TREASURY_KEY name an account twice: each needs its own keypair.',
    ]);
  });

  it('keeps the keys from the API, which needs none', () => {
    expect(readAs('api', node).problems).toEqual([]);
    expect(
      readAs('api', { ...node, SOLANA_TREASURY_KEY: bs58.encode(keypair(1)) }).problems,
    ).toEqual([
      'SOLANA_TREASURY_KEY belongs to worker and purser: leave it out of the environment of api.',
    ]);
  });

  it('names what is wrong with addresses, nodes and numbers', () => {
    const wrong = {
      SOLANA_RPC_URL: 'https://node.example/one',
      SOLANA_RPC_SECOND_URL: 'https://node.example/two',
      SOLANA_WALLET_PROGRAM_ID: '0x1',
      SOLANA_TEST_TOKEN_MINT: bs58.encode(new Uint8Array(32).fill(7)),
      SOLANA_START_SLOT: 'now',
      SOLANA_NONCES_MAX: '0',
    };
    expect(readAs('api', wrong, 'production').problems).toEqual([
      'SOLANA_RPC_SECOND_URL is the node of SOLANA_RPC_URL: name one of somebody else.',
      'SOLANA_TEST_TOKEN_MINT is for development and staging: production has no test token.',
      'SOLANA_WALLET_PROGRAM_ID is a Solana address: 32 bytes as base58.',
      'SOLANA_NONCES_MAX is a whole number from 1 to 100000.',
      'SOLANA_START_SLOT is the number of a slot.',
    ]);
  });
});
