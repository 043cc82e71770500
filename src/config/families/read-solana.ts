import bs58 from 'bs58';
import { publicKeyOfSeed } from '../../areas/api-keys/index.ts';
import type { SolanaConfig } from '../config.ts';
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

const keypairs: KeyForm = {
  noun: 'keypair',
  pattern: /\[[^\]]*\]|[^\s,[\]]+/g,
  read: readKeypair,
  form: 'a keypair is 64 bytes, as base58 or as the list of numbers that solana-keygen writes',
  feePayersMax: 32,
};

/** What the relay and the watcher of Solana need, from the variables that begin with `SOLANA_`. */
export function readSolanaConfig(
  reader: SettingReader,
  { environment, process }: FamilyInput,
): SolanaConfig {
  const { rpcUrl, secondRpcUrl } = readNodes(reader, 'SOLANA');
  const isNeeded = process === 'worker' && rpcUrl !== undefined;
  return {
    rpcUrl,
    secondRpcUrl,
    ...readKeys(reader, 'SOLANA', { ...keypairs, isNeeded }),
    depositAloneMaxUsd: readDepositAloneMax(reader, 'SOLANA', environment),
    treasuryAddress: readTestWord(reader, environment, addressIn('SOLANA_TREASURY_ADDRESS')),
    testTokenMint: readTestWord(reader, environment, addressIn('SOLANA_TEST_TOKEN_MINT')),
    walletProgramId: readWord(reader, addressIn('SOLANA_WALLET_PROGRAM_ID')),
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
      startSlot: readStart(reader, 'SOLANA_START_SLOT', { what: 'slot' }),
    },
    rpcTimeoutMs: reader.integer('SOLANA_RPC_TIMEOUT_MS'),
  };
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

const addressIn = (name: SettingName): WordForm => ({
  name,
  isValid: (text) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && bs58.decode(text).length === 32,
  what: 'a Solana address: 32 bytes as base58',
});
