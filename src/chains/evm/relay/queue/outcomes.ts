import { decodeAbiParameters, toEventSelector } from 'viem/utils';
import { addresses, walletModuleAbi } from '../../../../../contracts/index.ts';
import type { OperationOutcome } from '../../../family.ts';
import { type Hex, wordOf } from '../../abi/words.ts';
import { type EvmNetwork, explorerLinkOf } from '../../config/networks.ts';
import { type Log, logSchema, type Receipt } from '../rpc-schemas.ts';
import type { SentOperation } from '../sending/sent.ts';
import type { EndedOperation } from './queue.ts';
import { revertedError } from './reasons.ts';

const executedEvent = walletModuleAbi.find(
  (entry) => entry.type === 'event' && entry.name === 'OperationExecuted',
);
if (executedEvent?.type !== 'event')
  throw new Error('WalletModule has no event OperationExecuted.');

export const executedTopic = toEventSelector(executedEvent).toLowerCase() as Hex;
const trueWord = `0x${wordOf(1)}`;
const moduleAddress = addresses.walletModule.toLowerCase();

/** An operation that the module executed, as its log says. */
export interface Executed {
  readonly operationHash: Hex;
  readonly success: boolean;
  /** Revert data of a failed call. */
  readonly reason: Hex;
}

/** Reads the module's log of an executed operation; undefined for any other log. */
export function readExecuted(log: Pick<Log, 'address' | 'topics' | 'data'>): Executed | undefined {
  if (log.address !== moduleAddress || log.topics[0] !== executedTopic || log.topics.length !== 3)
    return undefined;
  const operationHash = log.topics[2]!;
  // The common case without a decoder: the word for true, and a success has no reason.
  if (log.data.startsWith(trueWord)) return { operationHash, success: true, reason: '0x' };
  const [success, reason] = decodeAbiParameters([{ type: 'bool' }, { type: 'bytes' }], log.data);
  return { operationHash, success, reason };
}

export interface ReceiptReading {
  readonly receipt: Receipt;
  readonly executed: ReadonlyMap<Hex, Executed>;
}

export function readReceipt(receipt: Receipt): ReceiptReading {
  const executed = new Map<Hex, Executed>();
  for (const log of receipt.logs) {
    if (!isFromModule(log)) continue;
    const operation = readExecuted(logSchema.parse(log));
    if (operation) executed.set(operation.operationHash, operation);
  }
  return { receipt, executed };
}

function isFromModule(log: unknown): boolean {
  const { address } = log as { address?: unknown };
  return typeof address === 'string' && address.toLowerCase() === moduleAddress;
}

/** The whole cost of a transaction in wei. */
export function costOf(receipt: Receipt): bigint {
  return receipt.gasUsed * (receipt.effectiveGasPrice ?? 0n) + (receipt.l1Fee ?? 0n);
}

/**
 * Splits `total` by weights, in whole units and without a rest: what rounding leaves goes to the
 * last.
 */
export function splitByWeight(total: bigint, weights: readonly bigint[]): bigint[] {
  let restWeight = weights.reduce((sum, weight) => sum + weight, 0n);
  let rest = total;
  return weights.map((weight) => {
    const share = restWeight === 0n ? 0n : (rest * weight) / restWeight;
    rest -= share;
    restWeight -= weight;
    return share;
  });
}

/**
 * Outcomes of operations that a receipt shows as executed; each bears its share of the
 * transaction's fee.
 */
export function outcomesOf(
  { receipt, executed }: ReceiptReading,
  shares: readonly {
    readonly operation: SentOperation;
    readonly gas: bigint;
    readonly wei: bigint;
  }[],
  context: { readonly network: EvmNetwork; readonly at: Date },
): OperationOutcome[] {
  const link = explorerLinkOf(context.network, receipt.transactionHash);
  return shares.map(({ operation, gas, wei }): OperationOutcome => {
    const { success, reason } = executed.get(operation.operationHash)!;
    const actual = {
      gasUsed: gas.toString(),
      effectiveGasPrice: (receipt.effectiveGasPrice ?? 0n).toString(),
      wei: wei.toString(),
    };
    const common = {
      operationId: operation.operationId,
      subject: operation.subject,
      onChain: { txId: receipt.transactionHash, explorerLink: link },
      fees: { actual },
      executed: true as const,
      costMinor: wei,
      at: context.at,
    };
    return success
      ? { ...common, status: 'success' }
      : { ...common, status: 'failed', error: revertedError(reason, link) };
  });
}

/** What the queue remembers of outcomes. */
export function endedOf(outcomes: readonly OperationOutcome[]): EndedOperation[] {
  return outcomes.map((outcome) => ({
    operationId: outcome.operationId,
    status: outcome.status,
    txHash: typeof outcome.onChain.txId === 'string' ? (outcome.onChain.txId as Hex) : null,
  }));
}

/** True when the operation was told to have ended in another way or transaction. */
export function isNews(operation: SentOperation, outcome: OperationOutcome): boolean {
  return (
    operation.status !== 'settled' ||
    operation.toldStatus !== outcome.status ||
    operation.toldTx !== outcome.onChain.txId
  );
}
