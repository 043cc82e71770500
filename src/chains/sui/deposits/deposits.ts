import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../../lib/errors.ts';
import { checkMoveAddress } from '../../family/names/move-addresses.ts';
import type { DepositInstructions, DepositIntent, Deposits, PayerState } from '../../family.ts';
import { canonicalSuiAddress, isSuiRecipient } from '../addresses.ts';
import { suiCoinType } from '../config/networks.ts';
import { writeTransaction } from '../operation/transaction.ts';
import { chooseCoins, transferProgram } from '../operation/transfer-program.ts';
import { readGasPrice, readHead } from '../rpc/checkpoints.ts';
import type { SuiConnection, SuiConnections } from '../rpc/connections.ts';
import { type Coin, readBalance, readCoins, sumOf } from '../rpc/objects.ts';
import { type GasUsed, simulateTransaction } from '../rpc/transactions.ts';
import { coinTypeOf } from '../tokens/tokens.ts';
import { memoPattern } from '../watcher/movements.ts';

/** What a deposit costs at most; what it uses is found out by a simulation. In MIST. */
const budgetMax = 20_000_000n;
/** What is added to what the simulation used. */
const spareMist = 1_000_000n;
/** What a payer must have for fees: a deposit of one coin to a new recipient. */
const feesMin = 5_000_000n;
/** Epochs for which the transaction is taken beside the current one. */
const epochsMore = 1n;

/**
 * As `Deposits.newMemo`: 16 random bytes, as text: the function that takes it refuses bytes that
 * are no UTF-8.
 */
export function newSuiMemo(): string {
  return randomBytes(16).toString('hex');
}

/**
 * As `Deposits.depositInstructions`: base64 of an unsigned transaction with a transfer and its
 * memo. It names versions of the payer's coins, so it holds until one of them is used otherwise, or
 * the next epoch is over.
 */
export async function suiDepositInstructions(
  connections: SuiConnections,
  intent: DepositIntent,
): Promise<DepositInstructions> {
  const recipient = checkIntent(intent);
  const connection = await connections.connect(intent.chain);
  const owner = canonicalSuiAddress(intent.payerAddress);
  const coinType = coinTypeOf(intent.token);
  const isNative = coinType === suiCoinType;
  const [{ epoch }, price, gasCoins] = await Promise.all([
    readHead(connection),
    readGasPrice(connection),
    readPayment(
      connection,
      { owner, coinType: suiCoinType, amount: budgetMax + (isNative ? intent.amountMinor : 0n) },
      { orNone: !isNative },
    ),
  ]);
  const coins = isNative
    ? 'gas'
    : await readPayment(connection, { owner, coinType, amount: intent.amountMinor });
  const program = transferProgram(
    { coinType, amount: intent.amountMinor, recipient, memo: intent.memo },
    coins,
  );
  const write = (budget: bigint) =>
    writeTransaction({
      program,
      sender: owner,
      gas: { payment: gasCoins, owner, price, budget },
      expiresAfterEpoch: epoch + epochsMore,
    });
  // A payer without SUI: a wallet of this service, say, whose gas others pay.
  if (gasCoins.length === 0)
    return { serializedTransaction: toBase64(write(budgetMax)), carriesMemo: true };
  const left = sumOf(gasCoins) - (isNative ? intent.amountMinor : 0n);
  if (left <= 0n)
    throw new ServiceError('insufficient-balance', {
      message: `${owner} has no SUI left for the fees of the network.`,
    });
  const tried = left < budgetMax ? left : budgetMax;
  const simulated = await simulateTransaction(connection, write(tried));
  const why = 'refusal' in simulated ? simulated.refusal : simulated.failure;
  if ('refusal' in simulated || why !== undefined)
    throw new ServiceError('insufficient-balance', {
      message: `The payer cannot make this deposit now: ${why?.slice(0, 200)}`,
    });
  const enough = budgetOf(simulated.gas);
  return {
    serializedTransaction: toBase64(write(enough < tried ? enough : tried)),
    carriesMemo: true,
  };
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function budgetOf({ computation, storage, rebate }: GasUsed): bigint {
  return computation + (storage > rebate ? storage - rebate : 0n) + spareMist;
}

/** @throws invalid-recipient, token-not-supported, validation-error */
function checkIntent({ token, payerAddress, recipientAddress, memo }: DepositIntent): string {
  if (!memoPattern.test(memo)) throw new Error(`"${memo}" is no memo of newMemo()`);
  const wrong = checkMoveAddress(payerAddress, 'sui');
  if (wrong)
    throw new ServiceError('validation-error', { message: `payment.payerAddress: ${wrong}.` });
  if (!isSuiRecipient(recipientAddress)) throw new ServiceError('invalid-recipient');
  if (token.tokenId !== undefined)
    throw new ServiceError('token-not-supported', {
      message: `${token.locator} is one of a collection: it cannot be paid with.`,
    });
  return canonicalSuiAddress(recipientAddress);
}

interface Payment {
  readonly owner: string;
  readonly coinType: string;
  readonly amount: bigint;
}

/**
 * The largest coins that make up an amount; of SUI, which pays the gas too, as much as there is.
 * @throws insufficient-balance
 */
async function readPayment(
  connection: SuiConnection,
  { owner, coinType, amount }: Payment,
  { orNone = false } = {},
): Promise<Coin[]> {
  const all = await readCoins(connection, { owner, coinType });
  const chosen = chooseCoins(all, amount);
  if (chosen.length === 0 ? orNone : sumOf(chosen) >= amount || coinType === suiCoinType)
    return chosen;
  throw new ServiceError('insufficient-balance', {
    message: `${owner} has not enough coins of ${coinType}.`,
  });
}

/** As `Deposits.payerState`. */
export async function suiPayerState(
  connections: SuiConnections,
  {
    chain,
    token,
    amountMinor,
    payerAddress,
    sponsored = false,
  }: Parameters<Deposits['payerState']>[0],
): Promise<PayerState> {
  const connection = await connections.connect(chain);
  const owner = canonicalSuiAddress(payerAddress);
  const coinType = coinTypeOf(token);
  const held = await readBalance(connection, { owner, coinType });
  if (held < amountMinor) return 'insufficient-funds';
  if (sponsored) return 'ok';
  const left =
    coinType === suiCoinType
      ? held - amountMinor
      : await readBalance(connection, { owner, coinType: suiCoinType });
  return left < feesMin ? 'insufficient-funds-for-gas' : 'ok';
}
