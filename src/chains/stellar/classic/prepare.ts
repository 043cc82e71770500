import {
  Asset,
  extractBaseAddress,
  Memo,
  type OperationRecord,
  Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount, parseDecimalAmount } from '../../../lib/money/amount.ts';
import type { FamilyWallet, PreparedOperation } from '../../family.ts';
import { accountKey, readAccountEntry, spendableOf } from '../account/entry.ts';
import { type MakeReady, readMissing } from '../account/make-ready.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readEntries, readFeeStats } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { assetDecimals, balanceKey, balanceOf } from '../tokens/assets.ts';
import { assembleClassic, operationsOf, receiversOf, storeClassic } from './stored.ts';

export interface ClassicDeps {
  readonly makeReady: MakeReady;
  /** The next sequence number of an account, above what the chain has. */
  readonly claimSequence: (input: {
    readonly wallet: string;
    readonly above: bigint;
  }) => Promise<bigint>;
}

export interface ClassicInput {
  readonly wallet: FamilyWallet;
  /** As answered. */
  readonly params: JsonObject;
  readonly operations: readonly xdr.Operation[];
  readonly memo: Memo;
  readonly now: Date;
}

/** Of one transaction; the network's own bound is 100. */
const operationsMax = 20;
const validMs = 15 * 60 * 1000;
const ledgersAhead = 150;
/** Bid for each operation at most, in stroops. */
const feeMaxStroops = 100_000n;

/** What an account may do here: it moves what it has, and stays the one key that it is. */
const allowed: ReadonlySet<string> = new Set([
  'payment',
  'pathPaymentStrictSend',
  'pathPaymentStrictReceive',
  'createAccount',
  'changeTrust',
  'createClaimableBalance',
  'claimClaimableBalance',
  'manageSellOffer',
  'manageBuyOffer',
  'createPassiveSellOffer',
  'manageData',
]);
const refused: Readonly<Record<string, string>> = {
  setOptions: 'would put other keys beside the wallet’s own',
  accountMerge: 'would end the account, and with it the wallet',
  bumpSequence:
    'would make operations worthless that are under way: sequence numbers are the service’s',
  beginSponsoringFutureReserves: 'needs the signature of another account',
  endSponsoringFutureReserves: 'needs the signature of another account',
  revokeSponsorship: 'is for sponsors: the wallet’s reserves are the service’s',
  invokeHostFunction: 'cannot stand beside others: send it alone, as a call of a contract',
};

/** What stands in a serialised transaction of version 1. @throws validation-error */
export function readTransaction(text: string, { passphrase }: StellarNetwork): Transaction {
  try {
    const transaction = TransactionBuilder.fromXdr(text, passphrase);
    if (transaction instanceof Transaction) return transaction;
  } catch {
    // Told below.
  }
  throw new ServiceError('validation-error', {
    message:
      'params.transaction.serializedTransaction: must be a transaction of version 1, XDR in base64; the service makes the fee bump.',
  });
}

/**
 * Classic operations as the caller wrote them. Sequence number, time bounds, signatures and fee are
 * those of the service.
 * @throws transaction-invalid
 */
export function readOperations(
  transaction: Transaction,
  wallet: string,
): Pick<ClassicInput, 'operations' | 'memo'> {
  if (transaction.source !== wallet) throw invalid(`its source has to be the wallet, ${wallet}`);
  const { operations, memo } = transaction;
  if (operations.length === 0 || operations.length > operationsMax)
    throw invalid(`must have 1 to ${operationsMax} operations`);
  for (const [index, { type, source }] of operations.entries()) {
    if (source !== undefined && source !== wallet)
      throw invalid(`operation ${index + 1} is of another account, which does not sign here`);
    if (!allowed.has(type))
      throw invalid(
        `operation ${index + 1}, ${type}, ${refused[type] ?? 'is not made by wallets here'}`,
      );
  }
  return { operations: operationsOf(transaction), memo };
}

/**
 * From classic operations to what the relay sends. Nodes simulate none, so what is certain to fail
 * is looked for here; trust lines that are to be opened are made by the service first, with its
 * reserves.
 * @throws transaction-invalid, insufficient-balance, invalid-recipient, provider-unavailable
 */
export async function prepareClassic(
  deps: ClassicDeps,
  connection: StellarConnection,
  input: ClassicInput,
): Promise<PreparedOperation> {
  const { wallet, now, memo, operations } = input;
  const { network } = connection;
  const parts = { wallet: wallet.address, passphrase: network.passphrase, operations, memo };
  const records = assembleClassic({ ...parts, sequence: 1n, maxLedger: 0 }).operations;
  await openLines(deps, connection, input, records);
  await requireMeans(connection, wallet.address, records);
  const [{ entries, latestLedger }, stats] = await Promise.all([
    readEntries(connection, [accountKey(wallet.address)]),
    readFeeStats(connection),
  ]);
  const above = readAccountEntry(entries[0]?.data)?.seqNum ?? 0n;
  requirePossible(above, now, network);
  const sequence = await deps.claimSequence({ wallet: wallet.address, above });
  const transaction = assembleClassic({ ...parts, sequence, maxLedger: 0 });
  const count = BigInt(records.length + 1);
  const estimate = stats.inclusionFee.p90 * count;
  const validUntil = new Date(now.getTime() + validMs);
  const stored = {
    chain: network.name,
    ...parts,
    transaction,
    validUntil,
    costMax: feeMaxStroops * count,
  };
  return {
    chain: network.name,
    params: input.params,
    operation: storeClassic(stored),
    onChain: {
      transaction: { method: records[0]!.type, tx: transaction.toXdr() },
      expiration: latestLedger + ledgersAhead,
    },
    message: transaction.toXdr(),
    validUntil,
    feesEstimate: {
      inclusionStroops: estimate.toString(),
      amountStroops: estimate.toString(),
      token: network.native.symbol,
    },
    preview: { balanceChanges: changesOf(network, records), gas: '0', sponsored: true },
    counterparties: [...new Set(records.flatMap(receiversOf))].filter(
      (address) => address !== wallet.address,
    ),
  };
}

/** When the first of the public networks began. */
const firstLedgerMs = Date.UTC(2015, 8, 30);

/**
 * An account's first number is that of its ledger, times 2 ** 32, and of two ledgers the later one
 * is a second later at least. What a node says beyond that would be signed, and leave the account
 * no numbers. @throws upstream-error
 */
function requirePossible(sequence: bigint, now: Date, { name }: StellarNetwork): void {
  const ledgersMax = BigInt(Math.ceil((now.getTime() - firstLedgerMs) / 1_000));
  if (sequence >> 32n > ledgersMax)
    throw new ServiceError('upstream-error', {
      message: `The node of "${name}" shows a sequence number that no account can have: retry later.`,
    });
}

/** The account, and the trust lines that the operations open. */
async function openLines(
  { makeReady }: ClassicDeps,
  connection: StellarConnection,
  { wallet, now }: ClassicInput,
  records: readonly OperationRecord[],
): Promise<void> {
  const { projectId, owner = wallet.address } = wallet;
  if (projectId === undefined) throw new Error(`The wallet ${wallet.address} is of no project.`);
  const recipient = { wallet, projectId, owner };
  const assets = records.flatMap((one) =>
    one.type === 'changeTrust' && one.line instanceof Asset && Number(one.limit) > 0
      ? [one.line.contractId(connection.network.passphrase)]
      : [],
  );
  for (const address of assets.length > 0 ? new Set(assets) : [undefined])
    await makeReady(connection, {
      recipient,
      token: address === undefined ? {} : { address },
      now,
    });
}

interface Spent {
  readonly asset: Asset;
  amountMinor: bigint;
}

/**
 * What payments alone take, of what is there before them.
 * @throws insufficient-balance, invalid-recipient
 */
async function requireMeans(
  connection: StellarConnection,
  wallet: string,
  records: readonly OperationRecord[],
): Promise<void> {
  const spent = new Map<string, Spent>();
  // What other operations bring or take nobody knows before them.
  if (!records.every(({ type }) => type === 'payment' || type === 'createClaimableBalance')) return;
  for (const one of records) {
    if (one.type !== 'payment' && one.type !== 'createClaimableBalance') continue;
    const known = spent.get(one.asset.toString()) ?? { asset: one.asset, amountMinor: 0n };
    known.amountMinor += parseDecimalAmount(one.amount, assetDecimals);
    spent.set(one.asset.toString(), known);
    if (one.type === 'payment') await requireReceiver(connection, one.destination, one.asset);
  }
  for (const { asset, amountMinor } of spent.values()) {
    const { entries } = await readEntries(connection, [
      balanceKey({ asset, contract: '', holder: wallet }),
    ]);
    const data = entries[0]?.data;
    const have = data?.type === 'account' ? spendableOf(data.account) : balanceOf(data);
    if (asset.getIssuer?.() !== wallet && have < amountMinor)
      throw new ServiceError('insufficient-balance', {
        message: `The wallet has ${formatAmount(have, assetDecimals)} ${asset.getCode()} on "${connection.network.name}", the transaction needs ${formatAmount(amountMinor, assetDecimals)}.`,
      });
  }
}

/** @throws invalid-recipient */
async function requireReceiver(
  connection: StellarConnection,
  destination: string,
  asset: Asset,
): Promise<void> {
  const account = extractBaseAddress(destination);
  const { makesAccount, makesLine } = await readMissing(
    connection,
    account,
    asset.isNative() ? undefined : asset.toString(),
  );
  if (!makesAccount && !makesLine) return;
  throw new ServiceError('invalid-recipient', {
    message: makesAccount
      ? `The recipient ${account} is an account that does not exist on the network yet: send createAccount, or let its owner create it.`
      : `The recipient ${account} has no trust line for ${asset.getCode()}: its owner adds one, or the transaction creates a claimable balance for it.`,
  });
}

/** As answered: what payments take. */
function changesOf(
  { name, passphrase }: StellarNetwork,
  records: readonly OperationRecord[],
): JsonObject[] {
  return records.flatMap((one) => {
    if (one.type === 'createAccount')
      return [{ token: `${name}:xlm`, amount: `-${one.startingBalance}` }];
    if (one.type !== 'payment' && one.type !== 'createClaimableBalance') return [];
    const token = one.asset.isNative() ? 'xlm' : one.asset.contractId(passphrase);
    return [{ token: `${name}:${token}`, amount: `-${one.amount}` }];
  });
}

function invalid(reason: string): ServiceError {
  return new ServiceError('transaction-invalid', {
    message: `params.transaction.serializedTransaction: ${reason}.`,
  });
}
