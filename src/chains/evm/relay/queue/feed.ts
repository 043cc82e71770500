import { setTimeout as delay } from 'node:timers/promises';
import { addresses } from '../../../../../contracts/index.ts';
import type { OperationOutcome } from '../../../family.ts';
import { type Hex, hexOf } from '../../abi/words.ts';
import { explorerLinkOf } from '../../config/networks.ts';
import { RpcError } from '../../rpc/rpc.ts';
import {
  delegationBytesMax,
  delegationGas,
  delegationJson,
  type SignedDelegation,
} from '../../wallet/delegation.ts';
import { quantitySchema } from '../rpc-schemas.ts';
import { publishOutcomes } from '../sending/confirm.ts';
import { findExecuted } from '../sending/search.ts';
import { storeBatch } from '../sending/sends.ts';
import { sortByGasBudget } from '../spending/budgets.ts';
import { relayLimits, worthwhileGas } from '../spending/limits.ts';
import {
  type Account,
  type ChainState,
  nowMs,
  pendingSends,
  raiseAlarm,
  spendableWei,
} from '../state.ts';
import { batchGasMax, encodeBatch, itemsGasMax } from './batch.ts';
import { type Delegations, delegationsOf, findDelegations } from './delegations.ts';
import { endedOf } from './outcomes.ts';
import {
  claimOperations,
  endOperations,
  postponeRefused,
  type QueuedOperation,
  releaseOperations,
  reviveHeld,
} from './queue.ts';
import { gaveUpError, readRevert, refusalKind, refusedError, revertedError } from './reasons.ts';
import {
  gasOfOperations,
  type SimulatedSender,
  simulateOperations,
  type Verdict,
} from './simulate.ts';
import { marketFees, payableFees, sendTx } from './writer.ts';

/** Takes operations from the queue, simulates them as one batch, and sends what runs. */

type Refused = Extract<Verdict, { returnData: Hex }>;
type Unknown = Extract<Verdict, { kind: 'unknown' }>;
type Runs = Extract<Verdict, { kind: 'runs' }>;

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

function validAfterMs(returnData: Hex): number {
  return Number(readRevert(returnData).args[0] ?? 0) * 1000;
}

/**
 * Operations that do not suit a common batch: too big for any, given up, or landed without running
 * before and tried alone.
 */
async function splitOff(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<readonly QueuedOperation[]> {
  const isTooBig = (operation: QueuedOperation) =>
    operation.batchGas > itemsGasMax(state.head!.gasLimit) ||
    operation.item.length > relayLimits.batchBytesMax;
  const tooBig = operations.filter(isTooBig);
  const spent = operations.filter((operation) => isSpent(operation) && !tooBig.includes(operation));
  const rest = operations.filter(
    (operation) => !tooBig.includes(operation) && !spent.includes(operation),
  );
  await failOperations(
    state,
    token,
    tooBig.map((operation) =>
      failure(state, operation, {
        reason: 'build_failed',
        message: `The operation needs ${operation.batchGas} gas and ${operation.item.length} bytes, more than one transaction may have on this chain.`,
      }),
    ),
  );
  await failUnlessExecuted(state, token, spent, (operation) =>
    failure(state, operation, gaveUpError(operation)),
  );
  const fitting = await keepWithinBytes(state, token, rest);
  const suspect = fitting.find((operation) => operation.tries >= 2);
  if (!suspect) return fitting;
  await releaseOperations(state.deps.store, {
    token,
    operationIds: fitting
      .filter((operation) => operation !== suspect)
      .map((operation) => operation.operationId),
    pauseMs: 0,
    unknown: false,
  });
  return [suspect];
}

/** Whether it was tried as often as it may be. */
function isSpent({ tries, itemRefusals }: QueuedOperation): boolean {
  return tries >= relayLimits.triesMax || itemRefusals >= relayLimits.itemRefusalsMax;
}

/**
 * Ends what is above a budget, and lets wait what the rest of one is too small for at the moment.
 */
async function keepBudgeted(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<readonly QueuedOperation[]> {
  const { within, waiting, over } = await sortByGasBudget(state, token, operations);
  await releaseOperations(state.deps.store, {
    token,
    operationIds: waiting.map(({ operationId }) => operationId),
    // Two that see each other's claim do not meet again at once.
    pauseMs: relayLimits.budgetPauseMs * (0.5 + Math.random()),
    unknown: false,
  });
  await failUnlessExecuted(state, token, [...over.keys()], (operation) =>
    failure(state, operation, { reason: 'failed_to_land_on_chain', message: over.get(operation)! }),
  );
  return within;
}

/** Nodes take transactions up to a size; what is beyond it goes back for the next batch. */
async function keepWithinBytes(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<readonly QueuedOperation[]> {
  let byteCount = 0;
  const bytesOfOne = ({ item, delegation }: QueuedOperation) =>
    item.length + (delegation ? delegationBytesMax : 0);
  const kept = operations.filter(
    (operation) => (byteCount += bytesOfOne(operation)) <= relayLimits.batchBytesMax,
  );
  const rest = operations.filter((operation) => !kept.includes(operation));
  await releaseOperations(state.deps.store, {
    token,
    operationIds: rest.map((operation) => operation.operationId),
    pauseMs: 0,
    unknown: false,
  });
  return kept;
}

async function handleUnknown(
  state: ChainState,
  token: string,
  verdicts: readonly Unknown[],
): Promise<void> {
  if (verdicts.length === 0) return;
  const cause = verdicts[0]!.cause;
  raiseAlarm(
    state,
    'simulation',
    { err: cause, operations: verdicts.length },
    'operations could not be simulated; they wait',
    relayLimits.alarmRepeatMs,
  );
  const unknowns = Math.max(...verdicts.map(({ operation }) => operation.unknowns));
  const pauseMs = Math.min(
    relayLimits.unknownPauseMaxMs,
    relayLimits.unknownPauseMs * 2 ** Math.min(unknowns, 10),
  );
  await releaseOperations(state.deps.store, {
    token,
    operationIds: verdicts.map(({ operation }) => operation.operationId),
    pauseMs,
    unknown: true,
  });
}

/**
 * A refusal counts once it is repeated: the node that gave it may have been behind. Then it is
 * told, unless the operation ran.
 */
async function handleRefused(
  state: ChainState,
  token: string,
  verdicts: readonly Refused[],
): Promise<void> {
  if (verdicts.length === 0) return;
  const early = verdicts.filter(
    (verdict) => verdict.kind === 'refused' && refusalKind(verdict.returnData) === 'not-yet-valid',
  );
  for (const { operation, returnData } of early) {
    await postponeRefused(state.deps.store, {
      token,
      operationIds: [operation.operationId],
      pauseMs: pauseUntilValid(state, returnData),
      counted: false,
    });
  }
  const due = verdicts.filter((verdict) => !early.includes(verdict));
  const first = due.filter(({ operation }) => operation.refusals + 1 < relayLimits.refusalsMax);
  await postponeRefused(state.deps.store, {
    token,
    operationIds: first.map(({ operation }) => operation.operationId),
    pauseMs: relayLimits.refusalPauseMs,
    counted: true,
  });
  const errors = new Map(
    due
      .filter((verdict) => !first.includes(verdict))
      .map((verdict) => [
        verdict.operation,
        verdict.kind === 'reverts' ? revertedError(verdict.returnData) : refusedError(verdict),
      ]),
  );
  await failUnlessExecuted(state, token, [...errors.keys()], (operation) =>
    failure(state, operation, errors.get(operation)!),
  );
}

function pauseUntilValid(state: ChainState, returnData: Hex): number {
  const pauseMs = validAfterMs(returnData) - state.deps.clock.now().getTime();
  return Math.min(relayLimits.unknownPauseMaxMs, Math.max(relayLimits.refusalPauseMs, pauseMs));
}

/**
 * Tells operations as failed, except those that the chain shows as executed by somebody else or by
 * a transaction given up.
 */
async function failUnlessExecuted(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
  fail: (operation: QueuedOperation) => OperationOutcome,
): Promise<void> {
  if (operations.length === 0) return;
  const executed = await findExecuted(state, operations);
  if (executed.length > 0)
    await state.deps.store.transaction((tx) => publishOutcomes(state, tx, executed));
  const found = new Set(executed.map((outcome) => outcome.operationId));
  await failOperations(
    state,
    token,
    operations.filter((operation) => !found.has(operation.operationId)).map(fail),
  );
}

async function failOperations(
  state: ChainState,
  token: string,
  outcomes: readonly OperationOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  await state.deps.store.transaction(async (tx) => {
    const ended = await endOperations(tx, endedOf(outcomes), token);
    const told = outcomes.filter((outcome) => ended.has(outcome.operationId));
    if (told.length > 0) await state.deps.settle(tx, told);
  });
}

function failure(
  state: ChainState,
  operation: QueuedOperation,
  error: Extract<OperationOutcome, { status: 'failed' }>['error'],
): OperationOutcome {
  const onChain =
    operation.lastTx === null
      ? {}
      : { txId: operation.lastTx, explorerLink: explorerLinkOf(state.network, operation.lastTx) };
  const { operationId, subject, burnedWei } = operation;
  const cost = burnedWei > 0n ? { costMinor: burnedWei } : {};
  return {
    operationId,
    subject,
    status: 'failed',
    onChain,
    error,
    ...cost,
    at: state.deps.clock.now(),
  };
}

async function sendBatch(
  state: ChainState,
  account: Account,
  token: string,
  verdicts: readonly Runs[],
  known: Delegations,
): Promise<void> {
  if (verdicts.length === 0) return;
  const operations = verdicts.map((verdict) => verdict.operation);
  const operationIds = operations.map((operation) => operation.operationId);
  const data = encodeBatch(operations.map((operation) => operation.item));
  const gasMax = batchGasMax(state.head!.gasLimit);
  const delegations = delegationsOf(known, operations);
  const gasNeeded = await batchGasLimit(state, account, operations, { data, delegations });
  if (gasNeeded > gasMax && verdicts.length > 1)
    return sendHalf(state, account, token, verdicts, known);
  const gasLimit = gasNeeded < gasMax ? gasNeeded : gasMax;
  const sent = await sendTx(state, account, {
    kind: 'batch',
    to: addresses.batchExecutor.toLowerCase() as Hex,
    valueWei: 0n,
    data,
    gasLimit,
    delegations,
    store: (stored) =>
      storeBatch(state.deps.store, {
        ...stored,
        lease: account.lease,
        token,
        operationIds,
        gasWeights: verdicts.map(
          ({ gasUsed, operation }) => gasUsed + (known.has(operation.wallet) ? delegationGas : 0n),
        ),
      }),
  });
  if (!sent)
    await releaseOperations(state.deps.store, { token, operationIds, pauseMs: 0, unknown: false });
}

/**
 * More together than a transaction may have, as this chain counts gas: the rest goes with the next
 * one.
 */
async function sendHalf(
  state: ChainState,
  account: Account,
  token: string,
  verdicts: readonly Runs[],
  known: Delegations,
): Promise<void> {
  const middle = Math.ceil(verdicts.length / 2);
  const rest = verdicts.slice(middle).map(({ operation }) => operation.operationId);
  await releaseOperations(state.deps.store, {
    token,
    operationIds: rest,
    pauseMs: 0,
    unknown: false,
  });
  return sendBatch(state, account, token, verdicts.slice(0, middle), known);
}

/**
 * The caps and what goes with them; where that did not suffice before, the node's estimate if it is
 * more.
 */
async function batchGasLimit(
  state: ChainState,
  account: Account,
  operations: readonly QueuedOperation[],
  {
    data,
    delegations,
  }: { readonly data: Buffer; readonly delegations: readonly SignedDelegation[] },
): Promise<bigint> {
  const computed = gasOfOperations(operations);
  if (!state.estimates && operations.every((operation) => operation.tries === 0)) return computed;
  const authorizationList = delegations.map(delegationJson);
  const common = { from: account.lease.address, to: addresses.batchExecutor, data: hexOf(data) };
  const call = authorizationList.length > 0 ? { ...common, authorizationList } : common;
  const answer = await state.rpc.request('eth_estimateGas', [call]).catch((error: unknown) => {
    if (error instanceof RpcError) return undefined;
    throw error;
  });
  // On top: what an estimate leaves out is the gas that caps keep free without using it.
  const estimated =
    answer === undefined ? (computed * 3n) / 2n : (quantitySchema.parse(answer) * 5n) / 4n;
  return estimated > computed ? estimated : computed;
}
