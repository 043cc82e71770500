import { inParallel } from '../../../lib/waiting/in-parallel.ts';
import { foreignNames } from '../../family/names/listed-tokens.ts';
import type { ResolvedToken, SeenOperation, SeenTransfer } from '../../family.ts';
import { explorerLinkOf, type SolanaNetwork } from '../config/networks.ts';
import type { Block, ChainTransaction } from '../rpc/schemas.ts';
import type { MintFacts } from '../tokens/mint-facts.ts';
import { isUnique, onlyTokenId } from '../tokens/tokens.ts';
import {
  type Deltas,
  deltasOf,
  livesByNonce,
  type Movement,
  mayLiveByNonce,
  memosOf,
  movementsOf,
} from './movements.ts';

export interface SlotBlock extends Block {
  readonly slot: bigint;
  /** Without what its transactions say; see {@link FindTransfersInput.readWhole}. */
  readonly isBrief: boolean;
}

export interface FindTransfersInput {
  readonly network: SolanaNetwork;
  /** Which of these addresses are wallets of ours; asked once. */
  readonly ownAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Which of these take deposits, so that memos are read; asked once. */
  readonly depositAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Ids of this service's operations by the signature that is the transaction's id. */
  readonly operationIds: (signatures: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly describeMints: (mints: readonly string[]) => Promise<ReadonlyMap<string, MintFacts>>;
  /** A transaction of a block that was told in brief. */
  readonly readWhole: (signature: string) => Promise<ChainTransaction>;
  /** Of a block that does not say when it was made. */
  readonly now: () => Date;
}

export interface FoundTransfers {
  readonly transfers: readonly SeenTransfer[];
  readonly operations: readonly SeenOperation[];
}

interface Candidate {
  readonly block: SlotBlock;
  readonly transaction: ChainTransaction;
  readonly signature: string;
  readonly deltas: readonly Deltas[];
}

interface NamedMovement extends Movement {
  readonly id: string;
  readonly from: Candidate;
}

/** Transactions that are read one by one, at once. */
const lanes = 8;

/** The form of a memo that {@link ../deposits/deposits.ts} makes. */
export const memoPattern = /^[0-9a-f]{32}$/;

/**
 * The transfers in blocks that touch wallets of ours, and the operations of this service that ran.
 */
export async function findTransfers(
  input: FindTransfersInput,
  blocks: readonly SlotBlock[],
): Promise<FoundTransfers> {
  const all = blocks.flatMap((block) =>
    block.transactions.map((transaction): Candidate => {
      const signature = transaction.transaction.signatures[0]!;
      return { block, transaction, signature, deltas: deltasOf(transaction) };
    }),
  );
  const addresses = new Set(
    all.flatMap(({ deltas }) => deltas.flatMap(({ byOwner }) => [...byOwner.keys()])),
  );
  const own = addresses.size === 0 ? new Set<string>() : await input.ownAddresses([...addresses]);
  const withNonce = all.filter(({ block, transaction }) =>
    block.isBrief ? mayLiveByNonce(transaction) : livesByNonce(transaction),
  );
  const ids =
    withNonce.length === 0
      ? new Map<string, string>()
      : await input.operationIds(withNonce.map(({ signature }) => signature));
  const touched = all.filter(({ deltas }) =>
    deltas.some(({ byOwner }) => [...byOwner.keys()].some((address) => own.has(address))),
  );
  const whole = await inParallel(touched, lanes, async (candidate) =>
    candidate.block.isBrief
      ? { ...candidate, transaction: await input.readWhole(candidate.signature) }
      : candidate,
  );
  const movements = whole
    .flatMap((candidate) => nameMovements(input.network, candidate))
    .filter((one) => isOurs(one, own));
  const memos = await readDepositMemos(input, movements);
  const mints = await input.describeMints([
    ...new Set(movements.flatMap(({ mint }) => mint ?? [])),
  ]);
  return {
    transfers: movements.map((movement): SeenTransfer => {
      const token = tokenOf(input.network, movement, mints);
      const { from, id, amountMinor, sender, recipient } = movement;
      const operationId = ids.get(from.signature);
      const memo = memos.get(movement);
      return {
        ...placeOf(input, from),
        ...(operationId !== undefined && { operationId }),
        ...(memo !== undefined && { memo }),
        id,
        token,
        amountMinor,
        sender,
        recipient,
        succeeded: true,
      };
    }),
    operations: withNonce.flatMap((candidate): SeenOperation[] => {
      const operationId = ids.get(candidate.signature);
      if (operationId === undefined) return [];
      const { chain, txId, height, at } = placeOf(input, candidate);
      return [
        {
          operationId,
          chain,
          txId,
          height,
          at,
          succeeded: candidate.transaction.meta.err === null,
        },
      ];
    }),
  };
}

function isOurs({ sender, recipient }: Movement, own: ReadonlySet<string>): boolean {
  return own.has(sender) || own.has(recipient);
}

function placeOf({ network, now }: FindTransfersInput, { block, signature }: Candidate) {
  const explorerLink = explorerLinkOf(network, signature);
  return {
    chain: network.name,
    txId: signature,
    ...(explorerLink !== undefined && { explorerLink }),
    height: block.slot,
    at: block.blockTime === null ? now() : new Date(block.blockTime * 1000),
  };
}

/** A movement is known by its transaction and its place in it. */
function nameMovements({ name }: SolanaNetwork, from: Candidate): NamedMovement[] {
  return movementsOf(from.transaction, from.deltas).map((movement, index) => ({
    ...movement,
    id: `${name}:${from.signature}:${index}`,
    from,
  }));
}

function tokenOf(
  network: SolanaNetwork,
  { mint, decimals = 0 }: Movement,
  mints: ReadonlyMap<string, MintFacts>,
): ResolvedToken {
  const chain = network.name;
  if (mint === undefined)
    return { chain, locator: `${chain}:${network.native.symbol}`, ...network.native };
  const listed = network.tokens.find(({ address }) => address === mint);
  if (listed) return { chain, locator: `${chain}:${listed.symbol}`, ...listed };
  // A mint that was closed meanwhile tells nothing any more.
  const told = mints.get(mint);
  return {
    ...(told && foreignNames(network, told)),
    chain,
    locator: `${chain}:${mint}`,
    address: mint,
    decimals,
    ...(told && isUnique(told) && { tokenId: onlyTokenId }),
  };
}

async function readDepositMemos(
  input: FindTransfersInput,
  movements: readonly NamedMovement[],
): Promise<ReadonlyMap<NamedMovement, string>> {
  const recipients = new Set(movements.map(({ recipient }) => recipient));
  if (recipients.size === 0) return new Map();
  const taking = await input.depositAddresses([...recipients]);
  const deposits = new Map<Candidate, NamedMovement[]>();
  for (const movement of movements)
    if (taking.has(movement.recipient))
      deposits.set(movement.from, [...(deposits.get(movement.from) ?? []), movement]);
  return new Map(
    [...deposits].flatMap(([{ transaction }, paid]) => pairMemos(memosOf(transaction), paid)),
  );
}

/**
 * As many memos as deposits: one belongs to the other. Otherwise only a memo that stands alone is
 * believed.
 */
function pairMemos(
  told: readonly string[],
  paid: readonly NamedMovement[],
): [NamedMovement, string][] {
  const memos = told.filter((memo) => memoPattern.test(memo));
  const inOrder = paid
    .filter(({ place }) => place !== undefined)
    .toSorted((a, b) => a.place! - b.place!);
  if (memos.length === inOrder.length && inOrder.length === paid.length)
    return inOrder.map((movement, index) => [movement, memos[index]!]);
  const only = new Set(memos).size === 1 ? memos[0] : undefined;
  return only === undefined ? [] : paid.map((movement) => [movement, only]);
}
