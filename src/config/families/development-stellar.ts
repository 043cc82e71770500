import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publicKeyOfSeed } from '../../areas/api-keys/index.ts';
import { stellarNetwork } from '../../chains/stellar/config/networks.ts';
import { encodeStrKey } from '../../lib/locator/strkey.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import type { Config } from '../config.ts';

/**
 * Where things stand on the local Stellar chain: ids of contracts follow from the treasury, so that
 * no file has to say them.
 */

export interface StellarSecrets {
  readonly feePayerKeys: readonly Secret<Uint8Array>[];
  readonly treasuryKey: Secret<Uint8Array>;
}

/**
 * The contract files that the local chain has; another version of the factory stands at another
 * address.
 */
export const stellarContracts = {
  wallet: fileURLToPath(new URL('../../../contracts/stellar/wallet.wasm', import.meta.url)),
  factory: fileURLToPath(new URL('../../../contracts/stellar/factory.wasm', import.meta.url)),
};

/** What names the factory, beside the treasury that deploys it. */
export const factorySalt = (): Buffer => sha256(readFileSync(stellarContracts.factory));

/** Code of the test stablecoin, which the treasury issues. */
export const testAssetCode = 'USDXM';

export function developmentStellar(
  rpcUrl: string | undefined,
  { feePayerKeys, treasuryKey }: StellarSecrets,
): Config['stellar'] {
  const treasury = publicKeyOfSeed(treasuryKey.reveal());
  // As XDR: an account is 0, 0 and its key; an asset of five to twelve signs 2, its code and its
  // issuer.
  const account = Buffer.concat([words(0, 0), treasury]);
  const asset = Buffer.concat([
    words(2),
    Buffer.from(testAssetCode.padEnd(12, '\0')),
    words(0),
    treasury,
  ]);
  return {
    rpcUrl,
    feePayerKeys,
    treasuryKey,
    testTokenContract: contractId(Buffer.concat([words(1), asset])),
    walletFactoryId: contractId(Buffer.concat([words(0), account, factorySalt()])),
    walletCodeHash: sha256(readFileSync(stellarContracts.wallet)).toString('hex'),
    relay: {
      feeMaxStroops: 20_000_000n,
      feePayerBalanceMinStroops: 1_000_000_000n,
      topUpDayMaxStroops: 1_000_000_000_000_000n,
      resendAfterMs: 1_000,
      leaseMs: 5_000,
    },
    watcher: { pollMs: 200, ledgersMax: 20 },
    rpcTimeoutMs: 10_000,
  };
}

/**
 * As the network computes it (`HashIDPreimage` of a contract id).
 * @param preimage from an address, or from an asset
 */
function contractId(preimage: Buffer): string {
  const { passphrase } = stellarNetwork('development');
  return encodeStrKey({
    kind: 'C',
    bytes: sha256(Buffer.concat([words(8), sha256(Buffer.from(passphrase)), preimage])),
  });
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
