import type { Environment } from '../../context.ts';
import { decodeStrKey } from '../../lib/locator/strkey.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { StellarConfig } from '../config.ts';
import type { ProcessKind } from '../load-config.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

const feePayersMax = 200;

/**
 * What the relay and the watcher of Stellar need, from the variables that begin with `STELLAR_`.
 */
export function readStellarConfig(
  reader: SettingReader,
  input: { readonly environment: Environment; readonly process: ProcessKind },
): StellarConfig {
  const rpcUrl = readUrl(reader, 'STELLAR_RPC_URL');
  const secondRpcUrl = readUrl(reader, 'STELLAR_RPC_SECOND_URL');
  if (
    secondRpcUrl !== undefined &&
    new URL(secondRpcUrl).host === new URL(rpcUrl ?? 'http://none').host
  )
    reader.problems.push(
      'STELLAR_RPC_SECOND_URL is the node of STELLAR_RPC_URL: name one of somebody else.',
    );
  return {
    rpcUrl,
    secondRpcUrl,
    ...readDepositAloneMax(reader, input.environment),
    ...readKeys(reader, { isNeeded: input.process === 'worker' && rpcUrl !== undefined }),
    treasuryAddress: readTestAddress(
      reader,
      { name: 'STELLAR_TREASURY_ADDRESS', kind: 'G' },
      input.environment,
    ),
    testTokenContract: readTestAddress(
      reader,
      { name: 'STELLAR_TEST_TOKEN_CONTRACT', kind: 'C' },
      input.environment,
    ),
    walletFactoryId: readAddress(reader, { name: 'STELLAR_WALLET_FACTORY_ID', kind: 'C' }),
    ...readCodeHash(reader),
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
      ...readStartLedger(reader),
    },
    rpcTimeoutMs: reader.integer('STELLAR_RPC_TIMEOUT_MS'),
  };
}

function readUrl(
  reader: SettingReader,
  name: 'STELLAR_RPC_URL' | 'STELLAR_RPC_SECOND_URL',
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
): Pick<StellarConfig, 'depositAloneMaxUsd'> {
  const text =
    reader.text('STELLAR_DEPOSIT_ALONE_MAX_USD') ??
    (environment === 'production' ? '1000' : undefined);
  if (text === undefined) return {};
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text))
    reader.problems.push('STELLAR_DEPOSIT_ALONE_MAX_USD is a number of US dollars, e.g. 1000.');
  return { depositAloneMaxUsd: text };
}

function readCodeHash(reader: SettingReader): Pick<StellarConfig, 'walletCodeHash'> {
  const text = reader.text('STELLAR_WALLET_CODE_HASH');
  if (text === undefined) return {};
  if (/^[0-9a-f]{64}$/i.test(text)) return { walletCodeHash: text.toLowerCase() };
  reader.problems.push('STELLAR_WALLET_CODE_HASH is 64 hexadecimal digits.');
  return {};
}

function readStartLedger(reader: SettingReader): { readonly startLedger?: number } {
  const text = reader.text('STELLAR_START_LEDGER');
  if (text === undefined) return {};
  if (/^\d{1,9}$/.test(text)) return { startLedger: Number(text) };
  reader.problems.push('STELLAR_START_LEDGER is the number of a ledger.');
  return {};
}

function readKeys(
  reader: SettingReader,
  { isNeeded }: { readonly isNeeded: boolean },
): Pick<StellarConfig, 'feePayerKeys' | 'treasuryKey'> {
  const feePayerKeys = readSeeds(reader, 'STELLAR_FEE_PAYER_KEYS');
  const treasuryKeys = readSeeds(reader, 'STELLAR_TREASURY_KEY');
  if (feePayerKeys.length === 0 && isNeeded)
    reader.problems.push(
      'STELLAR_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.',
    );
  if (feePayerKeys.length > feePayersMax)
    reader.problems.push(`STELLAR_FEE_PAYER_KEYS names more than ${feePayersMax} accounts.`);
  if (treasuryKeys.length > 1) reader.problems.push('STELLAR_TREASURY_KEY is one secret key.');
  const all = [...feePayerKeys, ...treasuryKeys].map((key) =>
    Buffer.from(key.reveal()).toString('hex'),
  );
  if (new Set(all).size < all.length)
    reader.problems.push(
      'STELLAR_FEE_PAYER_KEYS and STELLAR_TREASURY_KEY name an account twice: each needs its own secret key.',
    );
  return { feePayerKeys, treasuryKey: treasuryKeys[0] };
}

function readSeeds(
  reader: SettingReader,
  name: 'STELLAR_FEE_PAYER_KEYS' | 'STELLAR_TREASURY_KEY',
): Secret<Uint8Array>[] {
  const texts = (reader.secret(name) ?? '').split(/[\s,]+/).filter((text) => text !== '');
  const keys = texts.map(decodeStrKey);
  if (keys.some((key) => key?.kind !== 'S'))
    reader.problems.push(`${name}: a secret key is 56 characters that begin with S.`);
  return keys.flatMap((key) => (key?.kind === 'S' ? [new Secret(key.bytes)] : []));
}

interface AddressSetting {
  readonly name: SettingName;
  readonly kind: 'G' | 'C';
}

function readTestAddress(
  reader: SettingReader,
  setting: AddressSetting,
  environment: Environment,
): string | undefined {
  if (environment === 'production' && reader.text(setting.name) !== undefined)
    reader.problems.push(
      `${setting.name} is for development and staging: production has no test token.`,
    );
  return readAddress(reader, setting);
}

function readAddress(reader: SettingReader, { name, kind }: AddressSetting): string | undefined {
  const text = reader.text(name);
  if (text !== undefined && decodeStrKey(text)?.kind !== kind)
    reader.problems.push(
      `${name} is the address of ${kind === 'G' ? 'an account' : 'a contract'} on Stellar: ${kind}….`,
    );
  return text;
}
