import { decodeStrKey } from '../../lib/locator/strkey.ts';
import type { StellarConfig } from '../config.ts';
import {
  type FamilyInput,
  type KeyForm,
  readDepositAloneMax,
  readKeys,
  readNodes,
  readStart,
  readTestWord,
  readWord,
  type WordForm,
} from '../read-family.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

const secretKeys: KeyForm = {
  noun: 'secret key',
  read(text) {
    const key = decodeStrKey(text);
    return key?.kind === 'S' ? key.bytes : undefined;
  },
  form: 'a secret key is 56 characters that begin with S',
  feePayersMax: 200,
};

/**
 * What the relay and the watcher of Stellar need, from the variables that begin with `STELLAR_`.
 */
export function readStellarConfig(
  reader: SettingReader,
  { environment, process }: FamilyInput,
): StellarConfig {
  const { rpcUrl, secondRpcUrl } = readNodes(reader, 'STELLAR');
  const isNeeded = process === 'worker' && rpcUrl !== undefined;
  return {
    rpcUrl,
    secondRpcUrl,
    depositAloneMaxUsd: readDepositAloneMax(reader, 'STELLAR', environment),
    ...readKeys(reader, 'STELLAR', { ...secretKeys, isNeeded }),
    treasuryAddress: readTestWord(reader, environment, addressIn('STELLAR_TREASURY_ADDRESS', 'G')),
    testTokenContract: readTestWord(
      reader,
      environment,
      addressIn('STELLAR_TEST_TOKEN_CONTRACT', 'C'),
    ),
    walletFactoryId: readWord(reader, addressIn('STELLAR_WALLET_FACTORY_ID', 'C')),
    walletCodeHash: readWord(reader, {
      name: 'STELLAR_WALLET_CODE_HASH',
      isValid: (text) => /^[0-9a-f]{64}$/i.test(text),
      what: '64 hexadecimal digits',
    })?.toLowerCase(),
    relay: {
      feeMaxStroops: BigInt(reader.integer('STELLAR_FEE_MAX_STROOPS')),
      feePayerBalanceMinStroops: BigInt(reader.integer('STELLAR_FEE_PAYER_BALANCE_MIN_STROOPS')),
      topUpDayMaxStroops: BigInt(reader.integer('STELLAR_TOP_UP_DAY_MAX_STROOPS')),
      resendAfterMs: reader.integer('STELLAR_RELAY_RESEND_AFTER_MS'),
      leaseMs: reader.integer('STELLAR_RELAY_LEASE_MS'),
    },
    watcher: {
      pollMs: reader.integer('STELLAR_WATCHER_POLL_MS'),
      ledgersMax: reader.integer('STELLAR_WATCHER_LEDGERS_MAX'),
      startLedger: readStartLedger(reader),
    },
    rpcTimeoutMs: reader.integer('STELLAR_RPC_TIMEOUT_MS'),
  };
}

function readStartLedger(reader: SettingReader): number | undefined {
  const start = readStart(reader, 'STELLAR_START_LEDGER', { what: 'ledger', digits: 9 });
  return start === undefined ? undefined : Number(start);
}

const addressIn = (name: SettingName, kind: 'G' | 'C'): WordForm => ({
  name,
  isValid: (text) => decodeStrKey(text)?.kind === kind,
  what: `the address of ${kind === 'G' ? 'an account' : 'a contract'} on Stellar: ${kind}…`,
});
