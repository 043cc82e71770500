import { Address, xdr } from '@stellar/stellar-sdk/base';
import { walletEntryKey } from '../../../../contracts/stellar/index.ts';
import { formatAmount } from '../../../lib/amount.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Db } from '../../../store/types.ts';
import type { LateEnd, LateNetwork } from '../../family/late/network.ts';
import type { OperationError } from '../../family.ts';
import { explorerLinkOf, type StellarNetwork } from '../config/networks.ts';
import { programError } from '../operation/failure.ts';
import { type LedgerEntry, readEntries, readFeeStats, readTransaction, send, simulate } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { DoneTransaction } from '../rpc/schemas.ts';
import { readStellarAddress } from '../strkey.ts';
import { freeChannels, leaseChannel, markDeploying } from './channels.ts';
import type { Channel } from './keys.ts';
import { type ApprovedOperation, assemble, readApproved, readTransactionBytes, requireOperation } from './transaction.ts';

/**
 * What the relay of intents asks of Stellar. The mark of an operation is the nonce of its entry: the chain takes it once. A transaction
 * names the first ledger that does not take it any more; until then the same bytes are sent, and nothing else of the operation.
 */

/** Ledgers in which a transaction may land: a minute. */
const ledgersMax = 12;
/**
 * Whoever saw an entry can have it run until its last ledger, also after a transaction with it failed. Where that is near the end of the
 * operation waits for it; further away people wait for the answer, and what they approved may still happen.
 */
const waitLedgersMax = 150;
/** Bid beside the fee of the resources, whatever a node says others bid. */
const inclusionFeeMin = 100n;
const inclusionFeeMax = 100_000n;

export interface StellarNetworkDeps {
  readonly db: Db;
  readonly network: StellarNetwork;
  readonly connect: () => Promise<StellarConnection>;
  readonly channels: readonly Channel[];
  /** Whether an account has nothing to pay with, as it was seen last. */
  readonly isEmpty?: ((address: string) => boolean) | undefined;
}

type BuildAnswer = Awaited<ReturnType<LateNetwork['build']>>;

export function createStellarNetwork(deps: StellarNetworkDeps): LateNetwork {
  const { network, connect, channels } = deps;
  return {
    build: async (value, { operationId }) => build(deps, await connect(), { approved: readApproved(value), operationId }),
    async complete(value, built) {
      const read = readTransactionBytes(built, network.passphrase);
      requireOperation(read, readApproved(value));
      const channel = channels.find(({ address }) => address === read.channel);
      if (!channel) throw new Error(`No key of ${read.channel} is known here.`);
      channel.sign(read.transaction);
      return { txId: read.txId, raw: new Uint8Array(Buffer.from(read.transaction.toXdr(), 'base64')) };
    },
    identify(value, raw) {
      const read = readTransactionBytes(raw, network.passphrase);
      requireOperation(read, readApproved(value));
      return read.txId;
    },
    async send(raw) {
      const { status, errorResultXdr } = await send(await connect(), Buffer.from(raw).toString('base64'));
      if (status === 'ERROR' || status === 'TRY_AGAIN_LATER')
        throw new Error(`The node did not take it: ${errorResultXdr?.result.type ?? status}`);
    },
    look: async ({ txId, raw }) => look(network, await connect(), { txId, raw }),
    ended: (tx, operationIds) => freeChannels(tx, network.name, operationIds),
  };
}

interface BuildInput {
  readonly approved: ApprovedOperation;
  readonly operationId: string;
}

async function build(deps: StellarNetworkDeps, connection: StellarConnection, input: BuildInput): Promise<BuildAnswer> {
  const { db, network, channels, isEmpty = () => false } = deps;
  const { approved, operationId } = input;
  const { wallet } = approved.operation;
  const addresses = channels.map(({ address }) => address).filter((address) => !isEmpty(address));
  const lease = { chain: network.name, addresses, operationId, wallet };
  const channel = await leaseChannel(db, lease);
  if (channel === undefined) return 'later';
  let isBuilt = false;
  try {
    const answer = await tryBuild(connection, { ...input, channel, mayDeploy: () => markDeploying(db, lease) });
    isBuilt = typeof answer === 'object' && 'bytes' in answer;
    return answer;
  } finally {
    if (!isBuilt) await freeChannels(db, network.name, [operationId]);
  }
}

interface TryInput extends BuildInput {
  readonly channel: string;
  readonly mayDeploy: () => Promise<boolean>;
}

async function tryBuild(connection: StellarConnection, { approved, channel, mayDeploy }: TryInput): Promise<BuildAnswer> {
  const { operation } = approved;
  const { expirationLedger, nonce } = operation.authorization;
  const { wallet, deployment } = operation;
  const { entries, latestLedger } = await readEntries(connection, [accountKey(channel), nonceKey(wallet, nonce), walletEntryKey(wallet)]);
  const [account, used, instance] = entries;
  // Told as failed it would be made once more.
  if (used) throw new Error('Its nonce is used: it has run, by a transaction that is not known here.');
  if (latestLedger >= expirationLedger)
    return refuse('failed_to_land_on_chain', 'The operation expired before it was included in a ledger. Create it again.');
  const sequence = sequenceOf(account, channel);
  const deploys = deployment !== undefined && instance === undefined;
  if (deploys && !(await mayDeploy())) return 'later';
  const common = { approved, deploys, channel, sequence, maxLedger: Math.min(latestLedger + ledgersMax, expirationLedger + 1) };
  const [simulation, stats] = await Promise.all([simulate(connection, assemble(common).toXdr(), 'enforce'), readFeeStats(connection)]);
  const { transactionData: data, error } = simulation;
  const isWaitedFor = expirationLedger - latestLedger <= waitLedgersMax;
  if (!data) return isWaitedFor ? 'later' : { refused: programError(error ?? 'The node gave no result.') };
  const fee = data.resourceFee + bidOf(stats.sorobanInclusionFee.p90);
  if (fee > operation.costMax) return isWaitedFor ? 'later' : tooDear(fee, operation.costMax);
  const transaction = assemble({ ...common, resources: { data, fee } });
  return { bytes: new Uint8Array(Buffer.from(transaction.toXdr(), 'base64')) };
}

function bidOf(asked: bigint): bigint {
  if (asked > inclusionFeeMax) return inclusionFeeMax;
  return asked < inclusionFeeMin ? inclusionFeeMin : asked;
}

function tooDear(fee: bigint, costMax: bigint) {
  return refuse(
    'build_failed',
    `It would cost ${formatAmount(fee, 7)} XLM now, above the ${formatAmount(costMax, 7)} XLM that were estimated for it.`,
  );
}

function refuse(reason: OperationError['reason'], message: string): { readonly refused: OperationError } {
  return { refused: { reason, message } };
}

function accountKey(address: string): xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: xdr.PublicKey.publicKeyTypeEd25519(readStellarAddress(address)!.bytes) }),
  );
}

/** Where the chain notes that an entry was used: it does so where its transaction did what it should. */
function nonceKey(wallet: string, nonce: bigint): xdr.LedgerKey {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }));
  const durability = xdr.ContractDataDurability.temporary;
  return xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract: new Address(wallet).toScAddress(), key, durability }));
}

function sequenceOf(entry: LedgerEntry | undefined, address: string): bigint {
  if (entry?.data.type !== 'account') throw new Error(`The account ${address}, which pays fees, does not exist: fund it.`);
  return entry.data.account.seqNum;
}

/** @throws Error where the node contradicts what was signed */
async function look(
  network: StellarNetwork,
  connection: StellarConnection,
  { txId, raw }: { readonly txId: string; readonly raw: Uint8Array },
): Promise<LateEnd | 'pending' | 'stale'> {
  const { maxLedger, maxFee, mark } = readTransactionBytes(raw, network.passphrase);
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND' && found.latestLedger < maxLedger) return 'pending';
  if (found.status !== 'NOT_FOUND' && found.ledger >= maxLedger) throw new Error(`The node has ${txId} in a ledger that does not take it.`);
  if (found.status === 'SUCCESS') return { ...landed(network, { txId, found, maxFee }), status: 'success' };
  // It did nothing itself, and may have run by other bytes: those of an earlier turn, or of somebody who saw the entry.
  const { entries, latestLedger } = await readEntries(connection, [nonceKey(mark.wallet, mark.nonce)]);
  if (entries[0]) return { onChain: onChainOf(network, txId), costMinor: maxFee, fees: {}, status: 'success' };
  if (found.status === 'NOT_FOUND') return 'stale';
  const left = mark.expirationLedger - latestLedger;
  if (left >= 0 && left <= waitLedgersMax) return 'pending';
  const error: OperationError = { reason: 'program_error', message: failureOf(found.resultXdr.result), logs: [] };
  return { ...landed(network, { txId, found, maxFee }), status: 'failed', error };
}

/** `onChain` of a transaction, whether a ledger has it or not. */
export function onChainOf(network: StellarNetwork, txId: string): JsonObject {
  const link = explorerLinkOf(network, txId);
  return { txId, ...(link === undefined ? {} : { explorerLink: link }) };
}

interface LandedInput {
  readonly txId: string;
  readonly found: DoneTransaction;
  readonly maxFee: bigint;
}

function landed(network: StellarNetwork, { txId, found, maxFee }: LandedInput): Pick<LateEnd, 'onChain' | 'costMinor' | 'fees'> {
  const { feeCharged: costMinor } = found.resultXdr;
  // What cannot be is not written down as spent.
  if (costMinor < 0n || costMinor > maxFee) throw new Error(`The node says that ${txId} cost more than was signed for.`);
  const fees = { actual: { amountStroops: costMinor.toString(), token: network.native.symbol } };
  return { onChain: { ...onChainOf(network, txId), ledger: found.ledger }, costMinor, fees };
}

function failureOf(result: xdr.TransactionResultResult): string {
  const [operation] = result.type === 'txFailed' ? result.results : [];
  const tr = operation?.type === 'opInner' ? operation.tr : undefined;
  const why = tr?.type === 'invokeHostFunction' ? tr.invokeHostFunctionResult.type : result.type;
  const known: Readonly<Record<string, string>> = {
    invokeHostFunctionTrapped: 'a contract refused it',
    invokeHostFunctionResourceLimitExceeded: 'it took more than its simulation',
    invokeHostFunctionEntryArchived: 'something that it needs is archived',
    invokeHostFunctionInsufficientRefundableFee: 'the rent had become dearer',
  };
  return `The network refused the transaction: ${known[why] ?? why}.`;
}
