import { setTimeout as delay } from 'node:timers/promises';
import { relayLimits, worthwhileGas } from '../spending/limits.ts';
import { type Account, type ChainState, nowMs, pendingSends, spendableWei } from '../state.ts';
import { itemsGasMax } from './batch.ts';
import { findDelegations } from './delegations.ts';
import { claimOperations, type QueuedOperation, releaseOperations, reviveHeld } from './queue.ts';
import { refusalKind } from './reasons.ts';
import {
  handleRefused,
  handleUnknown,
  type Refused,
  type Unknown,
  validAfterMs,
} from './refusals.ts';
import { keepBudgeted, splitOff } from './select.ts';
import { type Runs, sendBatch } from './send-batch.ts';
import { type SimulatedSender, simulateOperations, type Verdict } from './simulate.ts';
import { marketFees, payableFees } from './writer.ts';

/** Takes operations from the queue, simulates them as one batch, and sends what runs. */

/**
 * One round: claims a batch for the executor with the fewest open transactions and prepares it in
 * the background.
 */
export async function feedRound(
  state: ChainState,
  preparations: Set<Promise<void>>,
): Promise<void> {
  const { flushAfterMs, batchSizeMax } = state.deps.config.relay;
  if (preparations.size >= relayLimits.preparationsMax)
    return void (await Promise.race(preparations));
  const claimed = state.head === undefined ? undefined : await claimBatch(state, preparations);
  // A slot that becomes free wakes too; work that was only postponed is found by polling.
  if (claimed === undefined || claimed === 0) await state.work.wait(relayLimits.idlePollMs);
  // Woken from rest, or short of a full batch, the next one gathers for the flush time.
  if (claimed === undefined) return;
  const pauseMs = gatherMs(claimed, { flushAfterMs, batchSizeMax });
  state.isBusy = pauseMs > flushAfterMs;
  if (claimed < batchSizeMax) await pause(state, pauseMs);
}

/**
 * What a batch costs beside its operations (a claim, a simulation, a store, a block, a
 * confirmation) is shared by those in it: where many arrive, the next batch waits until it can be
 * about full.
 */
export function gatherMs(
  claimed: number,
  { flushAfterMs, batchSizeMax }: { flushAfterMs: number; batchSizeMax: number },
): number {
  return claimed * relayLimits.busyBatchShare >= batchSizeMax
    ? flushAfterMs * relayLimits.busyFlushFactor
    : flushAfterMs;
}

async function pause(state: ChainState, pauseMs: number): Promise<void> {
  await delay(pauseMs, undefined, { signal: state.stopping.signal }).catch(() => undefined);
}

/**
 * Claims a batch and starts preparing it. Answers its size; undefined when no executor has a free
 * slot and money.
 */
async function claimBatch(
  state: ChainState,
  preparations: Set<Promise<void>>,
): Promise<number | undefined> {
  const { batchSizeMax } = state.deps.config.relay;
  if (nowMs() - state.revivedAtMs >= relayLimits.reviveMs) {
    state.revivedAtMs = nowMs();
    await reviveHeld(state.deps.store, state.chain);
  }
  const fees = await payableFees(state);
  if (!fees) return undefined;
  const { maxFeeWei } = fees;
  const account = pickExecutor(state, maxFeeWei);
  if (!account) {
    state.pressure = true;
    return undefined;
  }
  const claim = await claimOperations(state.deps.store, {
    chain: state.chain,
    countMax: batchSizeMax,
    gasMax: affordableGas(spendableWei(account), maxFeeWei, state.head!.gasLimit),
    claimMs: state.deps.config.relay.leaseMs,
  });
  if (claim.operations.length === 0) return 0;
  state.lastWorkAtMs = nowMs();
  account.preparing++;
  state.claims.set(claim.token, {
    operationIds: claim.operations.map((operation) => operation.operationId),
    sinceMs: nowMs(),
  });
  const preparation = prepareBatch(state, account, claim.token, claim.operations).finally(() => {
    account.preparing--;
    state.claims.delete(claim.token);
    preparations.delete(preparation);
  });
  preparations.add(preparation);
  return claim.operations.length;
}

/**
 * The most that the items of a batch may add up to, by what the account has and what a block takes.
 * Some chains ask nothing for gas.
 */
export function affordableGas(
  balanceWei: bigint,
  maxFeeWei: bigint,
  blockGasLimit: bigint,
): bigint {
  const gasMax = itemsGasMax(blockGasLimit);
  if (maxFeeWei === 0n) return gasMax;
  const affordable = itemsGasMax((balanceWei / maxFeeWei) * 2n);
  return affordable < gasMax ? affordable : gasMax;
}

function pickExecutor(state: ChainState, maxFeeWei: bigint): Account | undefined {
  const { inFlightMax } = state.deps.config.relay;
  const load = (account: Account) => pendingSends(account).length + account.preparing;
  const free = [...state.accounts.values()].filter(
    (account) =>
      account.lease.role === 'executor' &&
      account.nextNonce !== undefined &&
      account.doubt === undefined &&
      load(account) < inFlightMax &&
      spendableWei(account) >= worthwhileGas * maxFeeWei,
  );
  return free.toSorted((a, b) => load(a) - load(b))[0];
}

/**
 * From a claim to a broadcast batch. Whatever goes wrong, the claim is given back and nothing is
 * settled.
 */
async function prepareBatch(
  state: ChainState,
  account: Account,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<void> {
  try {
    const batch = await keepBudgeted(state, token, await splitOff(state, token, operations));
    const delegations = await findDelegations(state, batch);
    const sender = { ...(await simulatedSender(state, account)), delegations };
    const verdicts = (await simulateOperations(state.rpc, sender, batch)).map((verdict) =>
      ripen(state, verdict),
    );
    await handleUnknown(
      state,
      token,
      verdicts.filter((verdict): verdict is Unknown => verdict.kind === 'unknown'),
    );
    await handleRefused(
      state,
      token,
      verdicts.filter(
        (verdict): verdict is Refused => verdict.kind === 'refused' || verdict.kind === 'reverts',
      ),
    );
    await sendBatch(
      state,
      account,
      token,
      verdicts.filter((verdict): verdict is Runs => verdict.kind === 'runs'),
      delegations,
    );
  } catch (error) {
    state.log.warn(
      { err: error, operations: operations.length },
      'batch not prepared; its operations go back to the queue',
    );
    // Those that were stored meanwhile do not carry the claim any more and stay where they are.
    await releaseOperations(state.deps.store, {
      token,
      operationIds: operations.map((operation) => operation.operationId),
      pauseMs: relayLimits.unknownPauseMs,
      unknown: false,
    }).catch(() => undefined);
  }
}

/**
 * What a contract sees in a simulation is what it will see in earnest, as far as the account can
 * pay it.
 */
async function simulatedSender(
  state: ChainState,
  account: Account,
): Promise<Omit<SimulatedSender, 'delegations'>> {
  return {
    from: account.lease.address,
    fees: await marketFees(state),
    balanceWei: account.balanceWei ?? 0n,
  };
}

/**
 * An idle chain simulates at the time of its last block. What became valid since is sent without a
 * simulation: the block that takes it will be later.
 */
function ripen(state: ChainState, verdict: Verdict): Verdict {
  if (verdict.kind !== 'refused' || refusalKind(verdict.returnData) !== 'not-yet-valid')
    return verdict;
  const isRipe = validAfterMs(verdict.returnData) <= state.deps.clock.now().getTime();
  return isRipe
    ? { operation: verdict.operation, kind: 'runs', gasUsed: verdict.operation.gasLimit }
    : verdict;
}
