import type { xdr } from '@stellar/stellar-sdk/base';
import type { LateEnd, LateTransaction } from '../../../family/late/network.ts';
import { accountKey, readAccountEntry, spendableOf } from '../../account/entry.ts';
import { readMissing } from '../../account/make-ready.ts';
import {
  assembleSetUp,
  readSetUp,
  readSetUpBytes,
  requireSetUp,
  reservesOf,
  type SetUp,
} from '../../account/set-up.ts';
import { readEntries, readFeeStats, readTransaction } from '../../rpc/calls.ts';
import type { StellarConnection } from '../../rpc/connections.ts';
import { markDeploying } from '../channels.ts';
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
  sequenceOf,
  withChannel,
} from './kind.ts';

/**
 * Accounts of wallets and their trust lines. There is no mark: what is there already is not made
 * again.
 */
export function setUpKind(deps: KindDeps): Kind {
  return {
    build: async (connection, { operation, operationId }) => {
      const setUp = readSetUp(operation)!;
      return withChannel(deps, { operationId, wallet: setUp.wallet }, async ({ channel, lease }) =>
        // One at a time for a wallet: of two the second would fail.
        (await markDeploying(deps.db, lease)) ? build(connection, setUp, channel) : 'later',
      );
    },
    complete(value, built, signature) {
      const { transaction, txId, channel, wallet } = requireSetUp(readSetUp(value)!, built);
      transaction.addSignature(wallet, Buffer.from(signature).toString('base64'));
      keyOf(deps, channel).sign(transaction);
      return { txId, raw: encode(transaction) };
    },
    identify: (value, raw) => requireSetUp(readSetUp(value)!, raw).txId,
    look: (connection, sent) => look(deps, connection, sent),
  };
}

/** Operations of a set-up: begin, account, trust line, end. */
const operationsMax = 4n;

async function build(
  connection: StellarConnection,
  setUp: SetUp,
  channel: string,
): Promise<BuildAnswer> {
  const missing = await readMissing(connection, setUp.wallet, setUp.asset);
  if (!missing.makesAccount && !missing.makesLine)
    return { done: { onChain: {}, costMinor: 0n, fees: {}, status: 'success' } };
  const [{ entries, latestLedger }, stats] = await Promise.all([
    readEntries(connection, [accountKey(channel)]),
    readFeeStats(connection),
  ]);
  const sequence = sequenceOf(entries[0], channel);
  const fee = bidOf(stats.inclusionFee.p90);
  // Whoever keeps reserves for others tops up: see the account in `purser chains`.
  if (spendableOf(readAccountEntry(entries[0]!.data)!) < reservesOf(missing) + fee * operationsMax)
    return 'later';
  return {
    bytes: encode(
      assembleSetUp(setUp, {
        ...missing,
        channel,
        sequence,
        maxLedger: latestLedger + ledgersMax,
        fee,
      }),
    ),
  };
}

async function look(
  { network }: KindDeps,
  connection: StellarConnection,
  { txId, raw }: LateTransaction,
): Promise<LateEnd | 'pending' | 'stale'> {
  const { transaction, channel, maxLedger, maxFee, reserves, made } = readSetUpBytes(
    raw,
    network.passphrase,
  )!;
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND') return found.latestLedger < maxLedger ? 'pending' : 'stale';
  if (found.ledger >= maxLedger)
    throw new Error(`The node has ${txId} in a ledger that does not take it.`);
  const end = landed(network, { txId, found, maxFee });
  if (found.status === 'FAILED') {
    const { ledger } = found;
    const sequence = BigInt(transaction.sequence);
    const failure = { txId, ledger, maxLedger, source: channel, sequence };
    if (!(await isFailureCertain(connection, failure))) return 'pending';
    return { ...end, status: 'failed', ...failed(failureOf(found.resultXdr.result, made)) };
  }
  // What is kept for the account is money that the service cannot use: it counts like a fee.
  return { ...end, costMinor: end.costMinor + reserves, status: 'success' };
}

const failed = (message: string) => ({ error: refuse('program_error', message).refused });

function failureOf(result: xdr.TransactionResultResult, made: readonly string[]): string {
  const operations = result.type === 'txFailed' ? result.results : [];
  const why = operations
    .flatMap((one) => (one.type === 'opInner' ? [resultName(one.tr)] : []))
    .find((name) => !name.endsWith('Success'));
  const known: Readonly<Record<string, string>> = {
    changeTrustNoIssuer: `the issuer of ${made.at(-1)} does not exist`,
    changeTrustLowReserve: 'the service has too few lumens for the reserve',
    createAccountLowReserve: 'the service has too few lumens for the reserve',
    createAccountAlreadyExist: 'somebody else has made the account meanwhile: ask again',
  };
  return `the network refused it: ${known[why ?? ''] ?? why ?? result.type}`;
}
