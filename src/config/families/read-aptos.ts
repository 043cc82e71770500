import type { AptosConfig } from '../config.ts';
import {
  type FamilyInput,
  type KeyForm,
  readKeys,
  readStart,
  readTestWord,
  readUrl,
  type WordForm,
} from '../read-family.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

/** In the form of AIP-80 or as hexadecimal digits alone. */
const privateKeys: KeyForm = {
  noun: 'private key',
  own: 'a key of its own',
  read(text) {
    const hex = /^(?:ed25519-priv-)?(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1];
    return hex === undefined ? undefined : new Uint8Array(Buffer.from(hex, 'hex'));
  },
  form: 'a private key is 64 hexadecimal digits, with or without "ed25519-priv-0x" in front',
  feePayersMax: 32,
};

/** What the relay and the watcher of Aptos need, from the variables that begin with `APTOS_`. */
export function readAptosConfig(
  reader: SettingReader,
  { environment, process }: FamilyInput,
): AptosConfig {
  const rpcUrl = readUrl(reader, 'APTOS_RPC_URL');
  const isNeeded = process === 'worker' && rpcUrl !== undefined;
  const testAddress = (name: SettingName) =>
    readTestWord(reader, environment, addressIn(name))?.toLowerCase();
  return {
    rpcUrl,
    ...readKeys(reader, 'APTOS', { ...privateKeys, isNeeded }),
    treasuryAddress: testAddress('APTOS_TREASURY_ADDRESS'),
    testTokenAddress: testAddress('APTOS_TEST_TOKEN_ADDRESS'),
    relay: {
      gasAmountMax: BigInt(reader.integer('APTOS_GAS_AMOUNT_MAX')),
      gasUnitPriceMax: BigInt(reader.integer('APTOS_GAS_UNIT_PRICE_MAX_OCTAS')),
      feePayerBalanceMinOctas: BigInt(reader.integer('APTOS_FEE_PAYER_BALANCE_MIN_OCTAS')),
      topUpDayMaxOctas: BigInt(reader.integer('APTOS_TOP_UP_DAY_MAX_OCTAS')),
      inFlightMax: reader.integer('APTOS_RELAY_IN_FLIGHT_MAX'),
      resendAfterMs: reader.integer('APTOS_RELAY_RESEND_AFTER_MS'),
      leaseMs: reader.integer('APTOS_RELAY_LEASE_MS'),
    },
    watcher: {
      pollMs: reader.integer('APTOS_WATCHER_POLL_MS'),
      versionsMax: reader.integer('APTOS_WATCHER_VERSIONS_MAX'),
      startVersion: readStart(reader, 'APTOS_START_VERSION', { what: 'ledger version' }),
    },
    rpcTimeoutMs: reader.integer('APTOS_RPC_TIMEOUT_MS'),
  };
}

const addressIn = (name: SettingName): WordForm => ({
  name,
  isValid: (text) => /^0x[0-9a-fA-F]{64}$/.test(text),
  what: 'an Aptos address: 0x and 64 hexadecimal digits',
});
