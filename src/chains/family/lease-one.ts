import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../lib/errors.ts';

export interface LeaseWish {
  readonly chain: string;
  readonly wallet: string;
  readonly projectId?: string | undefined;
  readonly until: Date;
  /** Refused when the wallet has as many; by default its share of all. */
  readonly perWalletMax?: number | undefined;
}

export interface LeaseInput {
  readonly chain: string;
  readonly wallet: string;
  readonly projectId: string | undefined;
  readonly lease: string;
  readonly until: Date;
  readonly perWalletMax: number;
}

/** What a relay has few of, and every operation needs one of while it is prepared. */
export interface LeasedPool<Row> {
  /** For people: `durable nonces`. */
  readonly name: string;
  readonly waitMaxMs: number;
  /** A free one; undefined when there is none, or the wallet has its share. */
  take(input: LeaseInput): Promise<Row | undefined>;
  count(chain: string, wallet: string): Promise<number>;
  /** Tells those who make more that somebody waits. */
  ask(chain: string): Promise<void>;
  /** One of somebody who has more. */
  takeOver(input: LeaseInput): Promise<Row | undefined>;
}

/**
 * What one wallet may have bound to operations that nobody has approved yet: the others are not to
 * run out of them.
 */
export const leasesPerWalletMax = 64;
const lookEveryMs = 100;

/**
 * Waits for a free one. The worker makes them; who prepares has no key. When it makes no more,
 * those with the most give some to the others: projects to projects, and within one wallets to
 * wallets.
 * @throws provider-unavailable all are in use, or the wallet has its share
 */
export async function leaseOne<Row>(
  { name, waitMaxMs, take, count, ask, takeOver }: LeasedPool<Row>,
  { chain, wallet, projectId, until, perWalletMax = leasesPerWalletMax }: LeaseWish,
): Promise<Row & { readonly lease: string }> {
  const input = { chain, wallet, projectId, until, perWalletMax, lease: randomUUID() };
  const endAt = performance.now() + waitMaxMs;
  for (let looks = 0; ; looks++) {
    const found = await take(input);
    if (found) return { ...found, lease: input.lease };
    if (looks === 0) {
      const leased = await count(chain, wallet);
      if (leased >= perWalletMax)
        throw unavailable(
          `${leased} operations of the wallet ${wallet} wait for approvals: approve those, or wait until they expire.`,
        );
      await ask(chain);
    }
    if (performance.now() > endAt) {
      const taken = await takeOver(input);
      if (taken) return { ...taken, lease: input.lease };
      throw unavailable(
        `All ${name} on "${chain}" are bound to operations that are not finished, or no worker of the service runs: retry later.`,
      );
    }
    await delay(lookEveryMs);
  }
}

const unavailable = (message: string) => new ServiceError('provider-unavailable', { message });
