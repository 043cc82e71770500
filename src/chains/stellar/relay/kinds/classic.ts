import type { xdr } from '@stellar/stellar-sdk/base';
import type { LateEnd, LateTransaction } from '../../../family/late/network.ts';
import { selectSiblings } from '../../../family/late/store.ts';
import { accountKey, readAccountEntry } from '../../account/entry.ts';
import { readFeeBump, requireClassic, wrap } from '../../classic/fee-bump.ts';
import {
  isClassic,
  readClassic,
  type StoredClassic,
  withLastLedger,
} from '../../classic/stored.ts';
import { readEntries, readFeeStats, readTransaction } from '../../rpc/calls.ts';
import type { StellarConnection } from '../../rpc/connections.ts';
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
  refuse,
  resultName,
  tooDear,
} from './kind.ts';

/**
 * Classic operations of wallets, in the order in which they were asked for; the service pays around
 * them.
 */
export function classicKind(deps: KindDeps): Kind {
  return {
    async build(connection, { operation, operationId }) {
      const stored = readClassic(operation);
      const isEarlier = (one: typeof operation) =>
        isClassic(one) && readClassic(one).sequence < stored.sequence;
      // One that overtakes would make those before it worthless.
      return (await selectSiblings(deps.db, operationId)).some(isEarlier)
        ? 'later'
        : build(deps, connection, stored);
    },
    complete(value, built, signature) {
      const stored = readClassic(value);
      const { inner, payer, maxFee } = requireClassic(stored, built);
      inner.addSignature(stored.wallet, Buffer.from(signature).toString('base64'));
      const bump = wrap(inner, { payer, fee: maxFee / BigInt(inner.operations.length + 1) });
      keyOf(deps, payer).sign(bump);
      return { txId: Buffer.from(bump.hash()).toString('hex'), raw: encode(bump) };
    },
    identify: (value, raw) => requireClassic(readClassic(value), raw).txId,
    look: (connection, sent) => look(deps, connection, sent),
  };
}

async function build(
  { channels, isEmpty = () => false }: KindDeps,
  connection: StellarConnection,
  stored: StoredClassic,
): Promise<BuildAnswer> {
  const payers = channels.map(({ address }) => address).filter((address) => !isEmpty(address));
  if (payers.length === 0) return 'later';
  const [{ entries, latestLedger }, stats] = await Promise.all([
    readEntries(connection, [accountKey(stored.wallet)]),
    readFeeStats(connection),
  ]);
  const account = readAccountEntry(entries[0]?.data);
  if (!account)
    return refuse(
      'build_failed',
      `The account ${stored.wallet} does not exist on the network any more.`,
    );
  // Told as failed it would be made once more.
  if (account.seqNum >= stored.sequence)
    throw new Error(
      'Its sequence number is used: it has run, by a transaction that is not known here.',
    );
  const inner = withLastLedger(stored, latestLedger + ledgersMax);
  const fee = bidOf(stats.inclusionFee.p90);
  const cost = fee * BigInt(inner.operations.length + 1);
  if (cost > stored.costMax) return tooDear(cost, stored.costMax);
  const payer = payers[Number(stored.sequence % BigInt(payers.length))]!;
  return { bytes: encode(wrap(inner, { payer, fee })) };
}

async function look(
  { network }: KindDeps,
  connection: StellarConnection,
  { txId, raw }: LateTransaction,
): Promise<LateEnd | 'pending' | 'stale'> {
  const { inner, maxLedger, maxFee } = readFeeBump(raw, network.passphrase)!;
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND') return found.latestLedger < maxLedger ? 'pending' : 'stale';
  if (found.ledger >= maxLedger)
    throw new Error(`The node has ${txId} in a ledger that does not take it.`);
  const end = landed(network, { txId, found, maxFee });
  if (found.status === 'SUCCESS') return { ...end, status: 'success' };
  const { ledger } = found;
  const { source, sequence } = inner;
  const failure = { txId, ledger, maxLedger, source, sequence: BigInt(sequence) };
  if (!(await isFailureCertain(connection, failure))) return 'pending';
  return {
    ...end,
    status: 'failed',
    error: { ...refuse('program_error', failureOf(found.resultXdr.result)).refused, logs: [] },
  };
}

const reasons: Readonly<Record<string, string>> = {
  paymentUnderfunded: 'the balance does not suffice',
  paymentSrcNoTrust: 'the wallet has no trust line for this asset',
  paymentNoDestination: 'the recipient is an account that does not exist',
  paymentNoTrust: 'the recipient has no trust line for this asset',
  paymentLineFull: 'the recipient’s trust line is full',
  createAccountAlreadyExist: 'the account exists already',
  createAccountLowReserve: 'an account begins with one lumen or more',
  createAccountUnderfunded: 'the balance does not suffice',
  changeTrustLowReserve: 'the wallet has too few lumens for the reserve',
  changeTrustInvalidLimit: 'the trust line holds more than its limit would be',
  createClaimableBalanceLowReserve: 'the wallet has too few lumens for the reserve',
  createClaimableBalanceUnderfunded: 'the balance does not suffice',
  claimClaimableBalanceNoTrust: 'the wallet has no trust line for this asset',
  claimClaimableBalanceDoesNotExist: 'the claimable balance does not exist',
};

/** The first operation that fails, in words. */
function failureOf(result: xdr.TransactionResultResult): string {
  const inner =
    result.type === 'txFeeBumpInnerFailed' ? result.innerResultPair.result.result : result;
  const results = inner.type === 'txFailed' ? inner.results : [];
  const names = results.map((one) => (one.type === 'opInner' ? resultName(one.tr) : one.type));
  const index = names.findIndex((name) => !name.endsWith('Success'));
  const why = index < 0 ? inner.type : names[index]!;
  return `The network refused ${index < 0 ? 'the transaction' : `operation ${index + 1}`}: ${reasons[why] ?? why}.`;
}
