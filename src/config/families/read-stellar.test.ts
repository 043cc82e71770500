import { describe, expect, it } from 'vitest';
import { encodeStrKey } from '../../lib/locator/strkey.ts';
import { createSettingReader } from '../read-setting.ts';
import { readStellarConfig } from './read-stellar.ts';

const text = (kind: 'G' | 'C' | 'S', byte: number) =>
  encodeStrKey({ kind, bytes: new Uint8Array(32).fill(byte) });

function readAs(
  process: 'api' | 'worker',
  variables: Record<string, string>,
  environment: 'staging' | 'production' = 'staging',
) {
  const reader = createSettingReader(variables, process);
  const config = readStellarConfig(reader, { environment, process });
  return { config, problems: reader.problems };
}

const node = { STELLAR_RPC_URL: 'https://node.example/key' };

describe('settings of Stellar', () => {
  it('may all be absent: then there is no Stellar', () => {
    const { config, problems } = readAs('worker', {});
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      rpcUrl: undefined,
      feePayerKeys: [],
      watcher: { pollMs: 2_000, ledgersMax: 20 },
    });
  });

  it('takes secret keys, addresses and the hash of code as Stellar writes them', () => {
    const { config, problems } = readAs('worker', {
      ...node,
      STELLAR_FEE_PAYER_KEYS: `${text('S', 1)}, ${text('S', 2)}\n${text('S', 3)}`,
      STELLAR_TREASURY_KEY: text('S', 4),
      STELLAR_WALLET_FACTORY_ID: text('C', 5),
      STELLAR_WALLET_CODE_HASH: 'AB'.repeat(32),
      STELLAR_START_LEDGER: '17',
    });
    expect(problems).toEqual([]);
    expect(config.feePayerKeys.map((key) => key.reveal()[0])).toEqual([1, 2, 3]);
    expect(config.treasuryKey!.reveal()).toEqual(new Uint8Array(32).fill(4));
    expect(config).toMatchObject({
      walletFactoryId: text('C', 5),
      walletCodeHash: 'ab'.repeat(32),
      watcher: { startLedger: 17 },
    });
  });

  it('refuses what is no secret key, one key in two places, and too few', () => {
    expect(readAs('worker', { ...node, STELLAR_FEE_PAYER_KEYS: text('G', 1) }).problems).toEqual([
      'STELLAR_FEE_PAYER_KEYS: a secret key is 56 characters that begin with S.',
      'STELLAR_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.',
    ]);
    const one = text('S', 1);
    expect(
      readAs('worker', { ...node, STELLAR_FEE_PAYER_KEYS: one, STELLAR_TREASURY_KEY: one })
        .problems,
    ).toEqual([
      'STELLAR_FEE_PAYER_KEYS and STELLAR_TREASURY_KEY name an account twice: each needs its own secret key.',
    ]);
  });

  it('keeps the keys from the API, which needs none', () => {
    expect(readAs('api', node).problems).toEqual([]);
    expect(readAs('api', { ...node, STELLAR_TREASURY_KEY: text('S', 1) }).problems).toEqual([
      'STELLAR_TREASURY_KEY belongs to worker and purser: leave it out of the environment of api.',
    ]);
  });

  it('names what is wrong with addresses, nodes and numbers', () => {
    const wrong = {
      STELLAR_RPC_URL: 'https://node.example/one',
      STELLAR_RPC_SECOND_URL: 'https://node.example/two',
      STELLAR_WALLET_FACTORY_ID: text('G', 1),
      STELLAR_WALLET_CODE_HASH: 'latest',
      STELLAR_TEST_TOKEN_CONTRACT: text('C', 7),
      STELLAR_TREASURY_ADDRESS: `${text('G', 7).slice(0, -1)}1`,
      STELLAR_START_LEDGER: 'now',
      STELLAR_FEE_MAX_STROOPS: '0',
    };
    expect(readAs('api', wrong, 'production').problems).toEqual([
      'STELLAR_RPC_SECOND_URL is the node of STELLAR_RPC_URL: name one of somebody else.',
      'STELLAR_TREASURY_ADDRESS is for development and staging: production has no test token.',
      'STELLAR_TREASURY_ADDRESS is the address of an account on Stellar: G….',
      'STELLAR_TEST_TOKEN_CONTRACT is for development and staging: production has no test token.',
      'STELLAR_WALLET_FACTORY_ID is the address of a contract on Stellar: C….',
      'STELLAR_WALLET_CODE_HASH is 64 hexadecimal digits.',
      'STELLAR_FEE_MAX_STROOPS is a whole number from 100 to 4000000000.',
      'STELLAR_START_LEDGER is the number of a ledger.',
    ]);
  });
});
