import { lowerNextNonce, raiseNextNonce } from '../accounts.ts';
import { relayLimits } from '../spending/limits.ts';
import { type Account, type ChainState, nowMs, raiseAlarm, runExclusively } from '../state.ts';

/**
 * What is believed of a node's count of an account's transactions: a wrong one costs time, and no
 * nonce.
 */

/**
 * Whether `count` is what the account goes by from now on. A first count, and one beyond what was
 * handed out, has to be told on two looks apart; one that is further beyond than a key in use
 * elsewhere explains is never believed. Until then the account rests.
 * @throws LeaseLostError
 */
export async function believeCount(
  state: ChainState,
  account: Account,
  count: bigint,
): Promise<boolean> {
  const next = account.nextNonce;
  if (next !== undefined && count <= next) return true;
  if (!isToldAgain(account, count)) return false;
  if (next !== undefined && count - next > relayLimits.nonceJumpMax) {
    pause(
      state,
      account,
      `The node counts ${count} transactions of this account, and ${next} were made here: it lies, or the key is used elsewhere. It works again once the node counts no more than ${next + relayLimits.nonceJumpMax}; after use elsewhere, \`purser chains recount ${state.chain} ${account.lease.address}\`.`,
    );
    return false;
  }
  account.nextNonce = await raiseNextNonce(state.deps.store, account.lease, count);
  account.doubt = undefined;
  return true;
}

/** A key that is used elsewhere at this moment counts on between two looks. */
function isToldAgain(account: Account, count: bigint): boolean {
  const { doubt } = account;
  const agrees =
    doubt?.count !== undefined &&
    count >= doubt.count &&
    count - doubt.count <= relayLimits.nonceJumpMax;
  if (!agrees) account.doubt = { count, sinceMs: nowMs() };
  return agrees && nowMs() - doubt.sinceMs >= relayLimits.nonceLooksApartMs;
}

/**
 * Nonces were handed out that no transaction of ours uses. Where nothing was signed beyond them
 * they are taken back, whoever had raised them; a gap that is too large to be ours is left alone.
 * @returns whether no-ops are to fill it
 */
export async function settleGap(state: ChainState, account: Account): Promise<boolean> {
  const { chainNonce } = account;
  const signed = [...account.sends.keys()].filter((nonce) => nonce > chainNonce);
  if (signed.length === 0 && chainNonce >= account.usedNonce) {
    if (isToldAgain(account, chainNonce)) await lower(state, account, chainNonce);
    return false;
  }
  const lowest = signed.reduce(
    (least, nonce) => (nonce < least ? nonce : least),
    account.nextNonce!,
  );
  if (lowest - chainNonce <= relayLimits.nonceJumpMax || chainNonce < account.usedNonce)
    return true;
  pause(
    state,
    account,
    `The node counts ${chainNonce} transactions of this account, and the next one that was signed has the number ${lowest}: too many are missing to be filled.`,
  );
  return false;
}

async function lower(state: ChainState, account: Account, chainNonce: bigint): Promise<void> {
  await runExclusively(account, async () => {
    if (account.lost || account.sends.has(chainNonce)) return;
    const lowered = await lowerNextNonce(state.deps.store, account.lease, {
      from: account.nextNonce!,
      to: chainNonce,
    });
    if (!lowered) return;
    state.log.warn(
      {
        account: account.lease.address,
        from: account.nextNonce!.toString(),
        to: chainNonce.toString(),
      },
      'nonce corrected',
    );
    account.nextNonce = chainNonce;
    account.doubt = undefined;
  });
}

function pause(state: ChainState, account: Account, alarm: string): void {
  account.doubt = { ...(account.doubt ?? { sinceMs: nowMs() }), alarm };
  raiseAlarm(
    state,
    `nonce:${account.lease.address}`,
    { account: account.lease.address, reason: alarm },
    'a relay account is paused',
    relayLimits.alarmRepeatMs,
  );
}
