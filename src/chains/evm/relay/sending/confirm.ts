import type { Tx } from '../../../../store/types.ts';
import type { OperationOutcome } from '../../../family.ts';
import type { Hex } from '../../abi/words.ts';
import { endTopUp } from '../../account/top-ups.ts';
import type { RpcCall } from '../../rpc/rpc.ts';
import {
  costOf,
  endedOf,
  isNews,
  outcomesOf,
  type ReceiptReading,
  readReceipt,
} from '../queue/outcomes.ts';
import { endExecuted, requeueOperations } from '../queue/queue.ts';
import { type Share, sharesOf } from '../queue/shares.ts';
import { type Receipt, receiptSchema } from '../rpc-schemas.ts';
import { chargeGas, type GasCharge } from '../spending/budgets.ts';
import { relayLimits } from '../spending/limits.ts';
import { recordSpending } from '../spending/spending.ts';
import { type Account, type ChainState, killPoint, nowMs, type OpenSend } from '../state.ts';
import { recordCallEnd } from '../treasury/treasury-calls.ts';
import { publishChainAlarm } from '../trust/chain-alarms.ts';
import { readChainBytes, storeBytes } from '../trust/chain-bytes.ts';
import { doubtOf, isIntact } from '../trust/receipts.ts';
import { readPayment } from './payments.ts';
import { type Attempt, markIncluded } from './sends.ts';
import { noteRefusals, readSentOperations, type SentOperation } from './sent.ts';

/** A send and the receipt of the attempt that landed. */
export interface Landed {
  readonly send: OpenSend;
  readonly attempt: Attempt;
  readonly receipt: Receipt;
}

/** A node's receipt of an attempt, or that what it says cannot be. */
type ReceiptAnswer = Receipt | 'doubted';

/**
 * Receipts by transaction hash; a hash without one is absent. One that cannot be raises an alarm
 * for as long as the node tells it.
 * @throws RpcTransportError, RpcError
 */
export async function readReceipts(
  state: ChainState,
  attempts: readonly Attempt[],
): Promise<Map<Hex, ReceiptAnswer>> {
  const receipts = new Map<Hex, ReceiptAnswer>();
  if (attempts.length === 0) return receipts;
  const answers = await state.rpc.batch(
    attempts.map(({ hash }): RpcCall => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  for (const [index, attempt] of attempts.entries()) {
    const answer = answers[index]!;
    if (!answer.ok) throw answer.error;
    if (answer.value === null) continue;
    const receipt = receiptSchema.parse(answer.value);
    let doubt = doubtOf(attempt, receipt, state.network);
    if (doubt !== undefined && (await healBytes(state, attempt)))
      doubt = doubtOf(attempt, receipt, state.network);
    receipts.set(attempt.hash, doubt === undefined ? receipt : 'doubted');
    if (doubt !== undefined)
      await publishChainAlarm(state, 'receipt', alarmOf(state, attempt, doubt));
  }
  return receipts;
}

/** Bytes that somebody changed where they are stored are those again that the chain has. */
async function healBytes(state: ChainState, attempt: Attempt): Promise<boolean> {
  const raw = isIntact(attempt) ? undefined : await readChainBytes(state, attempt.hash);
  if (!raw) return false;
  attempt.raw = raw;
  await storeBytes(state.deps.store, { hash: attempt.hash, raw });
  state.log.error(
    { alarm: 'attempt-changed', hash: attempt.hash },
    'the bytes of a transaction were changed where they are stored, and are those of the chain again: look at who writes the database',
  );
  return true;
}

function alarmOf({ network }: ChainState, { hash }: Attempt, doubt: string): string {
  return `The receipt of ${hash} on "${network.name}" is not believed: ${doubt}. What is in that transaction waits until the node tells otherwise: look at the node, or at who writes the database.`;
}

/**
 * Which of these sends have landed, by whichever attempt; those of which nothing is known for now,
 * because what the node says cannot be, stand apart.
 */
export async function findLanded(
  state: ChainState,
  sends: readonly OpenSend[],
): Promise<{ readonly landed: readonly Landed[]; readonly doubted: ReadonlySet<OpenSend> }> {
  const some = sends.slice(0, relayLimits.receiptsPerPulseMax);
  const receipts = await readReceipts(
    state,
    some.flatMap(({ attempts }) => attempts),
  );
  const isDoubted = ({ attempts }: OpenSend) =>
    attempts.some(({ hash }) => receipts.get(hash) === 'doubted');
  const believed = some.filter((send) => !isDoubted(send));
  return { landed: landedOf(believed, receipts), doubted: new Set(some.filter(isDoubted)) };
}

function landedOf(sends: readonly OpenSend[], receipts: ReadonlyMap<Hex, ReceiptAnswer>): Landed[] {
  return sends.flatMap((send) => {
    // After a reorganisation a node may still know receipts of two attempts: the newer block
    // counts.
    const landed = send.attempts.flatMap((attempt) => {
      const receipt = receipts.get(attempt.hash);
      return receipt && receipt !== 'doubted' ? [{ send, attempt, receipt }] : [];
    });
    return landed
      .toSorted((a, b) => Number(b.receipt.blockNumber - a.receipt.blockNumber))
      .slice(0, 1);
  });
}

/**
 * Records that sends landed and how their operations ended, in one transaction with what the areas
 * make of it. Safe to repeat: only what is news is told. When that fails for several, each is tried
 * alone, so that one does not hold up all.
 */
export async function confirmLanded(
  state: ChainState,
  account: Account,
  landed: readonly Landed[],
): Promise<void> {
  if (landed.length === 0) return;
  try {
    await confirmTogether(state, account, landed);
  } catch (error) {
    if (landed.length === 1) throw error;
    state.log.warn(
      { err: error, transactions: landed.length },
      'landed transactions not recorded together; trying each alone',
    );
    const results = await Promise.allSettled(
      landed.map((one) => confirmTogether(state, account, [one])),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

async function confirmTogether(
  state: ChainState,
  account: Account,
  landed: readonly Landed[],
): Promise<void> {
  killPoint(state, 'after-inclusion');
  const readings = landed.map((one) => ({ ...one, reading: readReceipt(one.receipt) }));
  const operations = await readSentOperations(
    state.deps.store,
    state.chain,
    landed.map((one) => one.send.id),
    readings.flatMap((one) => [...one.reading.executed.keys()]),
  );
  const landedShares = readings.map((one) => ({ ...one, shares: sharesOfLanded(one, operations) }));
  const outcomes = landedShares.flatMap((one) => newsOf(state, one));
  await state.deps.store.transaction(async (tx) => {
    const changed = await markIncluded(
      tx,
      landed.map(({ send, receipt }) => ({ id: send.id, mined: minedOf(receipt) })),
    );
    const news = landedShares.filter((one) => changed.has(one.send.id));
    await requeueUnexecuted(tx, news);
    const given = await endCalls(state, tx, account, landed);
    await publishOutcomes(state, tx, outcomes);
    await recordCosts(state, tx, { news, given });
    killPoint(state, 'before-confirmation');
  });
  for (const one of landed) applyLanded(state, account, one);
  // Slots are free again, and maybe operations are back in the queue.
  state.work.wake();
  state.change.wake();
}

type LandedShares = Landed & {
  readonly reading: ReceiptReading;
  readonly shares: readonly Share[];
};

function sharesOfLanded(
  { send, attempt, reading }: Landed & { reading: ReceiptReading },
  operations: readonly SentOperation[],
): Share[] {
  const isIn = ({ sendId, operationHash }: SentOperation) =>
    reading.executed.has(operationHash) || (!attempt.filler && sendId === send.id);
  return sharesOf(reading, operations.filter(isIn));
}

function newsOf(state: ChainState, { reading, shares }: LandedShares): OperationOutcome[] {
  const executed = shares.filter(({ operation }) => reading.executed.has(operation.operationHash));
  const outcomes = outcomesOf(reading, executed, {
    network: state.network,
    at: state.deps.clock.now(),
  });
  return outcomes.filter((outcome, index) => isNews(executed[index]!.operation, outcome));
}

/**
 * Operations of landed sends that did not run: a no-op took the nonce, the batch ran out of gas, or
 * the item was refused.
 */
async function requeueUnexecuted(tx: Tx, landed: readonly LandedShares[]): Promise<void> {
  for (const { send, attempt, reading, shares } of landed) {
    if (send.kind !== 'batch') continue;
    const refused = shares.filter((share) => share.refused !== undefined);
    await noteRefusals(
      tx,
      refused.map(({ operation, wei, refused: how }) => ({
        operationId: operation.operationId,
        times: how === 'burner' ? relayLimits.itemRefusalsMax : 1,
        wei,
      })),
    );
    if (
      attempt.filler ||
      shares.some(({ operation }) => !reading.executed.has(operation.operationHash))
    )
      await requeueOperations(tx, {
        sendId: send.id,
        txHash: attempt.filler ? null : attempt.hash,
        executed: [...reading.executed.keys()],
      });
  }
}

/** Ends calls of the treasury and top-ups of accounts. @returns who pays for the latter */
async function endCalls(
  { chain }: ChainState,
  tx: Tx,
  { lease }: Account,
  landed: readonly Landed[],
): Promise<GasCharge[]> {
  const charges: GasCharge[] = [];
  for (const { send, attempt, receipt } of landed) {
    if (send.kind !== 'call') continue;
    const succeeded = receipt.status !== 0n;
    const payment = lease.role === 'executor' ? readPayment(lease.address, attempt.raw) : undefined;
    if (payment) {
      const ended = await endTopUp(tx, { sendId: send.id, chain, payment, succeeded });
      if (ended) charges.push({ ...ended, wei: costOf(receipt) });
    } else if (!attempt.filler) await recordCallEnd(tx, send.id, receipt);
  }
  return charges;
}

/**
 * Last in its transaction: all who confirm something of a chain or a project add to the same rows.
 */
async function recordCosts(
  { chain }: ChainState,
  tx: Tx,
  input: { readonly news: readonly LandedShares[]; readonly given: readonly GasCharge[] },
): Promise<void> {
  const { news, given } = input;
  await recordSpending(
    tx,
    chain,
    news.reduce((sum, { receipt }) => sum + costOf(receipt), 0n),
  );
  await chargeGas(tx, chain, [
    ...given,
    ...news.flatMap(({ shares }) =>
      shares.map(({ operation, wei }) => ({
        projectId: operation.projectId,
        owner: operation.owner,
        wei,
      })),
    ),
  ]);
}

/** Tells outcomes to the areas: those that are still news inside the transaction. */
export async function publishOutcomes(
  state: ChainState,
  tx: Tx,
  outcomes: readonly OperationOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const news = await endExecuted(tx, endedOf(outcomes));
  const told = outcomes.filter((outcome) => news.has(outcome.operationId));
  if (told.length > 0) await state.deps.settle(tx, told);
}

function minedOf(receipt: Receipt): { hash: Hex; block: bigint; blockHash: Hex } {
  return {
    hash: receipt.transactionHash,
    block: receipt.blockNumber,
    blockHash: receipt.blockHash,
  };
}

function applyLanded(
  state: ChainState,
  account: Account,
  { send, attempt, receipt }: Landed,
): void {
  const wasPending = send.status === 'pending';
  send.status = 'included';
  send.mined = minedOf(receipt);
  send.includedAtMs = nowMs();
  send.missing = undefined;
  if (send.nonce >= account.usedNonce) account.usedNonce = send.nonce + 1n;
  if (wasPending && account.balanceWei !== undefined) account.balanceWei -= costOf(receipt);
  // A top-up has changed another balance than its sender's.
  if (send.kind === 'call')
    for (const one of state.accounts.values()) one.balanceAtMs = Number.NEGATIVE_INFINITY;
  const reverted = receipt.status === 0n;
  if (reverted && send.kind === 'batch' && !attempt.filler) state.estimates = true;
  state.log.debug(
    {
      account: account.lease.address,
      nonce: send.nonce.toString(),
      hash: receipt.transactionHash,
      block: receipt.blockNumber.toString(),
      reverted,
      filler: attempt.filler,
    },
    'relay transaction landed',
  );
}
