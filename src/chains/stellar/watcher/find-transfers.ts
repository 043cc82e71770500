import { foreignNames } from '../../family/names/listed-tokens.ts';
import type { ResolvedToken, SeenOperation, SeenTransfer } from '../../family.ts';
import { explorerLinkOf, type StellarNetwork } from '../config/networks.ts';
import type { ListedTransaction } from '../rpc/schemas.ts';
import { factsOfAsset, type TokenFacts } from '../tokens/token-facts.ts';
import { flowsOf, memoOf, memoPattern, type TokenFlow } from './movements.ts';

export interface FindTransfersInput {
  readonly network: StellarNetwork;
  /** Which of these addresses are wallets of ours; asked once. */
  readonly ownAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Which of these take deposits, so that memos are told; asked once. */
  readonly depositAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Ids of this service's operations by the hash that is their transaction's id; asked once. */
  readonly operationIds: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** What contracts that are of no asset tell of themselves. */
  readonly describeContracts: (
    contracts: readonly string[],
  ) => Promise<ReadonlyMap<string, TokenFacts>>;
}

export interface FoundTransfers {
  readonly transfers: readonly SeenTransfer[];
  readonly operations: readonly SeenOperation[];
}

interface OwnFlow extends TokenFlow {
  readonly transaction: ListedTransaction;
  readonly index: number;
}

/**
 * The transfers of transactions that touch wallets of ours, and the operations of this service that
 * ran.
 */
export async function findTransfers(
  input: FindTransfersInput,
  transactions: readonly ListedTransaction[],
): Promise<FoundTransfers> {
  if (transactions.length === 0) return { transfers: [], operations: [] };
  const [flows, ids] = await Promise.all([
    ownFlows(input, transactions),
    input.operationIds(transactions.map(({ txHash }) => txHash)),
  ]);
  const contracts = flows.flatMap(({ asset, contract }) => (asset ? [] : [contract]));
  const recipients = [...new Set(flows.map(({ recipient }) => recipient))];
  const [described, takers] = await Promise.all([
    contracts.length === 0
      ? new Map<string, TokenFacts>()
      : input.describeContracts([...new Set(contracts)]),
    recipients.length === 0 ? new Set<string>() : input.depositAddresses(recipients),
  ]);
  const transfers = flows.map((flow): SeenTransfer => {
    const { transaction, index, sender, recipient, amountMinor } = flow;
    const operationId = ids.get(transaction.txHash);
    const memo = takers.has(recipient) ? memoOfFlow(flow) : undefined;
    return {
      sender,
      recipient,
      amountMinor,
      ...placeOf(input.network, transaction),
      ...linkOf(input.network, transaction),
      ...(operationId !== undefined && { operationId }),
      ...(memo !== undefined && { memo }),
      id: `${input.network.name}:${transaction.txHash}:${index}`,
      token: tokenOf(input.network, flow, described),
      succeeded: true,
    };
  });
  const operations = transactions.flatMap((transaction): SeenOperation[] => {
    const operationId = ids.get(transaction.txHash);
    const succeeded = transaction.status === 'SUCCESS';
    return operationId === undefined
      ? []
      : [{ ...placeOf(input.network, transaction), operationId, succeeded }];
  });
  return { transfers, operations };
}

async function ownFlows(
  { network, ownAddresses }: FindTransfersInput,
  transactions: readonly ListedTransaction[],
): Promise<OwnFlow[]> {
  const flows = transactions.flatMap((transaction) =>
    flowsOf(transaction, network).map((flow, index) => ({ ...flow, transaction, index })),
  );
  const addresses = [...new Set(flows.flatMap(({ sender, recipient }) => [sender, recipient]))];
  const own = addresses.length === 0 ? new Set<string>() : await ownAddresses(addresses);
  return flows.filter(({ sender, recipient }) => own.has(sender) || own.has(recipient));
}

/** The recipient's number says more than what is written on the whole transaction. */
function memoOfFlow({ number, transaction }: OwnFlow): string | undefined {
  return number !== undefined && memoPattern.test(number) ? number : memoOf(transaction);
}

function placeOf(network: StellarNetwork, { txHash, ledger, createdAt }: ListedTransaction) {
  return {
    chain: network.name,
    txId: txHash,
    height: BigInt(ledger),
    at: new Date(createdAt * 1_000),
  };
}

function linkOf(
  network: StellarNetwork,
  { txHash }: ListedTransaction,
): Pick<SeenTransfer, 'explorerLink'> {
  const explorerLink = explorerLinkOf(network, txHash);
  return explorerLink === undefined ? {} : { explorerLink };
}

/** As `resolveToken` answers it; what tells nothing of itself any more was moved all the same. */
function tokenOf(
  network: StellarNetwork,
  { contract: address, asset }: TokenFlow,
  described: ReadonlyMap<string, TokenFacts>,
): ResolvedToken {
  const { name: chain, native, nativeContract } = network;
  if (address === nativeContract) return { chain, locator: `${chain}:${native.symbol}`, ...native };
  const listed = network.tokens.find((token) => token.address === address);
  if (listed) return { chain, locator: `${chain}:${listed.symbol}`, ...listed };
  const facts = asset ? factsOfAsset(asset) : described.get(address);
  return {
    ...(facts && foreignNames(network, facts)),
    chain,
    locator: `${chain}:${address}`,
    address,
    decimals: facts?.decimals ?? 0,
  };
}
