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
/** Bid beside the fee of the resources, whatever a node says others bid. */
const inclusionFeeMax = 100_000n;

export interface StellarNetworkDeps {
  readonly db: Db;
  readonly network: StellarNetwork;
  readonly connect: () => Promise<StellarConnection>;
  readonly channels: readonly Channel[];
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

async function build(
  { db, network, channels }: StellarNetworkDeps,
  connection: StellarConnection,
  input: BuildInput,
): Promise<BuildAnswer> {
  const { approved, operationId } = input;
  const { wallet } = approved.operation;
  const lease = { chain: network.name, addresses: channels.map(({ address }) => address), operationId, wallet };
  const channel = await leaseChannel(db, lease);
  if (channel === undefined) return 'later';
  const answer = await tryBuild(connection, { ...input, channel, mayDeploy: () => markDeploying(db, lease) });
  if (answer === 'later' || !('bytes' in answer)) await freeChannels(db, network.name, [operationId]);
  return answer;
}

interface TryInput extends BuildInput {
  readonly channel: string;
  readonly mayDeploy: () => Promise<boolean>;
}

async function tryBuild(connection: StellarConnection, { approved, channel, mayDeploy }: TryInput): Promise<BuildAnswer> {
  const { operation } = approved;
  const { authorization, deployment, wallet } = operation;
  const { entries, latestLedger } = await readEntries(connection, [accountKey(channel), nonceKey(operation), walletEntryKey(wallet)]);
  const [account, nonce, instance] = entries;
  if (nonce) return refuse('unknown', 'It has run, by a transaction that this service did not send.');
  if (latestLedger >= authorization.expirationLedger)
    return refuse('failed_to_land_on_chain', 'The operation expired before it was included in a ledger. Create it again.');
  const sequence = sequenceOf(account, channel);
  const deploys = deployment !== undefined && instance === undefined;
  if (deploys && !(await mayDeploy())) return 'later';
  const common = {
    approved,
    deploys,
    channel,
    sequence,
    maxLedger: Math.min(latestLedger + ledgersMax, authorization.expirationLedger + 1),
  };
  const [simulation, stats] = await Promise.all([simulate(connection, assemble(common).toXdr(), 'enforce'), readFeeStats(connection)]);
  const { transactionData: data, error } = simulation;
  if (!data) return { refused: programError(error ?? 'The node gave no result.') };
  const { p90 } = stats.sorobanInclusionFee;
  const fee = data.resourceFee + (p90 > inclusionFeeMax ? inclusionFeeMax : p90 < 100n ? 100n : p90);
  if (fee > operation.costMax)
    return refuse(
      'build_failed',
      `It would cost ${formatAmount(fee, 7)} XLM now, above the ${formatAmount(operation.costMax, 7)} XLM that were estimated for it.`,
    );
  const transaction = assemble({ ...common, resources: { data, fee } });
  return { bytes: new Uint8Array(Buffer.from(transaction.toXdr(), 'base64')) };
}

function refuse(reason: OperationError['reason'], message: string): { readonly refused: OperationError } {
  return { refused: { reason, message } };
}

function accountKey(address: string): xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: xdr.PublicKey.publicKeyTypeEd25519(readStellarAddress(address)!.bytes) }),
  );
}

/** Where the chain notes that an entry was used. */
function nonceKey({ wallet, authorization: { nonce } }: ApprovedOperation['operation']): xdr.LedgerKey {
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
  const { maxLedger, maxFee } = readTransactionBytes(raw, network.passphrase);
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND') return found.latestLedger >= maxLedger ? 'stale' : 'pending';
  if (found.ledger >= maxLedger) throw new Error(`The node has ${txId} in a ledger that does not take it.`);
  return endOf(network, { txId, found, maxFee });
}

interface EndInput {
  readonly txId: string;
  readonly found: DoneTransaction;
  readonly maxFee: bigint;
}

function endOf(network: StellarNetwork, { txId, found, maxFee }: EndInput): LateEnd {
  const { feeCharged: costMinor, result } = found.resultXdr;
  // What cannot be is not written down as spent.
  if (costMinor < 0n || costMinor > maxFee) throw new Error(`The node says that ${txId} cost more than was signed for.`);
  const link = explorerLinkOf(network, txId);
  const onChain: JsonObject = { txId, ledger: found.ledger, ...(link === undefined ? {} : { explorerLink: link }) };
  const end = { onChain, costMinor, fees: { actual: { amountStroops: costMinor.toString(), token: network.native.symbol } } };
  if (found.status === 'SUCCESS') return { ...end, status: 'success' };
  return { ...end, status: 'failed', error: { reason: 'program_error', message: failureOf(result), logs: [] } };
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
