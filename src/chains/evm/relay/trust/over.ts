import { encodeFunctionData } from 'viem/utils';
import { z } from 'zod';
import { addresses, walletModuleAbi } from '../../../../../contracts/index.ts';
import { hexOf } from '../../abi/words.ts';
import { starOf } from '../../config/networks.ts';
import type { RpcClient } from '../../rpc/rpc.ts';
import {
  findOperations,
  readFinalHeight,
  readHead,
  readHeaders,
  readInput,
} from '../../watcher/index.ts';
import { type QueuedOperation, treasurySubject } from '../queue/queue.ts';
import type { ChainState } from '../state.ts';
import { publishChainAlarm } from './chain-alarms.ts';

const wordSchema = z.string().regex(/^0x0{63}[01]$/);

/**
 * Those of expired operations that may be told as failed. What leaves a treasury counts as over once
 * a final block is past its validity and its nonce was never used, by the word of the second node
 * where there is one: then it can never execute beside what takes its place.
 */
export async function keepOver(
  state: ChainState,
  expired: readonly QueuedOperation[],
): Promise<readonly QueuedOperation[]> {
  const transfers = expired.filter(({ subject }) => subject === treasurySubject);
  if (transfers.length === 0) return expired;
  const over = await findOver(state, transfers).catch((error: unknown) => {
    state.log.warn({ err: error }, 'whether transfers of treasuries are over could not be asked');
    return new Set<QueuedOperation>();
  });
  return expired.filter((operation) => !transfers.includes(operation) || over.has(operation));
}

async function findOver(
  state: ChainState,
  transfers: readonly QueuedOperation[],
): Promise<ReadonlySet<QueuedOperation>> {
  const second = await state.deps.secondRpc?.(state.chain);
  const rpc = second ?? state.rpc;
  const timeMs = await readFinalTime(rpc, state);
  const past = transfers.filter(({ validUntil }) => validUntil.getTime() < timeMs);
  const used = new Set<QueuedOperation>();
  for (const one of past) if (await isNonceUsed(rpc, state, one)) used.add(one);
  const [first] = used;
  if (first)
    await publishChainAlarm(
      state,
      'treasury',
      `A transfer of a treasury on "${state.network.name}" (${first.operationId}) has run, ${second ? 'the second node' : 'the node'} says, and the node shows nothing of it: it is not told as failed. Look at an explorer, then at EVM_RPC_URL_${starOf(state.network.name)}.`,
    );
  return new Set(past.filter((operation) => !used.has(operation)));
}

async function readFinalTime(rpc: RpcClient, { network }: ChainState): Promise<number> {
  const height = await readFinalHeight(rpc, network.finality, await readHead(rpc));
  const [header] = height < 0n ? [] : await readHeaders(rpc, [height]);
  return header ? Number(header.timestamp) * 1000 : 0;
}

/** No later block may run it, so the newest one has the last word. */
async function isNonceUsed(
  rpc: RpcClient,
  { chainId }: ChainState,
  { item, wallet, operationHash: hash }: QueuedOperation,
): Promise<boolean> {
  const query = { chainId: chainId!, wallet, operationHashes: new Set([hash]) };
  const operation = findOperations(readInput(hexOf(item)), query).get(hash);
  if (!operation) throw new Error(`operation ${hash} is not in its item`);
  const data = encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'isNonceUsed',
    args: [wallet, operation.nonce],
  });
  const call = { to: addresses.walletModule, data };
  return BigInt(wordSchema.parse(await rpc.request('eth_call', [call, 'latest']))) === 1n;
}
