import { testConfig } from '../../../../test/harness/config.ts';
import type { Config } from '../../../config/config.ts';
import { Secret } from '../../../lib/sealing/secret.ts';

/** What a worker's process of a family is told: everything that its settings have, as text. */
export interface WorkerSetup {
  readonly family: 'aptos' | 'solana' | 'sui';
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  /** In hexadecimal, as the settings of the family have them. */
  readonly feePayers: readonly string[];
  readonly treasury: string;
  readonly testToken: string;
  /** Of a fee payer: with less it is topped up to twice as much. */
  readonly balanceMinMinor: string;
  /** The wallet whose transfers are told. */
  readonly wallet: string;
}

const leaseMs = 1_000;

export function configOf({
  family,
  rpcUrl,
  feePayers,
  treasury,
  testToken,
  balanceMinMinor,
}: WorkerSetup): Config {
  const secretOf = (hex: string) => new Secret(new Uint8Array(Buffer.from(hex, 'hex')));
  const common = { rpcUrl, feePayerKeys: feePayers.map(secretOf), treasuryKey: secretOf(treasury) };
  const config = testConfig();
  const min = BigInt(balanceMinMinor);
  if (family === 'sui') {
    const relay = { ...config.sui.relay, feePayerBalanceMinMist: min, leaseMs };
    return { ...config, sui: { ...config.sui, ...common, testCoinType: testToken, relay } };
  }
  if (family === 'solana') {
    const relay = { ...config.solana.relay, feePayerBalanceMinLamports: min, leaseMs };
    return { ...config, solana: { ...config.solana, ...common, testTokenMint: testToken, relay } };
  }
  const relay = { ...config.aptos.relay, feePayerBalanceMinOctas: min, leaseMs };
  return { ...config, aptos: { ...config.aptos, ...common, testTokenAddress: testToken, relay } };
}
