import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../../lib/errors.ts';
import type { Store } from '../../../../store/types.ts';
import type { LeasedCoin, SponsorCoins } from '../../operation/prepare.ts';
import {
  askForCoins,
  countLeases,
  freeLease,
  type GasCoin,
  leaseCoin,
  takeOverCoin,
} from './store.ts';

/**
 * Coins that one wallet may have bound to operations that are not handed over yet: the others are
 * not to run out of them.
 */
export const leasesPerWalletMax = 64;
const lookEveryMs = 100;

/**
 * Coins for operations that are prepared. The worker makes them; who prepares has no key. When it
 * makes no more, those with the most give some to the others: projects to projects, and within one
 * wallets to wallets.
 */
export function createGasLeases(store: Store, { waitMaxMs = 5_000 } = {}): SponsorCoins {
  async function lease({
    chain,
    wallet,
    projectId,
    until,
  }: Parameters<SponsorCoins['lease']>[0]): Promise<LeasedCoin> {
    const asked = {
      chain,
      wallet,
      projectId,
      lease: randomUUID(),
      until,
      perWalletMax: leasesPerWalletMax,
    };
    const endAt = performance.now() + waitMaxMs;
    for (let looks = 0; ; looks++) {
      const coin = await leaseCoin(store, asked);
      if (coin) return leased(asked.lease, coin);
      if (looks === 0) {
        if ((await countLeases(store, chain, wallet)) >= leasesPerWalletMax) throw tooMany(wallet);
        await askForCoins(store, chain);
      }
      if (performance.now() > endAt) {
        const taken = await takeOverCoin(store, asked);
        if (taken) return leased(asked.lease, taken);
        throw exhausted(chain);
      }
      await delay(lookEveryMs);
    }
  }
  return { lease, giveBack: (of) => freeLease(store, of) };
}

function leased(lease: string, { objectId, version, digest, sponsor }: GasCoin): LeasedCoin {
  return { lease, sponsor, coin: { objectId, version, digest } };
}

function tooMany(wallet: string): ServiceError {
  return new ServiceError('provider-unavailable', {
    message: `${leasesPerWalletMax} operations of the wallet ${wallet} wait for approvals: approve those, or wait until they expire.`,
  });
}

function exhausted(chain: string): ServiceError {
  return new ServiceError('provider-unavailable', {
    message: `All coins that pay for transactions on "${chain}" are bound to operations that are not finished, or no worker of the service runs: retry later.`,
  });
}
