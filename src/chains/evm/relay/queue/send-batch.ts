import { addresses } from '../../../../../contracts/index.ts';
import { type Hex, hexOf } from '../../abi/words.ts';
import { RpcError } from '../../rpc/rpc.ts';
import { delegationGas, delegationJson, type SignedDelegation } from '../../wallet/delegation.ts';
import { quantitySchema } from '../rpc-schemas.ts';
import { storeBatch } from '../sending/sends.ts';
import { type Account, type ChainState } from '../state.ts';
import { batchGasMax, encodeBatch } from './batch.ts';
import { type Delegations, delegationsOf } from './delegations.ts';
import { type QueuedOperation, releaseOperations } from './queue.ts';
import { gasOfOperations, type Verdict } from './simulate.ts';
import { sendTx } from './writer.ts';

/** Sends operations that run as one transaction. */

export type Runs = Extract<Verdict, { kind: 'runs' }>;

export async function sendBatch(
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
