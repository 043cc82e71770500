import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store, Tx } from '../../../store/types.ts';
import type { Running } from '../capabilities/status.ts';
import type { SentBytes, SentBytesNetwork } from '../nodes/sent-bytes.ts';
import { recordSpending } from '../spending/budgets.ts';
import {
  endMint,
  lockOpenMint,
  type MintRequest,
  type OpenMint,
  storeSignedMint,
} from './store.ts';

/** What minting asks of a family's network. */
export interface MintNetwork extends SentBytesNetwork {
  /** A mint by the treasury, signed; not sent. */
  sign(mint: MintRequest): Promise<SentBytes>;
}

export interface MintsDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  readonly network: MintNetwork;
  readonly pollMs: number;
}

const busyPauseMs = 50;
const failurePauseMs = 2_000;

/**
 * Mints the test tokens that were asked for: the bytes are stored before they are sent, and others
 * are signed only when those have ended.
 */
export function runMints(deps: MintsDeps): Running {
  const stopping = new AbortController();
  const done = loop(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function loop(deps: MintsDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = deps.pollMs;
    try {
      if (await mintNext(deps)) pauseMs = busyPauseMs;
    } catch (error) {
      deps.log.warn(
        { err: error, chain: deps.chain },
        'test tokens cannot be minted now: trying again',
      );
      pauseMs = failurePauseMs;
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** One step with the oldest. @returns whether there was one */
export async function mintNext(deps: MintsDeps): Promise<boolean> {
  const open = await deps.store.transaction((tx) => prepare(deps, tx));
  if (!open) return false;
  const found = await deps.network.look(open.sent);
  if (typeof found === 'object')
    await deps.store.transaction(async (tx) => {
      if (await endMint(tx, open.reference, found.failed))
        await recordSpending(tx, 'fees', deps.chain, found.costMinor);
    });
  else if (found === 'pending') await deps.network.send(open.sent.raw);
  return true;
}

type PreparedMint = OpenMint & Required<Pick<OpenMint, 'sent'>>;

/** Signs what has not been, and anew what no block can have any more. */
async function prepare({ network, chain }: MintsDeps, tx: Tx): Promise<PreparedMint | undefined> {
  const open = await lockOpenMint(tx, chain);
  if (!open) return undefined;
  if (open.sent && (await network.look(open.sent)) !== 'gone') return { ...open, sent: open.sent };
  if (open.isOld) {
    await endMint(tx, open.reference, 'No block took it within ten minutes.');
    return undefined;
  }
  const sent = await network.sign(open);
  await storeSignedMint(tx, open.reference, sent);
  return { ...open, sent };
}
