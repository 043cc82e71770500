import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { createRpc } from '../../src/chains/evm/rpc/rpc.ts';

/**
 * anvil's dump holds no clock: a chain that was moved by three days would go back by three days at
 * its next start.
 */

const rpcTimeoutMs = 30_000;
/**
 * Busy chains run a few seconds ahead because each block needs a later time; that is not a moved
 * clock.
 */
const roundingS = 5;
const timedSchema = z.object({ timestamp: z.string().regex(/^0x[0-9a-f]+$/) });
const clockFile = (base: string) => `${base}.clock`;

/** Notes how far the chain's clock is ahead of ours. */
export async function saveClock(url: string, base: string): Promise<void> {
  const offsetS = (await readTime(url, 'pending')) - nowS();
  if (offsetS > roundingS) writeFileSync(clockFile(base), String(offsetS));
  else rmSync(clockFile(base), { force: true });
}

/**
 * Moves the clock of a chain that was just started to where it was; never behind its own last
 * block.
 */
export async function restoreClock(url: string, base: string): Promise<void> {
  const saved = existsSync(clockFile(base)) ? Number(readFileSync(clockFile(base), 'utf8')) : 0;
  const aheadS = (await readTime(url, 'latest')) - nowS();
  const offsetS = Math.max(Number.isSafeInteger(saved) ? saved : 0, aheadS);
  if (offsetS > 0) await call(url, 'evm_increaseTime', [offsetS]);
}

/**
 * Moves a chain's clock on to `now`, when the service's clock was moved while the chain did not
 * run.
 */
export async function alignClock(url: string, now: Date): Promise<void> {
  const behindS = Math.floor(now.getTime() / 1000) - (await readTime(url, 'pending'));
  if (behindS > roundingS) await call(url, 'evm_increaseTime', [behindS]);
}

/** Time of the next block, in seconds since 1970. */
export function readPendingTime(url: string): Promise<number> {
  return readTime(url, 'pending');
}

async function readTime(url: string, block: 'latest' | 'pending'): Promise<number> {
  return Number(
    timedSchema.parse(await call(url, 'eth_getBlockByNumber', [block, false])).timestamp,
  );
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const rpc = createRpc({ url, timeoutMs: rpcTimeoutMs });
  try {
    return await rpc.request(method, params);
  } finally {
    rpc.close();
  }
}

function nowS(): number {
  return Math.floor(Date.now() / 1000);
}
