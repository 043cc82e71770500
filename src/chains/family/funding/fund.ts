import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../lib/errors.ts';
import type { Store } from '../../../store/types.ts';
import type { ResolvedToken } from '../capabilities/tokens.ts';
import { insertMint, type MintRequest, selectMint } from './store.ts';

const firstPauseMs = 50;
const pauseMaxMs = 1_000;
/** Whoever waits has gone by then; the mint itself stays in the worker's hands. */
const waitMaxMs = 60_000;

/**
 * As `Funding.fund`: the worker mints by the treasury, once per reference, and the answer waits for
 * the block.
 * @throws upstream-error (the mint failed), provider-unavailable (not confirmed in time)
 */
export async function fund(store: Store, mint: MintRequest): Promise<{ txId: string }> {
  await insertMint(store, mint);
  let pauseMs = firstPauseMs;
  for (
    let waitedMs = 0;
    waitedMs < waitMaxMs;
    waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs)
  ) {
    const state = await selectMint(store, mint.reference);
    if (state?.status === 'done' && state.txId !== null) return { txId: state.txId };
    if (state?.status === 'failed')
      throw new ServiceError('upstream-error', {
        message: 'The mint failed on the chain. Try again with a new idempotency key.',
        cause: state.error,
      });
    await delay(pauseMs);
  }
  throw new ServiceError('provider-unavailable', {
    message:
      'The mint is not confirmed yet; it may still happen. Read the balance before you try again, or repeat with the same x-idempotency-key.',
  });
}

/** The refusal of a token that cannot be minted here. @param reason the rest of the sentence */
export function notMintable(token: ResolvedToken, reason: string): ServiceError {
  return new ServiceError('token-not-supported', {
    message: `${token.symbol ?? token.address ?? 'The native token'} on "${token.chain}" cannot be minted here: ${reason}`,
  });
}
