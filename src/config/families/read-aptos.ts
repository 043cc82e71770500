import { publicKeyOfSeed } from '../../areas/api-keys/index.ts';
import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { AptosConfig } from '../config.ts';
import type { ProcessKind } from '../load-config.ts';
import type { SettingReader } from '../read-setting.ts';

const feePayersMax = 32;

/** What the relay and the watcher of Aptos need, from the variables that begin with `APTOS_`. */
export function readAptosConfig(
  reader: SettingReader,
  input: { readonly environment: Environment; readonly process: ProcessKind },
): AptosConfig {
  const rpcUrl = readUrl(reader);
  const feePayerKeys = readKeys(reader, 'APTOS_FEE_PAYER_KEYS');
  const treasuryKeys = readKeys(reader, 'APTOS_TREASURY_KEY');
  if (feePayerKeys.length === 0 && input.process === 'worker' && rpcUrl !== undefined)
    reader.problems.push(
      'APTOS_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.',
    );
  if (feePayerKeys.length > feePayersMax)
    reader.problems.push(`APTOS_FEE_PAYER_KEYS names more than ${feePayersMax} accounts.`);
  if (treasuryKeys.length > 1) reader.problems.push('APTOS_TREASURY_KEY is one private key.');
  const all = [...feePayerKeys, ...treasuryKeys].map((key) =>
    Buffer.from(publicKeyOfSeed(key.reveal())).toString('hex'),
  );
  if (new Set(all).size < all.length)
    reader.problems.push(
      'APTOS_FEE_PAYER_KEYS and APTOS_TREASURY_KEY name an account twice: each needs a key of its own.',
    );
  return {
    rpcUrl,
    feePayerKeys,
    treasuryKey: treasuryKeys[0],
    treasuryAddress: readTestAddress(reader, 'APTOS_TREASURY_ADDRESS', input.environment),
    testTokenAddress: readTestAddress(reader, 'APTOS_TEST_TOKEN_ADDRESS', input.environment),
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
      ...readStartVersion(reader),
    },
    rpcTimeoutMs: reader.integer('APTOS_RPC_TIMEOUT_MS'),
  };
}

function readUrl(reader: SettingReader): string | undefined {
  const text = reader.text('APTOS_RPC_URL');
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  reader.problems.push('APTOS_RPC_URL is an http or https address.');
  return undefined;
}

function readStartVersion(reader: SettingReader): { readonly startVersion?: bigint } {
  const text = reader.text('APTOS_START_VERSION');
  if (text === undefined) return {};
  if (/^\d{1,18}$/.test(text)) return { startVersion: BigInt(text) };
  reader.problems.push('APTOS_START_VERSION is the number of a ledger version.');
  return {};
}

/** In the form of AIP-80 or as hexadecimal digits alone. */
function readKeys(
  reader: SettingReader,
  name: 'APTOS_FEE_PAYER_KEYS' | 'APTOS_TREASURY_KEY',
): Secret<Uint8Array>[] {
  const texts = (reader.secret(name) ?? '').split(/[\s,]+/).filter((text) => text !== '');
  const digits = texts.map(
    (text) => /^(?:ed25519-priv-)?(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1],
  );
  if (digits.includes(undefined))
    reader.problems.push(
      `${name}: a private key is 64 hexadecimal digits, with or without "ed25519-priv-0x" in front.`,
    );
  return digits.flatMap((hex) =>
    hex === undefined ? [] : new Secret(new Uint8Array(Buffer.from(hex, 'hex'))),
  );
}

function readTestAddress(
  reader: SettingReader,
  name: 'APTOS_TREASURY_ADDRESS' | 'APTOS_TEST_TOKEN_ADDRESS',
  environment: Environment,
): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  if (environment === 'production')
    reader.problems.push(`${name} is for development and staging: production has no test token.`);
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    reader.problems.push(`${name} is an Aptos address: 0x and 64 hexadecimal digits.`);
  return text.toLowerCase();
}
