import { randomBytes } from 'node:crypto';
import {
  Account,
  Asset,
  encodeMuxedAccount,
  encodeMuxedAccountToAddress,
  Memo,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { addressValue, amountValue } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { DepositInstructions, DepositIntent } from '../../family.ts';
import { accountKey, readAccountEntry } from '../account/entry.ts';
import { checkStellarAddress, isStellarRecipient } from '../addresses.ts';
import { nobody } from '../operation/simulate.ts';
import { readEntries, readFeeStats, simulate } from '../rpc/calls.ts';
import type { StellarConnection, StellarConnections } from '../rpc/connections.ts';
import { assetDecimals, balanceKey } from '../tokens/assets.ts';
import type { StellarTokens } from '../tokens/tokens.ts';
import { memoPattern } from '../watcher/index.ts';

export interface DepositDeps {
  readonly connections: StellarConnections;
  readonly tokens: Pick<StellarTokens, 'describe' | 'resolve'>;
}

/** What a payer offers to be taken up, whatever a node says. */
const inclusionMaxStroops = 100_000n;
/** Of a call, whatever a node says. */
const resourceMaxStroops = 20_000_000n;
/** An account begins with no less. */
const firstLumensStroops = 10_000_000n;

/**
 * As `Deposits.newMemo`: a number of 64 bits, which payments carry as their memo, and calls as the
 * number of the recipient.
 */
export function newStellarMemo(): string {
  return randomBytes(8).readBigUInt64BE().toString();
}

/**
 * As `Deposits.depositInstructions`: base64 of an unsigned transaction. Between accounts it is a
 * payment with the memo. The network takes no memo with a call of a contract: a wallet that is one
 * names the recipient with the number, and where the recipient is one there is no room for it at
 * all.
 */
export async function stellarDepositInstructions(
  deps: DepositDeps,
  intent: DepositIntent,
): Promise<DepositInstructions> {
  checkIntent(intent);
  const connection = await deps.connections.connect(intent.chain);
  const asset = await findAsset(deps, connection, intent);
  const { payerAddress, recipientAddress, memo } = intent;
  if (asset && isAccount(payerAddress) && isAccount(recipientAddress))
    return {
      serializedTransaction: await writePayment(connection, asset, intent),
      carriesMemo: true,
    };
  const carriesMemo = asset !== undefined && isAccount(recipientAddress);
  const to = carriesMemo ? numbered(recipientAddress, memo) : recipientAddress;
  return { serializedTransaction: await writeCall(connection, intent, to), carriesMemo };
}

const isAccount = (address: string) => address.startsWith('G');

const numbered = (account: string, id: string) =>
  encodeMuxedAccountToAddress(encodeMuxedAccount(account, id));

/** @throws invalid-recipient, token-not-supported, validation-error */
function checkIntent({ token, payerAddress, recipientAddress, memo }: DepositIntent): void {
  if (!memoPattern.test(memo)) throw new Error(`"${memo}" is no memo of newMemo()`);
  const wrong = checkStellarAddress(payerAddress);
  if (wrong)
    throw new ServiceError('validation-error', { message: `payment.payerAddress: ${wrong}.` });
  if (!isStellarRecipient(recipientAddress)) throw new ServiceError('invalid-recipient');
  if (token.tokenId !== undefined)
    throw new ServiceError('token-not-supported', {
      message: `${token.locator} is one of a collection: it cannot be paid with.`,
    });
}

/** Undefined: the token is a contract of its own. @throws token-not-supported */
async function findAsset(
  { tokens }: DepositDeps,
  connection: StellarConnection,
  { token }: DepositIntent,
): Promise<Asset | undefined> {
  if (token.address === undefined) return Asset.native();
  const { address: contract } = token;
  const told = (await tokens.describe(connection, [contract])).get(contract);
  if (!told)
    throw new ServiceError('token-not-supported', {
      message: `There is no token at ${contract} on "${token.chain}".`,
    });
  return told.asset;
}

/** @throws insufficient-balance, invalid-recipient */
async function writePayment(
  connection: StellarConnection,
  asset: Asset,
  intent: DepositIntent,
): Promise<string> {
  const { payerAddress, recipientAddress: destination, amountMinor, memo } = intent;
  const contract = intent.token.address ?? connection.network.nativeContract;
  const keys = [
    accountKey(payerAddress),
    accountKey(destination),
    balanceKey({ asset, contract, holder: destination }),
  ];
  const [{ entries }, { inclusionFee }] = await Promise.all([
    readEntries(connection, keys),
    readFeeStats(connection),
  ]);
  const payer = readAccountEntry(entries[0]?.data);
  if (!payer)
    throw new ServiceError('insufficient-balance', {
      message: `There is no account ${payerAddress} on "${intent.chain}" yet.`,
    });
  const amount = formatAmount(amountMinor, assetDecimals);
  const [exists, takes] = [
    entries[1] !== undefined,
    entries[2] !== undefined || asset.getIssuer() === destination,
  ];
  checkRecipient(intent, { exists, takes, isNative: asset.isNative() });
  const operation = !exists
    ? Operation.createAccount({ destination, startingBalance: amount })
    : Operation.payment({ destination, asset, amount });
  return new TransactionBuilder(new Account(payerAddress, payer.seqNum.toString()), {
    fee: atMost(inclusionFee.p90, inclusionMaxStroops).toString(),
    networkPassphrase: connection.network.passphrase,
  })
    .addOperation(operation)
    .addMemo(Memo.id(memo))
    .setTimeout(0)
    .build()
    .toXdr();
}

interface RecipientState {
  readonly exists: boolean;
  readonly takes: boolean;
  readonly isNative: boolean;
}

/** Lumens make an account that is not there yet. @throws invalid-recipient */
function checkRecipient(
  { recipientAddress, token, amountMinor }: DepositIntent,
  { exists, takes, isNative }: RecipientState,
): void {
  const why =
    !exists && !isNative
      ? 'does not exist'
      : !exists && amountMinor < firstLumensStroops
        ? 'does not exist: it begins with one lumen or more'
        : exists && !takes
          ? `has no trust line for ${token.locator}`
          : undefined;
  if (why !== undefined)
    throw new ServiceError('invalid-recipient', {
      message: `The account ${recipientAddress} ${why}.`,
    });
}

/** @throws insufficient-balance */
async function writeCall(
  connection: StellarConnection,
  intent: DepositIntent,
  to: string,
): Promise<string> {
  const { payerAddress, token, amountMinor } = intent;
  const args = [addressValue(payerAddress), addressValue(to), amountValue(amountMinor)];
  const contract = token.address ?? connection.network.nativeContract;
  const call = (auth: xdr.SorobanAuthorizationEntry[]) =>
    Operation.invokeContractFunction({ contract, function: 'transfer', args, auth });
  const source = await readSource(connection, intent);
  const builder = (fee: bigint, auth: xdr.SorobanAuthorizationEntry[] = []) =>
    new TransactionBuilder(new Account(source.address, source.sequence), {
      fee: fee.toString(),
      networkPassphrase: connection.network.passphrase,
    })
      .addOperation(call(auth))
      .setTimeout(0);
  const [simulated, { sorobanInclusionFee }] = await Promise.all([
    simulate(connection, builder(100n).build().toXdr(), 'record'),
    readFeeStats(connection),
  ]);
  const { error, transactionData, minResourceFee, results } = simulated;
  if (error != null || !transactionData || minResourceFee == null)
    throw new ServiceError('insufficient-balance', {
      message: `The payer cannot make this deposit now: ${(error ?? 'the node tells no resources').slice(0, 200)}`,
    });
  if (minResourceFee > resourceMaxStroops)
    throw new ServiceError('upstream-error', {
      message: `The node of "${intent.chain}" asks ${minResourceFee} stroops for a transfer: retry later.`,
    });
  const fee = atMost(sorobanInclusionFee.p90, inclusionMaxStroops);
  return builder(fee, [...(results?.[0]?.auth ?? [])])
    .setSorobanData(transactionData)
    .build()
    .toXdr();
}

/**
 * A contract sends nothing itself: whoever sends for it puts an account of his own in place of
 * nobody's.
 */
async function readSource(connection: StellarConnection, { payerAddress, chain }: DepositIntent) {
  if (!isAccount(payerAddress)) return { address: nobody, sequence: '0' };
  const { entries } = await readEntries(connection, [accountKey(payerAddress)]);
  const account = readAccountEntry(entries[0]?.data);
  if (!account)
    throw new ServiceError('insufficient-balance', {
      message: `There is no account ${payerAddress} on "${chain}" yet.`,
    });
  return { address: payerAddress, sequence: account.seqNum.toString() };
}

const atMost = (fee: bigint, max: bigint) => (fee < 100n ? 100n : fee > max ? max : fee);
