import type { xdr } from '@stellar/stellar-sdk/base';
import { walletEntryKey } from '../../../../../contracts/stellar/index.ts';
import type { LateEnd, LateTransaction } from '../../../family/late/network.ts';
import type { OperationError } from '../../../family.ts';
import { accountKey } from '../../account/entry.ts';
import type { StellarNetwork } from '../../config/networks.ts';
import { programError } from '../../operation/failure.ts';
import { readEntries, readFeeStats, readTransaction, simulate } from '../../rpc/calls.ts';
import type { StellarConnection } from '../../rpc/connections.ts';
import type { ListedTransaction } from '../../rpc/schemas.ts';
import { freeChannelOf, markDeploying } from '../channels.ts';
import {
  type ApprovedOperation,
  assemble,
  readApproved,
  readTransactionBytes,
  requireOperation,
} from '../transaction.ts';
import { isFailureCertain } from './in-ledger.ts';
import {
  type BuildAnswer,
  bidOf,
  encode,
  type Kind,
  type KindDeps,
  keyOf,
  landed,
  ledgersMax,
  onChainOf,
  refuse,
  sequenceOf,
  tooDear,
  withChannel,
} from './kind.ts';
import { nonceKey, readUse } from './used-nonce.ts';

/**
 * Calls of contracts, which the wallet allows with an entry. The mark of an operation is the nonce
 * of its entry: the chain takes it once.
 */

/**
 * Whoever saw an entry can have it run until its last ledger, also after a transaction with it
 * failed. Where that is near the end of the operation waits for it; further away people wait for
 * the answer, and what they approved may still happen.
 */
const waitLedgersMax = 150;

export function callKind(deps: KindDeps): Kind {
  const { network } = deps;
  return {
    build: async (connection, { operation, operationId }) => {
      const approved = readApproved(operation);
      const { wallet } = approved.operation;
      return withChannel(deps, { operationId, wallet }, ({ channel, lease }) =>
        build(connection, {
          network,
          approved,
          channel,
          mayDeploy: () => markDeploying(deps.db, lease),
        }),
      );
    },
    complete(value, built) {
      const read = readTransactionBytes(built, network.passphrase);
      requireOperation(read, readApproved(value));
      keyOf(deps, read.channel).sign(read.transaction);
      return { txId: read.txId, raw: encode(read.transaction) };
    },
    identify(value, raw) {
      const read = readTransactionBytes(raw, network.passphrase);
      requireOperation(read, readApproved(value));
      return read.txId;
    },
    look: (connection, sent) => look(deps, connection, sent),
  };
}

/** Of `onChain.result`, in characters. */
const resultLengthMax = 4_096;

interface BuildInput {
  readonly network: StellarNetwork;
  readonly approved: ApprovedOperation;
  readonly channel: string;
  readonly mayDeploy: () => Promise<boolean>;
}

async function build(
  connection: StellarConnection,
  { network, approved, channel, mayDeploy }: BuildInput,
): Promise<BuildAnswer> {
  const { operation } = approved;
  const { expirationLedger } = operation.authorization;
  const { wallet, deployment } = operation;
  const keys = [accountKey(channel), nonceKey(approved.entry), walletEntryKey(wallet)];
  const { entries, latestLedger } = await readEntries(connection, keys);
  const [account, used, instance] = entries;
  const use = await readUse(connection, approved.entry, used);
  if (use)
    return use.kind === 'own'
      ? { done: ranBy(network, use.transaction, operation.costMax) }
      : { impossible: usedByOther };
  if (latestLedger >= expirationLedger)
    return refuse(
      'failed_to_land_on_chain',
      'The operation expired before it was included in a ledger. Create it again.',
    );
  const sequence = sequenceOf(account, channel);
  const deploys = deployment !== undefined && instance === undefined;
  if (deploys && !(await mayDeploy())) return 'later';
  const common = {
    approved,
    deploys,
    channel,
    sequence,
    maxLedger: Math.min(latestLedger + ledgersMax, expirationLedger + 1),
  };
  const [simulation, stats] = await Promise.all([
    simulate(connection, assemble(common).toXdr(), 'enforce'),
    readFeeStats(connection),
  ]);
  const { transactionData: data, error } = simulation;
  const isWaitedFor = expirationLedger - latestLedger <= waitLedgersMax;
  if (!data)
    return isWaitedFor ? 'later' : { refused: programError(error ?? 'The node gave no result.') };
  const fee = data.resourceFee + bidOf(stats.sorobanInclusionFee.p90);
  if (fee > operation.costMax) return isWaitedFor ? 'later' : tooDear(fee, operation.costMax);
  const transaction = assemble({ ...common, resources: { data, fee } });
  return { bytes: encode(transaction) };
}

/** @throws Error where the node contradicts what was signed */
async function look(
  { db, network }: KindDeps,
  connection: StellarConnection,
  { txId, raw }: LateTransaction,
): Promise<LateEnd | 'pending' | 'stale'> {
  const read = readTransactionBytes(raw, network.passphrase);
  const { maxLedger, maxFee, entry, expirationLedger, channel } = read;
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND' && found.latestLedger < maxLedger) return 'pending';
  if (found.status !== 'NOT_FOUND' && found.ledger >= maxLedger)
    throw new Error(`The node has ${txId} in a ledger that does not take it.`);
  if (found.status === 'SUCCESS') {
    // What ran has left its nonce: a node that is behind has it soon, one that lies has it never.
    const { entries, latestLedger } = await readEntries(connection, [nonceKey(entry)]);
    if (entries[0] === undefined && latestLedger <= expirationLedger) return 'pending';
    const { onChain, ...paid } = landed(network, { txId, found, maxFee });
    return {
      ...paid,
      onChain: { ...onChain, ...resultOf(found.resultMetaXdr) },
      status: 'success',
    };
  }
  // It did nothing itself, and may have run by other bytes: those of an earlier turn, or of
  // somebody who saw the entry.
  const { entries, latestLedger } = await readEntries(connection, [nonceKey(entry)]);
  const use = await readUse(connection, entry, entries[0]);
  if (use?.kind === 'own') return ranBy(network, use.transaction, maxFee);
  if (found.status === 'NOT_FOUND')
    return use
      ? { onChain: onChainOf(network, txId), costMinor: 0n, fees: {}, ...failed(usedByOther) }
      : 'stale';
  const end = landed(network, { txId, found, maxFee });
  const { ledger } = found;
  const sequence = BigInt(read.transaction.sequence);
  const failure = { txId, ledger, maxLedger, source: channel, sequence };
  if (!use && !(await isFailureCertain(connection, failure))) return 'pending';
  const left = expirationLedger - latestLedger;
  if (!use && left >= 0 && left <= waitLedgersMax) {
    // Others need the account while this one waits for a quarter of an hour.
    await freeChannelOf(db, network.name, txId);
    return 'pending';
  }
  return { ...end, ...failed(use ? usedByOther : failureOf(found.resultXdr.result)) };
}

const usedByOther =
  'The wallet allowed something else with the nonce of this operation, so this one can never run. Create it again.';

function failed(message: string) {
  const error: OperationError = { reason: 'program_error', message, logs: [] };
  return { status: 'failed' as const, error };
}

/**
 * By other bytes than those that are known here, whoever sent them: of earlier ones of the service
 * it has paid the fee.
 */
function ranBy(
  network: StellarNetwork,
  { txHash, ledger, resultXdr }: ListedTransaction,
  costMax: bigint,
) {
  const costMinor = resultXdr.feeCharged < costMax ? resultXdr.feeCharged : costMax;
  return {
    onChain: { ...onChainOf(network, txHash), ledger },
    costMinor,
    fees: {},
    status: 'success' as const,
  };
}

/**
 * `onChain.result` (supplement, section 6): what the call answered, an `ScVal` as XDR in base64.
 * Nothing where it answered nothing, or more than an answer of this service shows.
 */
function resultOf(meta: xdr.TransactionMeta): { readonly result?: string } {
  const told =
    meta.type === 'v4' ? meta.v4.sorobanMeta : meta.type === 'v3' ? meta.v3.sorobanMeta : undefined;
  const value = told?.returnValue;
  if (!value || value.type === 'scvVoid') return {};
  const result = value.toXdr('base64');
  return result.length > resultLengthMax ? {} : { result };
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
