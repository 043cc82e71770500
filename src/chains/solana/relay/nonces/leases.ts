import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../../lib/errors.ts';
import type { Store } from '../../../../store/types.ts';
import type { NonceLeases } from '../../operation/prepare.ts';
import {
  askForNonces,
  countLeases,
  freeLease,
  leaseNonce,
  type NonceRow,
  takeOverNonce,
} from './store.ts';

/**
 * Nonces that one wallet may have bound to operations that nobody has approved yet: the others are
 * not to run out of them.
 */
export const leasesPerWalletMax = 64;
const lookEveryMs = 100;

/**
 * Nonces for operations that are prepared. The worker makes them; who prepares has no key. When it
 * makes no more, those with the most give some to the others: projects to projects, and within one
 * wallets to wallets.
 */
export function createNonceLeases(store: Store, { waitMaxMs = 5_000 } = {}): NonceLeases {
  async function lease({
    chain,
    wallet,
    projectId,
    until,
    perWalletMax = leasesPerWalletMax,
  }: Parameters<NonceLeases['lease']>[0]) {
    const asked = {
      chain,
      wallet,
      projectId,
      lease: randomUUID(),
      until,
      perWalletMax,
    };
    const endAt = performance.now() + waitMaxMs;
    for (let looks = 0; ; looks++) {
      const row = await leaseNonce(store, asked);
      if (row) return leased(asked.lease, row);
      if (looks === 0) {
        const count = await countLeases(store, chain, wallet);
        if (count >= perWalletMax) throw tooMany(wallet, count);
        await askForNonces(store, chain);
      }
      if (performance.now() > endAt) {
        const taken = await takeOverNonce(store, asked);
        if (taken) return leased(asked.lease, taken);
        throw exhausted(chain);
      }
      await delay(lookEveryMs);
    }
  }
  return { lease, giveBack: (of) => freeLease(store, of) };
}

function leased(lease: string, { address, value, feePayer }: NonceRow) {
  return { lease, account: address, value: value!, feePayer };
}

function tooMany(wallet: string, count: number): ServiceError {
  return new ServiceError('provider-unavailable', {
    message: `${count} operations of the wallet ${wallet} wait for approvals: approve those, or wait until they expire.`,
  });
}

function exhausted(chain: string): ServiceError {
  return new ServiceError('provider-unavailable', {
    message: `All durable nonces on "${chain}" are bound to operations that are not finished, or no worker of the service runs: retry later.`,
  });
}
