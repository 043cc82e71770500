import { hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { PreparedOperation, PrepareOperationInput, Tokens } from '../../family.ts';
import { canonicalSuiAddress } from '../addresses.ts';
import type { SuiNetwork } from '../config/networks.ts';
import { readGasPrice, readHead } from '../rpc/checkpoints.ts';
import type { SuiConnection, SuiConnections } from '../rpc/connections.ts';
import { type Coin, readCoins, sumOf } from '../rpc/objects.ts';
import {
  type BalanceChange,
  type GasUsed,
  type Simulated,
  simulateTransaction,
} from '../rpc/transactions.ts';
import { queryOf } from '../tokens/tokens.ts';
import type { ObjectRef, Program } from './program.ts';
import { readSigned, type StoredOperation, storeOperation } from './stored.ts';
import { buildTransaction } from './transaction.ts';
import { readTransactionParams, type TransactionParams } from './transaction-params.ts';
import { chooseCoins, coinsPerTransferMax } from './transfer-program.ts';

/** A coin of a sponsor that no other operation has, until it is given back or its time is over. */
export interface LeasedCoin {
  readonly lease: string;
  readonly sponsor: string;
  readonly coin: ObjectRef;
}

export interface SponsorCoins {
  /** @throws provider-unavailable all are in use */
  lease(input: {
    readonly chain: string;
    readonly wallet: string;
    readonly projectId?: string;
    readonly until: Date;
  }): Promise<LeasedCoin>;
  /** Of an operation that is not there: nothing was signed with it. */
  giveBack(lease: string): Promise<void>;
}

export interface PrepareDeps {
  readonly connections: Pick<SuiConnections, 'connect'>;
  readonly coins: SponsorCoins;
  readonly tokens: Pick<Tokens, 'resolveToken'>;
  /** Ceilings of the operator: MIST for one transaction, and for a unit of its computation. */
  readonly budgetMax: bigint;
  readonly priceMax: bigint;
}

/** The relay looks so long at what it was handed. */
const validMs = 10 * 60 * 1_000;
/** What is simulated expires as late as what is sent. */
const epochsMore = 1n;
const changesMax = 50;
/** Two more coins that are kept. */
const spareMist = 2_000_000n;
const setupSchema = z.object({ publicKey: z.string().regex(/^[0-9a-f]{64}$/) });

/** As `Operations.prepareOperation`: read, bound to a coin of a sponsor, simulated, priced. */
export async function prepareSuiOperation(
  deps: PrepareDeps,
  input: PrepareOperationInput,
): Promise<PreparedOperation> {
  const wallet = canonicalSuiAddress(input.wallet.address);
  const read = readTransactionParams(input.params, wallet);
  const publicKey = hexToBytes(setupSchema.parse(input.wallet.setup).publicKey);
  const connection = await deps.connections.connect('sui');
  const validUntil = new Date(input.now.getTime() + validMs);
  const { projectId } = input.wallet;
  const leased = await deps.coins.lease({
    chain: connection.network.name,
    wallet,
    until: validUntil,
    ...(projectId !== undefined && { projectId }),
  });
  try {
    return await prepare(deps, connection, { input, wallet, publicKey, read, leased, validUntil });
  } catch (error) {
    await deps.coins.giveBack(leased.lease);
    throw error;
  }
}

interface Plan {
  readonly input: PrepareOperationInput;
  readonly wallet: string;
  readonly publicKey: Uint8Array;
  readonly read: TransactionParams;
  readonly leased: LeasedCoin;
  readonly validUntil: Date;
}

async function prepare(
  deps: PrepareDeps,
  connection: SuiConnection,
  plan: Plan,
): Promise<PreparedOperation> {
  const { wallet, publicKey, read, leased, validUntil, input } = plan;
  const { network } = connection;
  const { program, params, transfer: plain } = read;
  const [{ epoch }, price, coins] = await Promise.all([
    readHead(connection),
    readGasPrice(connection),
    plain ? coinsFor(connection, { owner: wallet, ...plain }, input) : [],
  ]);
  if (price > deps.priceMax)
    throw new ServiceError('provider-unavailable', {
      message: `Gas on "${network.name}" costs more than the operator pays: retry later.`,
    });
  const operation: StoredOperation = {
    chain: network.name,
    wallet,
    publicKey,
    lease: leased.lease,
    validUntil,
    does: plain ? { transfer: plain } : { program },
    gas: {
      sponsor: leased.sponsor,
      coin: leased.coin,
      budgetMax: deps.budgetMax,
      priceMax: deps.priceMax,
    },
  };
  const bytes = buildTransaction(operation, {
    coins,
    budget: deps.budgetMax,
    price,
    expiresAfterEpoch: epoch + epochsMore,
  });
  const simulated = await simulateTransaction(connection, bytes);
  const why = 'refusal' in simulated ? simulated.refusal : simulated.failure;
  if ('refusal' in simulated || why !== undefined) throw simulationFailed(why ?? '');
  const budgetMax = budgetOf(simulated.gas, deps.budgetMax);
  const stored = storeOperation({ ...operation, gas: { ...operation.gas, budgetMax } });
  const cost =
    simulated.gas.computation +
    (simulated.gas.storage > simulated.gas.rebate
      ? simulated.gas.storage - simulated.gas.rebate
      : 0n);
  return {
    chain: network.name,
    params,
    operation: stored,
    onChain: { transaction: params['transaction'] },
    message: readSigned(stored).message,
    validUntil,
    feesEstimate: {
      amountMist: cost.toString(),
      priceMist: price.toString(),
      token: network.native.symbol,
    },
    preview: {
      balanceChanges: await nameChanges(deps.tokens, network, changesOf(simulated, wallet)),
      gas: cost.toString(),
      sponsored: true,
    },
    counterparties: counterpartiesOf(program, simulated, [wallet, leased.sponsor]),
  };
}

/**
 * The largest coins that make up a transfer.
 * @throws insufficient-balance; where nobody asked for a plain one transaction-simulation-failed
 */
export async function coinsFor(
  connection: SuiConnection,
  asked: { readonly owner: string; readonly coinType: string; readonly amount: bigint },
  { transfer }: Pick<PrepareOperationInput, 'transfer'> = {},
): Promise<Coin[]> {
  const all = await readCoins(connection, asked);
  const chosen = chooseCoins(all, asked.amount);
  if (sumOf(chosen) >= asked.amount) return chosen;
  if (!transfer)
    throw simulationFailed(
      `${asked.owner} has ${sumOf(chosen)} of ${asked.coinType}, and the transfer needs ${asked.amount}`,
    );
  const { decimals, symbol = asked.coinType } = transfer.token;
  const format = (amount: bigint) => `${formatAmount(amount, decimals)} ${symbol}`;
  const bound =
    all.length > coinsPerTransferMax ? ` in its ${coinsPerTransferMax} largest coins` : '';
  throw new ServiceError('insufficient-balance', {
    message: `The wallet has ${format(sumOf(chosen))}${bound} on "${connection.network.name}", the transfer needs ${format(asked.amount)}.`,
  });
}

/**
 * What it may cost when it is sent: coins may have to be joined by then, or their rebates be
 * smaller.
 */
function budgetOf({ computation, storage }: GasUsed, max: bigint): bigint {
  const enough = 2n * (computation + storage) + spareMist;
  return enough < max ? enough : max;
}

function simulationFailed(text: string): ServiceError {
  const printable = text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 500);
  const message = `The network refuses the transaction: ${printable}`;
  return new ServiceError('transaction-simulation-failed', {
    message,
    details: { error: { reason: 'program_error', message }, message },
  });
}

function changesOf({ balanceChanges }: Simulated, wallet: string): BalanceChange[] {
  return balanceChanges.filter(({ address }) => address === wallet);
}

/**
 * Who gets something, who is named, since what is given away need not be a coin, and the packages
 * that are called. All of them: whom this leaves out nobody compares with a sanctions list.
 */
function counterpartiesOf(
  { inputs, commands }: Program,
  { balanceChanges }: Simulated,
  own: readonly string[],
): string[] {
  const changed = balanceChanges.map(({ address }) => address);
  const named = inputs.flatMap(({ Pure: pure }) =>
    addressIn(Buffer.from(pure?.bytes ?? '', 'base64')),
  );
  const called = commands.flatMap(({ MoveCall: one }) =>
    one === undefined || BigInt(one.package) < 0x10n ? [] : [one.package],
  );
  return [...new Set([...changed, ...named, ...called])].filter(
    (address) => !own.includes(address),
  );
}

/** Bytes do not say what they are: 32 may be an address. */
const addressIn = (bytes: Buffer): string[] =>
  bytes.length === 32 ? [`0x${bytes.toString('hex')}`] : [];

/** In whole coins, where somebody knows what they are. */
function nameChanges(
  tokens: PrepareDeps['tokens'],
  network: SuiNetwork,
  changes: readonly BalanceChange[],
): Promise<JsonObject[]> {
  return Promise.all(
    changes.slice(0, changesMax).map(async ({ coinType, amount }): Promise<JsonObject> => {
      const rawAmount = amount.toString();
      const chain = network.name;
      const token = await tokens
        .resolveToken(chain, queryOf(network, coinType))
        .catch((error: unknown) => {
          if (error instanceof ServiceError && error.code === 'token-not-supported')
            return undefined;
          throw error;
        });
      if (!token) return { token: `${chain}:${coinType}`, rawAmount };
      const { locator, symbol, decimals } = token;
      return {
        token: locator,
        ...(symbol !== undefined && { symbol }),
        decimals,
        amount: formatAmount(amount, decimals),
        rawAmount,
      };
    }),
  );
}
