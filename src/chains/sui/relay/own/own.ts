import { bcs } from '@mysten/sui/bcs';
import type { Logger } from '../../../../lib/log/log.ts';
import type { Store, Tx } from '../../../../store/types.ts';
import { recordSpending } from '../../../family/spending/budgets.ts';
import { costOf, readFate } from '../../operation/fate.ts';
import type { Argument, CallArg, ObjectRef, Program } from '../../operation/program.ts';
import {
  type DecodedTransaction,
  decodeSigned,
  encodeSigned,
  transactionDigest,
  writeTransaction,
} from '../../operation/transaction.ts';
import { readGasPrice, readHead } from '../../rpc/checkpoints.ts';
import type { SuiConnection } from '../../rpc/connections.ts';
import { type Executed, sendTransaction } from '../../rpc/transactions.ts';
import { isAnyPooled } from '../gas/store.ts';
import type { SigningAccount } from '../keys.ts';
import { upkeepLimits } from '../limits.ts';
import { deleteOwn, insertOwn, type OpenTransaction, selectOwn } from './store.ts';

/**
 * Transactions of accounts of the service for themselves: one of an account at a time, so that no
 * two take the same coin.
 */

export interface OwnDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  /** In MIST for a unit of computation. */
  readonly priceMax: bigint;
}

export interface Part {
  readonly amount: bigint;
  readonly recipient: string;
}

/** New coins out of the coin that pays. */
export function splitProgram(parts: readonly Part[]): Program {
  const pure = (bytes: Uint8Array): CallArg => ({
    $kind: 'Pure',
    Pure: { bytes: Buffer.from(bytes).toString('base64') },
  });
  const input = (index: number): Argument => ({ $kind: 'Input', Input: index });
  const recipients = [...new Set(parts.map(({ recipient }) => recipient))];
  return {
    inputs: [
      ...parts.map(({ amount }) => pure(bcs.U64.serialize(amount).toBytes())),
      ...recipients.map((recipient) => pure(bcs.Address.serialize(recipient).toBytes())),
    ],
    commands: [
      {
        $kind: 'SplitCoins',
        SplitCoins: {
          coin: { $kind: 'GasCoin', GasCoin: true },
          amounts: parts.map((_part, index) => input(index)),
        },
      },
      ...recipients.map((recipient, place) => ({
        $kind: 'TransferObjects' as const,
        TransferObjects: {
          objects: parts.flatMap((part, index): Argument[] =>
            part.recipient === recipient
              ? [{ $kind: 'NestedResult', NestedResult: [0, index] }]
              : [],
          ),
          address: input(parts.length + place),
        },
      })),
    ],
  };
}

export interface OwnPlan {
  readonly account: SigningAccount;
  readonly program: Program;
  /** Coins of the account that pay, and become one. */
  readonly payment: readonly ObjectRef[];
}

/** A transaction of an account for itself, signed; not sent. @throws Error when gas is too dear */
export async function signOwn(
  { priceMax }: Pick<OwnDeps, 'priceMax'>,
  connection: SuiConnection,
  plan: OwnPlan,
) {
  const { account, program, payment } = plan;
  const [{ epoch }, price] = await Promise.all([readHead(connection), readGasPrice(connection)]);
  if (price > priceMax)
    throw new Error(`Gas costs ${price} MIST a unit, more than SUI_GAS_PRICE_MAX_MIST`);
  const bytes = writeTransaction({
    program,
    sender: account.address,
    gas: { payment, owner: account.address, price, budget: upkeepLimits.ownBudgetMist },
    expiresAfterEpoch: epoch + 1n,
  });
  return {
    digest: transactionDigest(bytes),
    raw: encodeSigned({ bytes, signatures: [account.sign(bytes)] }),
  };
}

/**
 * Signs, stores and sends, unless another one of the account is under way, or made coins of the
 * pool of what would pay here: between the reading of the coins and this, another process may have
 * done the same.
 */
export async function startOwn(
  deps: OwnDeps,
  connection: SuiConnection,
  plan: OwnPlan,
): Promise<void> {
  const signed = await signOwn(deps, connection, plan);
  const isStored = await deps.store.transaction(async (tx) => {
    if (!(await insertOwn(tx, deps.chain, plan.account.address, signed))) return false;
    const payment = plan.payment.map(({ objectId }) => objectId);
    if (!(await isAnyPooled(tx, deps.chain, payment))) return true;
    await deleteOwn(tx, deps.chain, signed.digest);
    return false;
  });
  if (isStored) await send(deps, connection, decodeSigned(signed.raw));
}

const sentAtMs = new Map<string, number>();
const lostLooks = new Map<string, number>();

/**
 * Takes an account's transaction one look further, whichever process made it.
 * @param record in the transaction in which its end is recorded; only of one that the chain
 * executed
 * @returns the one that is still under way
 */
export async function followOwn(
  deps: OwnDeps,
  connection: SuiConnection,
  account: string,
  record: (tx: Tx, executed: Executed, transaction: DecodedTransaction) => Promise<void>,
): Promise<OpenTransaction | undefined> {
  const own = await selectOwn(deps.store, deps.chain, account);
  if (!own) return undefined;
  const transaction = decodeSigned(own.raw);
  const { digest } = transaction;
  const fate = await readFate(connection, transaction);
  if (fate === 'pending') {
    const isDue =
      performance.now() - (sentAtMs.get(digest) ?? Number.NEGATIVE_INFINITY) >
      upkeepLimits.ownResendMs;
    if (isDue) await send(deps, connection, transaction);
    return own;
  }
  if ('never' in fate && !isLost(digest)) return own;
  for (const known of [sentAtMs, lostLooks]) known.delete(digest);
  await deps.store.transaction(async (tx) => {
    if (!(await deleteOwn(tx, deps.chain, digest)) || 'never' in fate) return;
    if (fate.failure !== undefined)
      deps.log.warn(
        { digest, failure: fate.failure },
        'a transaction of the service for itself failed',
      );
    await recordSpending(tx, 'fees', deps.chain, costOf(fate.gas));
    await record(tx, fate, transaction);
  });
  return undefined;
}

function isLost(digest: string): boolean {
  const looks = (lostLooks.get(digest) ?? 0) + 1;
  lostLooks.set(digest, looks);
  return looks >= upkeepLimits.lostLooksMax;
}

async function send(
  { log }: OwnDeps,
  connection: SuiConnection,
  transaction: DecodedTransaction,
): Promise<void> {
  sentAtMs.set(transaction.digest, performance.now());
  const done = await sendTransaction(connection, transaction).catch((error: unknown) => ({
    refusal: String(error),
  }));
  if ('refusal' in done)
    log.warn(
      { digest: transaction.digest, refusal: done.refusal },
      'a transaction of the service for itself was not taken',
    );
}
