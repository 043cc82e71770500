import bs58 from 'bs58';
import { publicKeyOfSeed } from '../../areas/api-keys/index.ts';
import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { SolanaConfig } from '../config.ts';
import type { ProcessKind } from '../load-config.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

const feePayersMax = 32;

/** What the relay and the watcher of Solana need, from the variables that begin with `SOLANA_`. */
export function readSolanaConfig(
  reader: SettingReader,
  input: { readonly environment: Environment; readonly process: ProcessKind },
): SolanaConfig {
  const rpcUrl = readUrl(reader, 'SOLANA_RPC_URL');
  const secondRpcUrl = readUrl(reader, 'SOLANA_RPC_SECOND_URL');
  if (
    secondRpcUrl !== undefined &&
    new URL(secondRpcUrl).host === new URL(rpcUrl ?? 'http://none').host
  )
    reader.problems.push(
      'SOLANA_RPC_SECOND_URL is the node of SOLANA_RPC_URL: name one of somebody else.',
    );
  const feePayerKeys = readKeypairs(reader, 'SOLANA_FEE_PAYER_KEYS');
  const treasuryKeys = readKeypairs(reader, 'SOLANA_TREASURY_KEY');
  if (feePayerKeys.length === 0 && input.process === 'worker' && rpcUrl !== undefined)
    reader.problems.push(
      'SOLANA_FEE_PAYER_KEYS is not set: the worker needs at least one account that pays the fees.',
    );
  if (feePayerKeys.length > feePayersMax)
    reader.problems.push(`SOLANA_FEE_PAYER_KEYS names more than ${feePayersMax} accounts.`);
  if (treasuryKeys.length > 1) reader.problems.push('SOLANA_TREASURY_KEY is one keypair.');
  const all = [...feePayerKeys, ...treasuryKeys].map((key) => bs58.encode(key.reveal()));
  if (new Set(all).size < all.length)
    reader.problems.push(
      'SOLANA_FEE_PAYER_KEYS and SOLANA_TREASURY_KEY name an account twice: each needs its own keypair.',
    );
  return {
    rpcUrl,
    secondRpcUrl,
    ...readDepositAloneMax(reader, input.environment),
    feePayerKeys,
    treasuryKey: treasuryKeys[0],
    treasuryAddress: readTestAddress(reader, 'SOLANA_TREASURY_ADDRESS', input.environment),
    testTokenMint: readTestAddress(reader, 'SOLANA_TEST_TOKEN_MINT', input.environment),
    walletProgramId: readAddress(reader, 'SOLANA_WALLET_PROGRAM_ID'),
    relay: {
      priorityFeeMaxMicroLamports: BigInt(reader.integer('SOLANA_PRIORITY_FEE_MAX_MICRO_LAMPORTS')),
      noncesMax: reader.integer('SOLANA_NONCES_MAX'),
      feePayerBalanceMinLamports: BigInt(reader.integer('SOLANA_FEE_PAYER_BALANCE_MIN_LAMPORTS')),
      topUpDayMaxLamports: BigInt(reader.integer('SOLANA_TOP_UP_DAY_MAX_LAMPORTS')),
      inFlightMax: reader.integer('SOLANA_RELAY_IN_FLIGHT_MAX'),
      resendAfterMs: reader.integer('SOLANA_RELAY_RESEND_AFTER_MS'),
      leaseMs: reader.integer('SOLANA_RELAY_LEASE_MS'),
    },
    watcher: {
      pollMs: reader.integer('SOLANA_WATCHER_POLL_MS'),
      blocksMax: reader.integer('SOLANA_WATCHER_BLOCKS_MAX'),
      ...readStartSlot(reader),
    },
    rpcTimeoutMs: reader.integer('SOLANA_RPC_TIMEOUT_MS'),
  };
}

function readUrl(
  reader: SettingReader,
  name: 'SOLANA_RPC_URL' | 'SOLANA_RPC_SECOND_URL',
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
): Pick<SolanaConfig, 'depositAloneMaxUsd'> {
  const text =
    reader.text('SOLANA_DEPOSIT_ALONE_MAX_USD') ??
    (environment === 'production' ? '1000' : undefined);
  if (text === undefined) return {};
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text))
    reader.problems.push('SOLANA_DEPOSIT_ALONE_MAX_USD is a number of US dollars, e.g. 1000.');
  return { depositAloneMaxUsd: text };
}

function readStartSlot(reader: SettingReader): { readonly startSlot?: bigint } {
  const text = reader.text('SOLANA_START_SLOT');
  if (text === undefined) return {};
  if (/^\d{1,18}$/.test(text)) return { startSlot: BigInt(text) };
  reader.problems.push('SOLANA_START_SLOT is the number of a slot.');
  return {};
}

function readKeypairs(
  reader: SettingReader,
  name: 'SOLANA_FEE_PAYER_KEYS' | 'SOLANA_TREASURY_KEY',
): Secret<Uint8Array>[] {
  const texts = (reader.secret(name) ?? '').match(/\[[^\]]*\]|[^\s,[\]]+/g) ?? [];
  const keys = texts.map(readKeypair);
  if (keys.some((key) => key === undefined))
    reader.problems.push(
      `${name}: a keypair is 64 bytes, as base58 or as the list of numbers that solana-keygen writes.`,
    );
  return keys.filter((key) => key !== undefined).map((key) => new Secret(key));
}

/**
 * Seed and public key; undefined for anything else, and when the one does not belong to the other.
 */
function readKeypair(text: string): Uint8Array | undefined {
  const bytes = text.startsWith('[') ? readNumbers(text) : readBase58(text);
  if (bytes?.length !== 64) return undefined;
  return Buffer.from(publicKeyOfSeed(bytes.subarray(0, 32))).equals(bytes.subarray(32))
    ? bytes
    : undefined;
}

function readNumbers(text: string): Uint8Array | undefined {
  const numbers = text.slice(1, -1).split(',');
  return numbers.every((one) => /^\s*\d{1,3}\s*$/.test(one) && Number(one) < 256)
    ? Uint8Array.from(numbers.map(Number))
    : undefined;
}

function readBase58(text: string): Uint8Array | undefined {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text) ? bs58.decode(text) : undefined;
}

function readTestAddress(
  reader: SettingReader,
  name: 'SOLANA_TREASURY_ADDRESS' | 'SOLANA_TEST_TOKEN_MINT',
  environment: Environment,
): string | undefined {
  if (environment === 'production' && reader.text(name) !== undefined)
    reader.problems.push(`${name} is for development and staging: production has no test token.`);
  return readAddress(reader, name);
}

function readAddress(reader: SettingReader, name: SettingName): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) || bs58.decode(text).length !== 32)
    reader.problems.push(`${name} is a Solana address: 32 bytes as base58.`);
  return text;
}
