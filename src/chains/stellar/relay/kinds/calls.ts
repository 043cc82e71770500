import { Address, xdr } from '@stellar/stellar-sdk/base';
import { walletEntryKey } from '../../../../../contracts/stellar/index.ts';
import type { LateEnd, LateTransaction } from '../../../family/late/network.ts';
import type { OperationError } from '../../../family.ts';
import { accountKey } from '../../account/entry.ts';
import { programError } from '../../operation/failure.ts';
import { readEntries, readFeeStats, readTransaction, simulate } from '../../rpc/calls.ts';
import type { StellarConnection } from '../../rpc/connections.ts';
import { markDeploying } from '../channels.ts';
import { type ApprovedOperation, assemble, readApproved, readTransactionBytes, requireOperation } from '../transaction.ts';
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

/** Calls of contracts, which the wallet allows with an entry. The mark of an operation is the nonce of its entry: the chain takes it once. */

/**
 * Whoever saw an entry can have it run until its last ledger, also after a transaction with it failed. Where that is near the end of the
 * operation waits for it; further away people wait for the answer, and what they approved may still happen.
 */
const waitLedgersMax = 150;

export function callKind(deps: KindDeps): Kind {
  const { network } = deps;
  return {
    build: async (connection, { operation, operationId }) => {
      const approved = readApproved(operation);
      const { wallet } = approved.operation;
      return withChannel(deps, { operationId, wallet }, ({ channel, lease }) =>
        build(connection, { approved, channel, mayDeploy: () => markDeploying(deps.db, lease) }),
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
  readonly approved: ApprovedOperation;
  readonly channel: string;
  readonly mayDeploy: () => Promise<boolean>;
}

async function build(connection: StellarConnection, { approved, channel, mayDeploy }: BuildInput): Promise<BuildAnswer> {
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
  return { bytes: encode(transaction) };
}

/** Where the chain notes that an entry was used: it does so where its transaction did what it should. */
function nonceKey(wallet: string, nonce: bigint): xdr.LedgerKey {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }));
  const durability = xdr.ContractDataDurability.temporary;
  return xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract: new Address(wallet).toScAddress(), key, durability }));
}

/** @throws Error where the node contradicts what was signed */
async function look(
  { network }: KindDeps,
  connection: StellarConnection,
  { txId, raw }: LateTransaction,
): Promise<LateEnd | 'pending' | 'stale'> {
  const { maxLedger, maxFee, mark } = readTransactionBytes(raw, network.passphrase);
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND' && found.latestLedger < maxLedger) return 'pending';
  if (found.status !== 'NOT_FOUND' && found.ledger >= maxLedger) throw new Error(`The node has ${txId} in a ledger that does not take it.`);
  if (found.status === 'SUCCESS') {
    const { onChain, ...paid } = landed(network, { txId, found, maxFee });
    return { ...paid, onChain: { ...onChain, ...resultOf(found.resultMetaXdr) }, status: 'success' };
  }
  // It did nothing itself, and may have run by other bytes: those of an earlier turn, or of somebody who saw the entry.
  const { entries, latestLedger } = await readEntries(connection, [nonceKey(mark.wallet, mark.nonce)]);
  if (entries[0]) return { onChain: onChainOf(network, txId), costMinor: maxFee, fees: {}, status: 'success' };
  if (found.status === 'NOT_FOUND') return 'stale';
  const left = mark.expirationLedger - latestLedger;
  if (left >= 0 && left <= waitLedgersMax) return 'pending';
  const error: OperationError = { reason: 'program_error', message: failureOf(found.resultXdr.result), logs: [] };
  return { ...landed(network, { txId, found, maxFee }), status: 'failed', error };
}

/**
 * `onChain.result` (supplement, section 6): what the call answered, an `ScVal` as XDR in base64. Nothing where it answered nothing, or more
 * than an answer of this service shows.
 */
function resultOf(meta: xdr.TransactionMeta): { readonly result?: string } {
  const told = meta.type === 'v4' ? meta.v4.sorobanMeta : meta.type === 'v3' ? meta.v3.sorobanMeta : undefined;
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
