import { requeueTopUp } from '../../account/top-ups.ts';
import { hasSeenHistory } from '../../watcher/index.ts';
import { requeueOperations } from '../queue/queue.ts';
import { selectWithheldSends } from '../queue/withheld.ts';
import { broadcastSends, fillGap, replaceAttempt } from '../queue/writer.ts';
import type { Head } from '../rpc-schemas.ts';
import { relayLimits } from '../spending/limits.ts';
import {
  type Account,
  type ChainState,
  nowMs,
  type OpenSend,
  openSend,
  pendingSends,
  raiseAlarm,
} from '../state.ts';
import { requeueCall } from '../treasury/treasury-calls.ts';
import { believeCount, settleGap } from '../trust/trust.ts';
import { confirmLanded, findLanded, type Landed, readReceipts } from './confirm.ts';
import { gasBump, isBelowMarket } from './fees.ts';
import { readPayment } from './payments.ts';
import {
  markDisplaced,
  markFinal,
  readClosedSends,
  reopenSends,
  type StoredSend,
} from './sends.ts';

/**
 * One look at an account: what landed, what a reorganisation took back, what is final, what is
 * stuck. `chainNonce` is the account's transaction count in `head`.
 */
export async function observeAccount(
  state: ChainState,
  account: Account,
  chainNonce: bigint,
  head: Head,
): Promise<void> {
  if (!(await believeCount(state, account, chainNonce))) return;
  account.chainNonce = chainNonce;
  await confirmUsed(state, account, head);
  await checkIncluded(state, account);
  await healBehind(state, account);
  await fillGaps(state, account);
  await pushPending(state, account, head);
}

/** Sends whose nonce the chain has used: read their receipts. */
async function confirmUsed(state: ChainState, account: Account, head: Head): Promise<void> {
  const used = pendingSends(account).filter((send) => send.nonce < account.chainNonce);
  if (used.length === 0) return;
  const { landed, doubted } = await findLanded(state, used);
  const confirmed = BigInt(state.network.confirmations);
  await confirmLanded(
    state,
    account,
    landed.filter(({ receipt }) => head.number - receipt.blockNumber + 1n >= confirmed),
  );
  const found = new Set(landed.map((one) => one.send));
  for (const send of used.slice(0, relayLimits.receiptsPerPulseMax))
    if (!found.has(send) && !doubted.has(send)) await checkDisplaced(state, account, send, head);
}

/**
 * The nonce is used but none of our transactions has a receipt. Nodes behind one address may not
 * agree for a moment; when it stays so as deep as the chain's finality, somebody else used the key,
 * and ours can never land.
 */
async function checkDisplaced(
  state: ChainState,
  account: Account,
  send: OpenSend,
  head: Head,
): Promise<void> {
  send.missing ??= { sinceMs: nowMs(), block: head.number };
  const forMs = nowMs() - send.missing.sinceMs;
  const deep = state.finalHeight >= send.missing.block && forMs >= relayLimits.displacedAfterMs;
  if (!deep && forMs < relayLimits.displacedAfterMaxMs) return;
  const recorded = await state.deps.store.transaction(async (tx) => {
    if (!(await markDisplaced(tx, send.id))) return false;
    await requeueOperations(tx, { sendId: send.id, txHash: null, executed: [] });
    await requeueCall(tx, send.id);
    await requeueTopUp(tx, send.id);
    return true;
  });
  account.sends.delete(send.nonce);
  if (send.nonce >= account.usedNonce) account.usedNonce = send.nonce + 1n;
  state.work.wake();
  if (recorded)
    state.log.error(
      { account: account.lease.address, nonce: send.nonce.toString() },
      'a transaction that is not ours used a nonce of this account: is its key in use elsewhere?',
    );
}

/** Landed sends: gone again, moved to another block, or deep enough to be final. */
async function checkIncluded(state: ChainState, account: Account): Promise<void> {
  const due = [...account.sends.values()].filter(
    (send) =>
      send.status === 'included' && (send.nonce >= account.chainNonce || isDeep(state, send)),
  );
  if (due.length === 0) return;
  const some = due.slice(0, relayLimits.receiptsPerPulseMax);
  const { landed, doubted } = await findLanded(state, some);
  await confirmMoved(state, account, landed);
  const final = landed.filter(
    ({ send, receipt }) =>
      receipt.blockHash === send.mined?.blockHash &&
      isDeep(state, send) &&
      send.nonce < account.chainNonce,
  );
  await closeFinal(state, account, final);
  const found = new Set(landed.map((one) => one.send));
  await reopen(
    state,
    account,
    some.filter((send) => !found.has(send) && !doubted.has(send)),
  );
}

function isDeep(state: ChainState, send: OpenSend): boolean {
  const ageMs = nowMs() - send.includedAtMs;
  if (ageMs >= relayLimits.finalAgeMaxMs) return true;
  return (
    ageMs >= relayLimits.finalAgeMs && send.mined !== null && send.mined.block <= state.finalHeight
  );
}

/** A reorganisation can put a transaction into another block, and let it end otherwise there. */
async function confirmMoved(
  state: ChainState,
  account: Account,
  landed: readonly Landed[],
): Promise<void> {
  await confirmLanded(
    state,
    account,
    landed.filter(({ send, receipt }) => receipt.blockHash !== send.mined?.blockHash),
  );
}

async function closeFinal(
  state: ChainState,
  account: Account,
  final: readonly Landed[],
): Promise<void> {
  if (final.length === 0) return;
  await state.deps.store.transaction(async (tx) => {
    await markFinal(
      tx,
      final.map(({ send }) => ({ id: send.id, blockHash: send.mined!.blockHash })),
    );
    // Only now: money of a call whose nonce went to a no-op must not be sent twice by a
    // reorganisation.
    for (const { send, attempt } of final)
      if (
        send.kind === 'call' &&
        attempt.filler &&
        !readPayment(account.lease.address, attempt.raw)
      ) {
        await requeueCall(tx, send.id);
        await requeueTopUp(tx, send.id);
      }
  });
  for (const { send } of final) account.sends.delete(send.nonce);
}

/**
 * The blocks of landed sends are gone: the same bytes are broadcast again, lowest nonce first, once
 * the watcher knows it too. Whoever hears of the reorganisation from it may withhold what is in
 * them.
 */
async function reopen(
  state: ChainState,
  account: Account,
  sends: readonly OpenSend[],
): Promise<void> {
  if (sends.length === 0 || (await isUnnoticed(state))) return;
  await reopenSends(
    state.deps.store,
    sends.map((send) => send.id),
  );
  for (const send of sends) {
    // The attempt that had landed goes first again, so that operations keep their transaction id.
    const landed = send.attempts.findIndex((attempt) => attempt.hash === send.mined?.hash);
    if (landed >= 0) send.attempts.push(...send.attempts.splice(landed, 1));
    send.status = 'pending';
    send.mined = null;
    send.missing = undefined;
    send.result = undefined;
    send.attemptAtMs = nowMs();
    account.sends.set(send.nonce, send);
  }
  const ordered = sends.toSorted((a, b) => Number(a.nonce - b.nonce));
  state.log.warn(
    { account: account.lease.address, nonces: ordered.map((send) => send.nonce.toString()) },
    'landed transactions are gone from the chain and are sent again',
  );
  await broadcastSends(
    state,
    account,
    (await cancelWithheld(state, account, ordered)).slice(0, relayLimits.rebroadcastMax),
  );
}

async function isUnnoticed(state: ChainState): Promise<boolean> {
  if (await hasSeenHistory(state.deps.store, state.rpc, state.chain)) {
    state.unnoticedSinceMs = undefined;
    return false;
  }
  state.unnoticedSinceMs ??= nowMs();
  return nowMs() - state.unnoticedSinceMs < relayLimits.unnoticedMaxMs;
}

/**
 * A no-op takes the nonce of what carries a withheld operation; the others in it go back to the
 * queue then.
 * @returns the rest
 */
async function cancelWithheld(
  state: ChainState,
  account: Account,
  sends: readonly OpenSend[],
): Promise<OpenSend[]> {
  const open = sends.filter((send) => send.kind === 'batch' && !send.cancelled);
  if (open.length === 0) return [...sends];
  const withheld = await selectWithheldSends(
    state.deps.store,
    state.chain,
    open.map((send) => send.id),
  );
  for (const send of open)
    if (withheld.has(send.id)) await replaceAttempt(state, account, send, { cancel: true });
  return sends.filter((send) => !withheld.has(send.id));
}

/**
 * The chain counts fewer transactions than we have seen land and closed: it has forgotten blocks (a
 * local node killed hard). What was closed is opened again and sent again.
 */
async function healBehind(state: ChainState, account: Account): Promise<void> {
  if (account.chainNonce >= account.usedNonce) {
    account.behindSinceMs = undefined;
    return;
  }
  account.behindSinceMs ??= nowMs();
  // A node behind a load balancer may be a block late; one look is not enough.
  if (nowMs() - account.behindSinceMs < relayLimits.behindAfterMs) return;
  const closed = await readClosedSends(
    state.deps.store,
    state.chain,
    account.lease.address,
    account.chainNonce,
    relayLimits.rebroadcastMax,
  );
  const receipts = await readReceipts(
    state,
    closed.flatMap(({ attempts }) => attempts),
  );
  const gone = closed.filter((send) =>
    send.attempts.every((attempt) => !receipts.has(attempt.hash)),
  );
  await reopen(state, account, gone.filter((send) => send.status === 'final').map(openSend));
  await cancelDisplaced(
    state,
    account,
    gone.filter((send) => send.status === 'displaced'),
  );
}

/**
 * What was in a displaced send has been sent again with another nonce since: now the nonce only has
 * to be used up.
 */
async function cancelDisplaced(
  state: ChainState,
  account: Account,
  displaced: readonly StoredSend[],
): Promise<void> {
  await reopenSends(
    state.deps.store,
    displaced.map((send) => send.id),
  );
  for (const stored of displaced) {
    const send = openSend({ ...stored, status: 'pending' });
    account.sends.set(send.nonce, send);
    await replaceAttempt(state, account, send, { cancel: true });
  }
}

/**
 * Nonces that were handed out and that no transaction of ours can use up would hold back all after
 * them.
 */
async function fillGaps(state: ChainState, account: Account): Promise<void> {
  const next = account.nextNonce!;
  if (account.chainNonce >= next || account.sends.get(account.chainNonce) !== undefined) {
    account.doubt = undefined;
    return;
  }
  const behind = account.chainNonce < account.usedNonce;
  if (behind && nowMs() - (account.behindSinceMs ?? nowMs()) < relayLimits.behindAfterMs * 2)
    return;
  if (!(await settleGap(state, account))) return;
  const end = account.chainNonce + BigInt(relayLimits.rebroadcastMax);
  for (let nonce = account.chainNonce; nonce < next && nonce < end; nonce++)
    if (!account.sends.has(nonce)) await fillGap(state, account, nonce);
}

/** Pending sends whose nonce is not used yet: broadcast again, bumped, or replaced by a no-op. */
async function pushPending(state: ChainState, account: Account, head: Head): Promise<void> {
  const pending = pendingSends(account)
    .filter((send) => send.nonce >= account.chainNonce)
    .toSorted((a, b) => Number(a.nonce - b.nonce));
  const waiting = await cancelWithheld(state, account, pending);
  const again: OpenSend[] = [];
  for (const send of waiting) {
    const action = nextAction(state, account, send, head);
    if (action === 'broadcast') again.push(send);
    if (action === 'bump' || action === 'cancel')
      await replaceAttempt(state, account, send, { cancel: action === 'cancel' });
    if (action === 'alarm') {
      raiseAlarm(
        state,
        `stuck:${account.lease.address}`,
        {
          account: account.lease.address,
          nonce: send.nonce.toString(),
          hash: send.attempts.at(-1)!.hash,
        },
        'a transaction is stuck although its fee was raised as often as allowed',
        relayLimits.alarmRepeatMs,
      );
      again.push(send);
    }
  }
  await broadcastSends(state, account, again.slice(0, relayLimits.rebroadcastMax));
}

type Action = 'none' | 'broadcast' | 'bump' | 'cancel' | 'alarm';

/** What to do about a pending send; the first row that applies. */
function nextAction(
  state: ChainState,
  account: Pick<Account, 'chainNonce'>,
  send: OpenSend,
  head: Head,
): Action {
  const { bumpAfterMs } = state.deps.config.relay;
  const quietMs = nowMs() - send.broadcastAtMs;
  const ageMs = nowMs() - send.attemptAtMs;
  // Past the cap a fee that cannot get in at all is still raised, though rarely: nothing else would
  // ever free the nonce.
  const bumpable =
    send.bumps < gasBump.timesMax || (send.cancelled && ageMs >= bumpAfterMs * gasBump.lateFactor);
  if (send.broadcastAtMs === Number.NEGATIVE_INFINITY) return 'broadcast';
  if (send.result === 'refused')
    return quietMs < relayLimits.refusalPauseMs ? 'none' : send.cancelled ? 'alarm' : 'cancel';
  if (send.result === 'underpriced' && bumpable && quietMs >= relayLimits.pulseMinMs) return 'bump';
  if (send.result === 'unfunded' || send.result === 'later' || send.result === 'underpriced')
    return quietMs < relayLimits.refusalPauseMs ? 'none' : 'broadcast';
  // A chain that makes no blocks would not take a higher fee either.
  const passedOver =
    ageMs >= bumpAfterMs &&
    head.number > send.attemptHead &&
    (send.nonce === account.chainNonce || isBelowMarket(send.attempts.at(-1)!.fees, head));
  if (passedOver && bumpable) return 'bump';
  if (passedOver && !send.cancelled) return 'cancel';
  if (quietMs >= bumpAfterMs / 2) return passedOver && send.cancelled ? 'alarm' : 'broadcast';
  return 'none';
}
