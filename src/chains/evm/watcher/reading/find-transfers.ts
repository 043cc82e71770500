import type { Logger } from 'pino';
import type { ResolvedToken, SeenOperation, SeenTransfer } from '../../../family.ts';
import { checksumAddress } from '../../abi/words.ts';
import { type EvmNetwork, explorerLinkOf } from '../../config/networks.ts';
import type { RpcClient } from '../../rpc/rpc.ts';
import { findPayingCalls, type PayingCall, readInput } from '../operation-calls.ts';
import type { WatchedToken } from '../watched-token.ts';
import {
  type ExecutedOperation,
  findMovements,
  type Movement,
  mergeNative,
  nameMovements,
  type RangeContent,
} from './movements.ts';
import { groupBy, readMemos } from './read-memos.ts';
import { readSucceeded } from './read-node.ts';

export interface FindTransfersInput {
  readonly network: EvmNetwork;
  readonly chainId: number;
  readonly rpc: RpcClient;
  readonly moduleAddress: string;
  /** By contract in lower case. */
  readonly tokens: ReadonlyMap<string, WatchedToken>;
  /** Which of these canonical addresses are wallets of ours; asked once. */
  readonly ownAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Which of these take deposits, so that memos are read; asked once. */
  readonly depositAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Ids of this service's operations by their hash. */
  readonly operationIds: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** What this service itself knows of operations, as ABI-encoded hex by hash. */
  readonly operationItems: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Logger;
}

export interface FoundTransfers {
  readonly transfers: readonly SeenTransfer[];
  readonly operations: readonly SeenOperation[];
}

const nothing: FoundTransfers = { transfers: [], operations: [] };

/**
 * The transfers in a range of blocks that touch wallets of ours, and the operations of this service
 * that ran.
 */
export async function findTransfers(
  input: FindTransfersInput,
  content: RangeContent,
): Promise<FoundTransfers> {
  const found = findMovements(content, {
    tokens: new Set(input.tokens.keys()),
    moduleAddress: input.moduleAddress,
  });
  const addresses = new Set<string>();
  for (const { sender, recipient } of [...found.logged, ...found.topLevel])
    addresses.add(sender).add(recipient);
  for (const { wallet } of [...found.operations, ...found.refused]) addresses.add(wallet);
  if (addresses.size === 0) return nothing;
  const own = await input.ownAddresses([...addresses]);
  if (own.size === 0) return nothing;
  const isOurs = (movement: Movement) => own.has(movement.sender) || own.has(movement.recipient);
  const topLevel = await keepSucceeded(input.rpc, found.topLevel.filter(isOurs));
  const operations = found.operations.filter((operation) => own.has(operation.wallet));
  const refused = found.refused.filter((operation) => own.has(operation.wallet));
  const movements = mergeNative(
    found.logged.filter(isOurs),
    topLevel,
    await readPaid(input, operations),
  );
  const ids = await input.operationIds([
    ...new Set([
      ...[...operations, ...refused].map(({ hash }) => hash),
      ...movements.filter(({ sender }) => own.has(sender)).map(causeOf),
    ]),
  ]);
  const memos = await readDepositMemos(input, content, movements);
  return {
    transfers: nameMovements(input.network.name, movements).map(({ id, movement }) => ({
      ...toTransfer(input, id, movement),
      ...operationIdOf(movement, own, ids),
      ...(memos.has(movement) ? { memo: memos.get(movement)! } : {}),
    })),
    operations: [...operations, ...refused].flatMap((operation) =>
      toSeenOperation(input.network, operation, ids.get(operation.hash)),
    ),
  };
}

async function readDepositMemos(
  input: FindTransfersInput,
  content: RangeContent,
  movements: readonly Movement[],
): Promise<ReadonlyMap<Movement, string>> {
  const recipients = new Set(
    movements.flatMap(({ kind, recipient }) => (kind === 'collectible' ? [] : [recipient])),
  );
  if (recipients.size === 0) return new Map();
  const taking = await input.depositAddresses([...recipients]);
  const deposits = movements.filter(({ recipient }) => taking.has(recipient));
  if (deposits.length === 0) return new Map();
  const inputs = new Map(
    content.blocks.flatMap((block) =>
      block.transactions.map((transaction) => [transaction.hash, transaction.input]),
    ),
  );
  return readMemos({ inputs, operationItems: input.operationItems }, deposits);
}

function toSeenOperation(
  network: EvmNetwork,
  operation: ExecutedOperation,
  operationId: string | undefined,
): SeenOperation[] {
  if (operationId === undefined) return [];
  const { succeeded, transaction, block } = operation;
  const at = new Date(Number(block.timestamp) * 1000);
  return [
    {
      operationId,
      chain: network.name,
      txId: transaction.hash,
      succeeded,
      height: block.number,
      at,
    },
  ];
}

async function keepSucceeded(rpc: RpcClient, movements: readonly Movement[]): Promise<Movement[]> {
  const succeeded = await readSucceeded(
    rpc,
    movements.map(({ txHash, blockHash }) => ({ hash: txHash, blockHash })),
  );
  return movements.filter((movement) => succeeded.has(movement.txHash));
}

/** Native money that operations of our wallets paid. */
async function readPaid(
  input: FindTransfersInput,
  operations: readonly ExecutedOperation[],
): Promise<Movement[]> {
  const calls = new Map<string, PayingCall[]>();
  for (const inTransaction of groupBy(operations, (operation) => operation.transaction.hash)) {
    const callInput = readInput(inTransaction[0]!.transaction.input);
    for (const group of groupBy(inTransaction, (operation) => operation.wallet)) {
      const query = {
        chainId: input.chainId,
        wallet: group[0]!.wallet,
        operationHashes: new Set(group.map((operation) => operation.hash)),
      };
      for (const [hash, paying] of findPayingCalls(callInput, query)) calls.set(hash, paying);
    }
  }
  await addOwnKnowledge(
    input,
    operations.filter((operation) => !calls.has(operation.hash)),
    calls,
  );
  return operations.flatMap((operation) =>
    (calls.get(operation.hash) ?? []).map((call) => toPayment(operation, call)),
  );
}

/**
 * Whoever sends an operation on may hide it from a reader of the input; what this service made it
 * still knows.
 */
async function addOwnKnowledge(
  input: FindTransfersInput,
  unread: readonly ExecutedOperation[],
  calls: Map<string, PayingCall[]>,
): Promise<void> {
  if (unread.length === 0) return;
  const items = await input.operationItems(unread.map((operation) => operation.hash));
  for (const { hash, wallet, transaction } of unread) {
    const known = findPayingCalls(readInput(items.get(hash) ?? '0x'), {
      chainId: input.chainId,
      wallet,
      operationHashes: new Set([hash]),
    }).get(hash);
    if (known) calls.set(hash, known);
    else
      input.log.error(
        { chain: input.network.name, wallet, operationHash: hash, txId: transaction.hash },
        'the calls of an executed operation cannot be read: native money it paid is not in the activity',
      );
  }
}

function toPayment(operation: ExecutedOperation, call: PayingCall): Movement {
  return {
    kind: 'native',
    amountMinor: call.valueWei,
    callData: call.data,
    sender: operation.wallet,
    recipient: call.to,
    txHash: operation.transaction.hash,
    blockHash: operation.block.hash,
    height: operation.block.number,
    at: new Date(Number(operation.block.timestamp) * 1000),
    logIndex: operation.logIndex,
    operationHash: operation.hash,
  };
}

/**
 * Only what left the wallet is the operation's own doing: a call may also bring something in, as a
 * swap does.
 */
function operationIdOf(
  movement: Movement,
  own: ReadonlySet<string>,
  ids: ReadonlyMap<string, string>,
): { operationId?: string } {
  const operationId = own.has(movement.sender) ? ids.get(causeOf(movement)) : undefined;
  return operationId === undefined ? {} : { operationId };
}

/** The module's operation; an account that sends by itself names its operation by transaction. */
function causeOf({ operationHash, txHash }: Movement): string {
  return operationHash ?? txHash;
}

function toTransfer(
  { network, tokens }: FindTransfersInput,
  id: string,
  movement: Movement,
): SeenTransfer {
  const explorerLink = explorerLinkOf(network, movement.txHash);
  return {
    id,
    chain: network.name,
    token: toToken(network, tokens, movement),
    amountMinor: movement.amountMinor,
    sender: checksumAddress(movement.sender),
    recipient: checksumAddress(movement.recipient),
    txId: movement.txHash,
    explorerLink,
    at: movement.at,
    height: movement.height,
    succeeded: true,
  };
}

function toToken(
  network: EvmNetwork,
  tokens: ReadonlyMap<string, WatchedToken>,
  movement: Movement,
): ResolvedToken {
  if (movement.token === undefined)
    return {
      chain: network.name,
      locator: `${network.name}:${network.native.symbol}`,
      ...network.native,
    };
  const token = tokens.get(movement.token);
  const address = token?.address ?? checksumAddress(movement.token);
  if (movement.kind === 'collectible')
    return {
      chain: network.name,
      locator: `${network.name}:${address}:${movement.tokenId}`,
      address,
      tokenId: movement.tokenId,
      decimals: 0,
    };
  if (!token)
    throw new Error(`A transfer of ${address} was read although it is no followed token.`);
  return {
    chain: network.name,
    locator: `${network.name}:${address}`,
    address,
    decimals: token.decimals,
    symbol: token.symbol,
    name: token.name,
  };
}
