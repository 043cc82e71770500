import type { Environment } from '../../context.ts';
import { decodeBech32 } from '../../lib/locator/bech32.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { SuiConfig } from '../config.ts';
import type { ProcessKind } from '../load-config.ts';
import type { SettingReader } from '../read-setting.ts';

const feePayersMax = 32;
/** Flag of Ed25519 keys in front of the 32 bytes (SIP-15). */
const ed25519Flag = 0;
const coinTypePattern = /^0x[0-9a-fA-F]{1,64}::\w{1,128}::\w{1,128}$/;

/** What the relay and the watcher of Sui need, from the variables that begin with `SUI_`. */
export function readSuiConfig(
  reader: SettingReader,
  input: { readonly environment: Environment; readonly process: ProcessKind },
): SuiConfig {
  const rpcUrl = readUrl(reader, 'SUI_RPC_URL');
  const secondRpcUrl = readUrl(reader, 'SUI_RPC_SECOND_URL');
  if (
    secondRpcUrl !== undefined &&
    new URL(secondRpcUrl).host === new URL(rpcUrl ?? 'http://none').host
  )
    reader.problems.push(
      'SUI_RPC_SECOND_URL is the node of SUI_RPC_URL: name one of somebody else.',
    );
  return {
    rpcUrl,
    secondRpcUrl,
    ...readDepositAloneMax(reader, input.environment),
    ...readAccounts(reader, { isNeeded: input.process === 'worker' && rpcUrl !== undefined }),
    treasuryAddress: readTestText(reader, {
      name: 'SUI_TREASURY_ADDRESS',
      pattern: /^0x[0-9a-f]{64}$/,
      what: 'a Sui address: 0x and 64 hexadecimal digits',
      environment: input.environment,
    }),
    testCoinType: readTestText(reader, {
      name: 'SUI_TEST_COIN_TYPE',
      pattern: coinTypePattern,
      what: 'the type of a coin, e.g. 0x2::sui::SUI',
      environment: input.environment,
    }),
    relay: readRelay(reader),
    watcher: {
      pollMs: reader.integer('SUI_WATCHER_POLL_MS'),
      checkpointsMax: reader.integer('SUI_WATCHER_CHECKPOINTS_MAX'),
      ...readStartCheckpoint(reader),
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

function readUrl(
  reader: SettingReader,
  name: 'SUI_RPC_URL' | 'SUI_RPC_SECOND_URL',
): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  reader.problems.push(`${name} is an http or https address.`);
  return undefined;
}

function readDepositAloneMax(
  reader: SettingReader,
  environment: Environment,
): Pick<SuiConfig, 'depositAloneMaxUsd'> {
  const text =
    reader.text('SUI_DEPOSIT_ALONE_MAX_USD') ?? (environment === 'production' ? '1000' : undefined);
  if (text === undefined) return {};
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text))
    reader.problems.push('SUI_DEPOSIT_ALONE_MAX_USD is a number of US dollars, e.g. 1000.');
  return { depositAloneMaxUsd: text };
}

function readStartCheckpoint(reader: SettingReader): { readonly startCheckpoint?: bigint } {
  const text = reader.text('SUI_START_CHECKPOINT');
  if (text === undefined) return {};
  if (/^\d{1,18}$/.test(text)) return { startCheckpoint: BigInt(text) };
  reader.problems.push('SUI_START_CHECKPOINT is the number of a checkpoint.');
  return {};
}

function readAccounts(
  reader: SettingReader,
  { isNeeded }: { readonly isNeeded: boolean },
): Pick<SuiConfig, 'feePayerKeys' | 'treasuryKey'> {
  const feePayerKeys = readSeeds(reader, 'SUI_FEE_PAYER_KEYS');
  const treasuryKeys = readSeeds(reader, 'SUI_TREASURY_KEY');
  if (feePayerKeys.length === 0 && isNeeded)
    reader.problems.push(
      'SUI_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.',
    );
  if (feePayerKeys.length > feePayersMax)
    reader.problems.push(`SUI_FEE_PAYER_KEYS names more than ${feePayersMax} accounts.`);
  if (treasuryKeys.length > 1) reader.problems.push('SUI_TREASURY_KEY is one key.');
  const all = [...feePayerKeys, ...treasuryKeys].map((key) =>
    Buffer.from(key.reveal()).toString('hex'),
  );
  if (new Set(all).size < all.length)
    reader.problems.push(
      'SUI_FEE_PAYER_KEYS and SUI_TREASURY_KEY name an account twice: each needs its own key.',
    );
  return { feePayerKeys, treasuryKey: treasuryKeys[0] };
}

function readSeeds(
  reader: SettingReader,
  name: 'SUI_FEE_PAYER_KEYS' | 'SUI_TREASURY_KEY',
): Secret<Uint8Array>[] {
  const texts = (reader.secret(name) ?? '').match(/[^\s,]+/g) ?? [];
  const seeds = texts.map(readSeed);
  if (seeds.some((seed) => seed === undefined))
    reader.problems.push(
      `${name}: a key is an Ed25519 key as "sui keytool export" writes it, suiprivkey1….`,
    );
  return seeds.filter((seed) => seed !== undefined).map((seed) => new Secret(seed));
}

function readSeed(text: string): Uint8Array | undefined {
  const bytes = decodeBech32(text, 'suiprivkey');
  return bytes?.length === 33 && bytes[0] === ed25519Flag ? bytes.subarray(1) : undefined;
}

interface TestText {
  readonly name: 'SUI_TREASURY_ADDRESS' | 'SUI_TEST_COIN_TYPE';
  readonly pattern: RegExp;
  readonly what: string;
  readonly environment: Environment;
}

function readTestText(
  reader: SettingReader,
  { name, pattern, what, environment }: TestText,
): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  if (environment === 'production')
    reader.problems.push(`${name} is for development and staging: production has no test token.`);
  if (!pattern.test(text)) reader.problems.push(`${name} is ${what}.`);
  return text;
}
