import { encodeFunctionData } from 'viem/utils';
import { z } from 'zod';
import { addresses, walletModuleAbi } from '../../../../../contracts/index.ts';
import type { OperationOutcome } from '../../../family.ts';
import { hexOf } from '../../abi/words.ts';
import type { RpcClient } from '../../rpc/rpc.ts';
import {
  findOperations,
  readFinalHeight,
  readHead,
  readHeaders,
  readInput,
  toHex,
} from '../../watcher/index.ts';
import type { QueuedOperation } from '../queue/queue.ts';
import { findExecuted } from '../sending/search.ts';
import type { ChainState } from '../state.ts';

/**
 * How what leaves treasuries has ended. Something else is sent or paid back in its place once it is
 * told as failed, so that no log alone ends it: its nonce has to be used, or never to be, by the
 * word of the second node too, where there is one.
 */
export interface TransferEnds {
  /** Ran, in a block that stays. */
  readonly executed: readonly OperationOutcome[];
  /** A final block is past its validity and its nonce was never used: it never runs any more. */
  readonly over: readonly QueuedOperation[];
  /** Why nobody can tell of one that is past its validity. */
  readonly doubt?: string;
}

/** @throws RpcError, RpcTransportError where a node cannot be asked: nothing is told then */
export async function readTransferEnds(
  state: ChainState,
  transfers: readonly QueuedOperation[],
): Promise<TransferEnds> {
  if (transfers.length === 0) return { executed: [], over: [] };
  const second = await state.deps.secondRpc?.(state.chain);
  const words = await Promise.all(
    [state.rpc, ...(second ? [second] : [])].map((rpc) => askNode(state, rpc, transfers)),
  );
  const saysAll = (of: (word: Word) => boolean | undefined) => words.every((word) => of(word));
  const isPast = ({ validUntil }: QueuedOperation) =>
    saysAll(({ finalTimeMs }) => validUntil.getTime() < finalTimeMs);
  const ran = transfers.filter((one) => saysAll(({ used }) => used.get(one) === true));
  const executed = await findExecuted(state, ran, {
    upTo: words.reduce((low, { final }) => (final < low ? final : low), words[0]!.final),
  });
  const found = new Set(executed.map(({ operationId }) => operationId));
  const past = transfers.filter((one) => isPast(one) && saysAll(({ used }) => used.has(one)));
  const over = past.filter((one) => saysAll(({ used }) => used.get(one) === false));
  const first = past.find((one) => !over.includes(one) && !found.has(one.operationId));
  if (!first) return { executed, over };
  const saying = ran.includes(first)
    ? 'has run, by its nonce, and the node shows nothing of it'
    : 'has run as one of the two nodes says, and has not as the other says';
  const doubt = `A transfer of a treasury on "${state.network.name}" (${first.operationId}) ${saying}: it is not told as failed. Look at an explorer, then at EVM_RPC_URL_* and EVM_RPC_SECOND_URL_*.`;
  return { executed, over, doubt };
}

/** What one node says at one of its blocks. */
interface Word {
  readonly final: bigint;
  readonly finalTimeMs: number;
  readonly used: ReadonlyMap<QueuedOperation, boolean>;
}

/**
 * A node behind a balancer that does not have the block refuses, rather than tell of an older one;
 * what one of another chain says is nothing. @throws RpcError, RpcTransportError, Error
 */
async function askNode(
  { chainId, network }: ChainState,
  rpc: RpcClient,
  transfers: readonly QueuedOperation[],
): Promise<Word> {
  const head = await readHead(rpc);
  const final = await readFinalHeight(rpc, network.finality, head);
  const [header] = final < 0n ? [] : await readHeaders(rpc, [final]);
  const calls = transfers.flatMap((transfer) => {
    const call = isNonceUsedCall(chainId!, transfer);
    return call ? [{ transfer, method: 'eth_call', params: [call, toHex(head)] }] : [];
  });
  const [chain, ...answers] = await rpc.batch([{ method: 'eth_chainId', params: [] }, ...calls]);
  if (!chain?.ok || Number(chain.value) !== chainId)
    throw new Error(`a node of "${network.name}" does not answer for chain ${chainId}`);
  const used = new Map<QueuedOperation, boolean>();
  for (const [index, { transfer }] of calls.entries()) {
    const answer = answers[index];
    const word = wordSchema.safeParse(answer?.ok ? answer.value : undefined);
    if (word.success) used.set(transfer, BigInt(word.data) === 1n);
  }
  return { final, finalTimeMs: header ? Number(header.timestamp) * 1000 : 0, used };
}

const wordSchema = z.string().regex(/^0x0{63}[01]$/);

function isNonceUsedCall(chainId: number, { item, wallet, operationHash: hash }: QueuedOperation) {
  const query = { chainId, wallet, operationHashes: new Set([hash]) };
  const operation = findOperations(readInput(hexOf(item)), query).get(hash);
  if (!operation) return undefined;
  const data = encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'isNonceUsed',
    args: [wallet, operation.nonce],
  });
  return { to: addresses.walletModule, data };
}
