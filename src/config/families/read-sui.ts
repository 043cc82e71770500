import { decodeBech32 } from '../../lib/locator/bech32.ts';
import type { SuiConfig } from '../config.ts';
import {
  type FamilyInput,
  type KeyForm,
  readDepositAloneMax,
  readKeys,
  readNodes,
  readStart,
  readTestWord,
} from '../read-family.ts';
import type { SettingReader } from '../read-setting.ts';

/** Flag of Ed25519 keys in front of the 32 bytes (SIP-15). */
const ed25519Flag = 0;
const coinTypePattern = /^0x[0-9a-fA-F]{1,64}::\w{1,128}::\w{1,128}$/;

const keys: KeyForm = {
  noun: 'key',
  read: readSeed,
  form: 'a key is an Ed25519 key as "sui keytool export" writes it, suiprivkey1…',
  feePayersMax: 32,
};

/** What the relay and the watcher of Sui need, from the variables that begin with `SUI_`. */
export function readSuiConfig(
  reader: SettingReader,
  { environment, process }: FamilyInput,
): SuiConfig {
  const { rpcUrl, secondRpcUrl } = readNodes(reader, 'SUI');
  const isNeeded = process === 'worker' && rpcUrl !== undefined;
  return {
    rpcUrl,
    secondRpcUrl,
    depositAloneMaxUsd: readDepositAloneMax(reader, 'SUI', environment),
    ...readKeys(reader, 'SUI', { ...keys, isNeeded }),
    treasuryAddress: readTestWord(reader, environment, {
      name: 'SUI_TREASURY_ADDRESS',
      isValid: (text) => /^0x[0-9a-f]{64}$/.test(text),
      what: 'a Sui address: 0x and 64 hexadecimal digits',
    }),
    testCoinType: readTestWord(reader, environment, {
      name: 'SUI_TEST_COIN_TYPE',
      isValid: (text) => coinTypePattern.test(text),
      what: 'the type of a coin, e.g. 0x2::sui::SUI',
    }),
    relay: readRelay(reader),
    watcher: {
      pollMs: reader.integer('SUI_WATCHER_POLL_MS'),
      checkpointsMax: reader.integer('SUI_WATCHER_CHECKPOINTS_MAX'),
      startCheckpoint: readStart(reader, 'SUI_START_CHECKPOINT', { what: 'checkpoint' }),
    },
    rpcTimeoutMs: reader.integer('SUI_RPC_TIMEOUT_MS'),
  };
}

function readRelay(reader: SettingReader): SuiConfig['relay'] {
  return {
    priceMaxMist: BigInt(reader.integer('SUI_GAS_PRICE_MAX_MIST')),
    budgetMaxMist: BigInt(reader.integer('SUI_GAS_BUDGET_MAX_MIST')),
    gasCoinsMax: reader.integer('SUI_GAS_COINS_MAX'),
    feePayerBalanceMinMist: BigInt(reader.integer('SUI_FEE_PAYER_BALANCE_MIN_MIST')),
    topUpDayMaxMist: BigInt(reader.integer('SUI_TOP_UP_DAY_MAX_MIST')),
    inFlightMax: reader.integer('SUI_RELAY_IN_FLIGHT_MAX'),
    resendAfterMs: reader.integer('SUI_RELAY_RESEND_AFTER_MS'),
    leaseMs: reader.integer('SUI_RELAY_LEASE_MS'),
  };
}

function readSeed(text: string): Uint8Array | undefined {
  const bytes = decodeBech32(text, 'suiprivkey');
  return bytes?.length === 33 && bytes[0] === ed25519Flag ? bytes.subarray(1) : undefined;
}
