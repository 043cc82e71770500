import { addresses } from '../../../../../contracts/index.ts';
import { type Hex, hexOf } from '../../abi/words.ts';
import { type RpcClient, RpcError, RpcTransportError, revertDataOf } from '../../rpc/rpc.ts';
import { delegatedAccounts } from '../../wallet/delegation.ts';
import { hexSchema } from '../rpc-schemas.ts';
import { relayLimits } from '../spending/limits.ts';
import type { Fees } from '../types.ts';
import { batchGas, decodeBatchResult, encodeBatch, type ItemResult } from './batch.ts';
import type { Delegations } from './delegations.ts';
import type { QueuedOperation } from './queue.ts';

/** What the simulation said of one operation; `unknown`: nothing, and nothing may be concluded. */
export type Verdict =
  | { readonly operation: QueuedOperation; readonly kind: 'runs'; readonly gasUsed: bigint }
  | {
      readonly operation: QueuedOperation;
      readonly kind: 'reverts' | 'refused';
      readonly returnData: Hex;
    }
  | { readonly operation: QueuedOperation; readonly kind: 'unknown'; readonly cause: unknown };

/**
 * Who sends the batch, and what it pays: a contract may behave otherwise where gas costs nothing.
 */
export interface SimulatedSender {
  readonly from: Hex;
  readonly fees: Fees;
  readonly balanceWei: bigint;
  /** Accounts that run our code only once the batch has brought their delegations. */
  readonly delegations: Delegations;
}

type Whole =
  | { readonly results: readonly ItemResult[] }
  | { readonly failure: unknown; readonly deterministic: boolean };

/**
 * Simulates operations as one batch with one `eth_call`. When the node fails the whole call it is
 * bisected, so that an operation that breaks it is found; a lost connection says nothing and is not
 * bisected.
 */
export async function simulateOperations(
  rpc: RpcClient,
  sender: SimulatedSender,
  operations: readonly QueuedOperation[],
): Promise<Verdict[]> {
  const together = operations.filter(
    (operation) => operation.unknowns < relayLimits.unknownsBeforeAlone,
  );
  const alone = operations.filter(
    (operation) => operation.unknowns >= relayLimits.unknownsBeforeAlone,
  );
  const groups = [
    ...(together.length > 0 ? [together] : []),
    ...alone.map((operation) => [operation]),
  ];
  const verdicts: Verdict[] = [];
  for (const group of groups) verdicts.push(...(await simulateGroup(rpc, sender, group, 'latest')));
  return askNextBlock(rpc, sender, verdicts);
}

/**
 * A chain that makes blocks on demand still has the time of its last one, and what is allowed by
 * now would be refused for ever: nothing counts as failed before the block to come has refused it
 * too.
 */
async function askNextBlock(
  rpc: RpcClient,
  sender: SimulatedSender,
  verdicts: readonly Verdict[],
): Promise<Verdict[]> {
  const failed = verdicts
    .filter(({ kind }) => kind === 'refused' || kind === 'reverts')
    .map(({ operation }) => operation);
  if (failed.length === 0) return [...verdicts];
  const later = await simulateGroup(rpc, sender, failed, 'pending');
  const running = new Map(
    later.filter(({ kind }) => kind === 'runs').map((verdict) => [verdict.operation, verdict]),
  );
  return verdicts.map((verdict) => running.get(verdict.operation) ?? verdict);
}

type Block = 'latest' | 'pending';

async function simulateGroup(
  rpc: RpcClient,
  sender: SimulatedSender,
  operations: readonly QueuedOperation[],
  block: Block,
): Promise<Verdict[]> {
  const whole = await callBatch(rpc, sender, operations, block);
  if ('results' in whole)
    return operations.map((operation, index) => readVerdict(operation, whole.results[index]!));
  if (operations.length === 1) return [readSingleFailure(operations[0]!, whole)];
  if (whole.failure instanceof RpcTransportError)
    return operations.map((operation) => ({ operation, kind: 'unknown', cause: whole.failure }));
  const middle = Math.ceil(operations.length / 2);
  const first = await simulateGroup(rpc, sender, operations.slice(0, middle), block);
  // A node that fails the halves one after the other without a revert is ill, and asking for every
  // item would not cure it.
  if (!whole.deterministic && first.every((verdict) => verdict.kind === 'unknown')) {
    const rest = operations
      .slice(middle)
      .map((operation): Verdict => ({ operation, kind: 'unknown', cause: whole.failure }));
    return [...first, ...rest];
  }
  return [...first, ...(await simulateGroup(rpc, sender, operations.slice(middle), block))];
}

/** Nodes refuse a price that the sender cannot pay; such a batch would not be taken either. */
function priceOf({ fees, balanceWei }: SimulatedSender, gas: bigint): Record<string, Hex> {
  if (fees.maxFeeWei === 0n || gas * fees.maxFeeWei > balanceWei) return {};
  if (fees.legacy) return { gasPrice: hexOfQuantity(fees.maxFeeWei) };
  return {
    maxFeePerGas: hexOfQuantity(fees.maxFeeWei),
    maxPriorityFeePerGas: hexOfQuantity(fees.tipWei),
  };
}

async function callBatch(
  rpc: RpcClient,
  sender: SimulatedSender,
  operations: readonly QueuedOperation[],
  block: Block,
): Promise<Whole> {
  const gas = gasOfOperations(operations);
  const call = {
    from: sender.from,
    to: addresses.batchExecutor,
    data: hexOf(encodeBatch(operations.map((operation) => operation.item))),
    gas: hexOfQuantity(gas),
    ...priceOf(sender, gas),
  };
  let data: Hex;
  try {
    const wallets = operations
      .map(({ wallet }) => wallet)
      .filter((wallet) => sender.delegations.has(wallet));
    const overrides = wallets.length > 0 ? [delegatedAccounts(wallets)] : [];
    data = hexSchema.parse(await rpc.request('eth_call', [call, block, ...overrides]));
  } catch (failure) {
    return { failure, deterministic: isExecutionError(failure) };
  }
  try {
    const results = decodeBatchResult(data);
    if (results.length === operations.length) return { results };
    return {
      failure: new Error('The batch contract answered for another number of items.'),
      deterministic: false,
    };
  } catch (cause) {
    const sentence =
      data === '0x'
        ? `No batch contract stands at ${addresses.batchExecutor} on this chain: deploy the contracts.`
        : 'The batch contract answered something unreadable.';
    return { failure: new Error(sentence, { cause }), deterministic: false };
  }
}

/** Gas limit of a batch of these operations. */
export function gasOfOperations(operations: readonly QueuedOperation[]): bigint {
  let gas = 0n;
  let capMax = 0n;
  for (const operation of operations) {
    gas += operation.batchGas;
    if (operation.gasLimit > capMax) capMax = operation.gasLimit;
  }
  return batchGas(gas, capMax);
}

function readVerdict(operation: QueuedOperation, result: ItemResult): Verdict {
  if (!result.executed) return { operation, kind: 'refused', returnData: result.returnData };
  if (!result.success) return { operation, kind: 'reverts', returnData: result.returnData };
  return { operation, kind: 'runs', gasUsed: result.gasUsed };
}

/** Only a revert that the node vouches for counts against an operation. */
function readSingleFailure(
  operation: QueuedOperation,
  whole: Extract<Whole, { failure: unknown }>,
): Verdict {
  if (
    !whole.deterministic ||
    !(whole.failure instanceof RpcError) ||
    isIntrinsicGasError(whole.failure)
  )
    return { operation, kind: 'unknown', cause: whole.failure };
  return { operation, kind: 'refused', returnData: revertDataOf(whole.failure) ?? '0x' };
}

function isExecutionError(failure: unknown): boolean {
  if (!(failure instanceof RpcError)) return false;
  return (
    failure.code === 3 ||
    /execution reverted|\brevert(ed)?\b|out of gas|gas required exceeds|intrinsic gas/i.test(
      failure.message,
    )
  );
}

/**
 * The gas limit does not even pay for the calldata. That limit is ours: the operation was not run,
 * and its wallet refused nothing.
 */
function isIntrinsicGasError({ message }: RpcError): boolean {
  return /intrinsic gas|floor data gas|gas floor|call gas cost/i.test(message);
}

function hexOfQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
