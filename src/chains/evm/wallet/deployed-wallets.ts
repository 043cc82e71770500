import type { Clock } from '../../../lib/clock.ts';

/**
 * Which wallets are known to stand on a chain. Only the yes is kept: a wallet never goes away, but
 * for a reorganisation.
 */
export interface DeployedWallets {
  isKnown(chainId: number, wallet: string): boolean;
  /**
   * Known for so long that no reorganisation is expected to take the wallet back: its deployment
   * need not be sent along.
   */
  isSettled(chainId: number, wallet: string): boolean;
  add(chainId: number, wallet: string): void;
}

const walletsMax = 50_000;
/**
 * A node that is killed hard forgets its last seconds; public chains replace a few blocks at most.
 */
const settledAfterMs = 15_000;

export function createDeployedWallets(clock: Clock): DeployedWallets {
  const seenAtMs = new Map<string, number>();
  const keyOf = (chainId: number, wallet: string) => `${chainId}:${wallet.toLowerCase()}`;
  return {
    isKnown: (chainId, wallet) => seenAtMs.has(keyOf(chainId, wallet)),
    isSettled(chainId, wallet) {
      const seen = seenAtMs.get(keyOf(chainId, wallet));
      return seen !== undefined && clock.now().getTime() - seen >= settledAfterMs;
    },
    add(chainId, wallet) {
      const key = keyOf(chainId, wallet);
      if (seenAtMs.has(key)) return;
      seenAtMs.set(key, clock.now().getTime());
      if (seenAtMs.size > walletsMax) seenAtMs.delete(seenAtMs.keys().next().value!);
    },
  };
}
