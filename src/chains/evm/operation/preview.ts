import { z } from 'zod';
import { addresses, type Operation } from '../../../../contracts/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { ResolvedToken } from '../../family.ts';
import { keccakOfText } from '../abi/keccak.ts';
import { bytesTail, checksumAddress, type Hex, wordOf, wordOfAddress } from '../abi/words.ts';
import type { EvmConnection, EvmConnections } from '../rpc/connections.ts';
import { type RpcCall, RpcError } from '../rpc/rpc.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { delegatedAccounts } from '../wallet/delegation.ts';
import { encodeFactoryCall, type WalletSetup } from '../wallet/wallet-plan.ts';
import { readLog } from '../watcher/reading/movements.ts';
import { type PlainTransfer, readTransfer } from './transfer-calls.ts';

/**
 * What an operation would change in its wallet's balances. The module's own simulation ends in a
 * revert, which leaves no logs, so the node is asked beside it to run the same calls with
 * `eth_simulateV1`, which tells logs and native money. For transfers of listed tokens, which are
 * most of all operations, the calls themselves say it.
 */

/** Money that would move into the wallet or out of it. Addresses in lower case. */
interface WalletMove {
  /** Contract; undefined for native money. */
  readonly token: string | undefined;
  readonly tokenId?: string;
  readonly amountMinor: bigint;
  readonly sender: string;
  readonly recipient: string;
}

export interface WalletChanges {
  readonly balanceChanges: readonly JsonObject[];
  /** Who would get money from the wallet. */
  readonly recipients: readonly string[];
  /** False: the node does not tell, so only what the calls themselves say is there. */
  readonly complete: boolean;
}

export interface Previews {
  read(connection: EvmConnection, input: PreviewInput): Promise<WalletChanges>;
}

export interface PreviewInput {
  readonly operation: Operation;
  /** Of a wallet that is not known to be deployed. */
  readonly setup: WalletSetup | undefined;
  /** The wallet is an account that makes its calls by itself, without a module. */
  readonly isAccount?: boolean;
}

const moduleAddress = addresses.walletModule.toLowerCase();
/** Changes that are named; nobody's honest operation has more. */
const changesMax = 50;
const logsMax = 5_000;
/** A node that cannot simulate is asked again after this: it may have been upgraded. */
const retryAfterMs = 10 * 60 * 1000;

export function createPreviews(deps: {
  readonly connections: EvmConnections;
  readonly tokens: Tokens;
  readonly clock: Clock;
}): Previews {
  const unableUntilMs = new Map<number, number>();

  async function simulateMoves(
    { chainId, network }: EvmConnection,
    input: PreviewInput,
  ): Promise<WalletMove[] | undefined> {
    if ((unableUntilMs.get(chainId) ?? 0) > deps.clock.now().getTime()) return undefined;
    const { method, params } = simulateCall(input);
    try {
      // Alone, because some gateways refuse a whole batch for one method that they do not know.
      return readMoves(
        await deps.connections.rpcOf(network.name).request(method, params),
        input.operation,
      );
    } catch (error) {
      if (error instanceof RpcError)
        unableUntilMs.set(chainId, deps.clock.now().getTime() + retryAfterMs);
      return undefined;
    }
  }

  async function read(connection: EvmConnection, input: PreviewInput): Promise<WalletChanges> {
    const { calls } = input.operation;
    // Who may sign moves no money.
    if (calls.every(({ to }) => to.toLowerCase() === moduleAddress))
      return { balanceChanges: [], recipients: [], complete: true };
    const wallet = input.operation.wallet.toLowerCase();
    const plain = calls.map(readTransfer);
    const isListed = plain.every(
      (transfer) => transfer?.token !== undefined && isListedToken(connection, transfer.token),
    );
    const told = plain
      .filter((transfer) => transfer !== undefined)
      .map((transfer) => moveOf(wallet, transfer));
    const simulated = isListed ? told : await simulateMoves(connection, input);
    const moves = simulated ?? told;
    return {
      balanceChanges: await nameChanges(deps.tokens, connection, sumMoves(wallet, moves)),
      recipients: [
        ...new Set(
          moves.filter(({ sender }) => sender === wallet).map(({ recipient }) => recipient),
        ),
      ].slice(0, logsMax),
      complete: simulated !== undefined,
    };
  }

  return { read };
}

function isListedToken({ network }: EvmConnection, contract: string): boolean {
  return network.tokens.some((token) => token.address?.toLowerCase() === contract);
}

function moveOf(wallet: string, { token, recipient, amountMinor }: PlainTransfer): WalletMove {
  return { token, amountMinor, sender: wallet, recipient };
}

const executeSelector = keccakOfText(
  'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)',
).slice(0, 8);

/** The calls as the module makes them, one after the other, behind the deployment of the wallet. */
function simulateCall({ operation, setup, isAccount = false }: PreviewInput): RpcCall {
  const calls = operation.calls.map(({ to, value, data }) =>
    isAccount
      ? { from: operation.wallet, to, value: `0x${value.toString(16)}`, data }
      : {
          from: addresses.walletModule,
          to: operation.wallet,
          data: `0x${executeSelector}${wordOfAddress(to)}${wordOf(value)}${wordOf(0x80)}${wordOf(0)}${bytesTail(data)}`,
        },
  );
  const factory = setup && encodeFactoryCall(setup);
  const deployment = factory ? [{ to: factory.factory, data: factory.factoryData }] : [];
  const state =
    setup?.form === 'account' ? { stateOverrides: delegatedAccounts([operation.wallet]) } : {};
  return {
    method: 'eth_simulateV1',
    params: [
      {
        blockStateCalls: [{ ...state, calls: [...deployment, ...calls] }],
        validation: false,
        traceTransfers: true,
      },
      'latest',
    ],
  };
}

const word = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const logSchema = z.object({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  topics: z.array(word).max(4),
  data: z.string().regex(/^0x[0-9a-fA-F]*$/),
});
const answerSchema = z
  .array(
    z.object({
      calls: z.array(
        z.object({
          status: z.string(),
          returnData: z.string(),
          logs: z.array(logSchema).optional(),
        }),
      ),
    }),
  )
  .length(1);

/** Under this address nodes log native money that moves, in the form of a token's transfer. */
const nativeAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const everyToken = { has: () => true };

/** Undefined when the calls did not all run, or the answer is of another form. */
function readMoves(answer: unknown, { wallet, calls }: Operation): WalletMove[] | undefined {
  const block = answerSchema.safeParse(answer).data?.[0];
  const results = block?.calls.slice(-calls.length) ?? [];
  // What the wallet answers begins with whether its own call succeeded.
  if (
    results.length !== calls.length ||
    !results.every(({ status, returnData }) => isOne(status) && isOne(returnData.slice(0, 66)))
  )
    return undefined;
  const own = wallet.toLowerCase();
  return results
    .flatMap(({ logs = [] }) => logs)
    .slice(0, logsMax)
    .flatMap((log) => {
      const address = log.address.toLowerCase();
      const moved = readLog(
        {
          address,
          topics: log.topics.map((topic) => topic.toLowerCase() as Hex),
          data: log.data as Hex,
        },
        everyToken,
      );
      // The wallet's own event of money received would count it twice.
      return moved
        .filter(({ kind }) => kind !== 'native')
        .map(({ kind: _, ...move }) =>
          address === nativeAddress ? { ...move, token: undefined } : { ...move, token: address },
        );
    })
    .filter(({ sender, recipient }) => sender === own || recipient === own);
}

function isOne(quantity: string): boolean {
  return /^0x0*1$/.test(quantity);
}

interface Change {
  readonly token: string | undefined;
  readonly tokenId?: string;
  readonly deltaMinor: bigint;
}

function sumMoves(wallet: string, moves: readonly WalletMove[]): Change[] {
  const sums = new Map<string, Change>();
  for (const { token, tokenId, amountMinor, sender, recipient } of moves) {
    const key = `${token ?? ''}:${tokenId ?? ''}`;
    const deltaMinor =
      (recipient === wallet ? amountMinor : 0n) - (sender === wallet ? amountMinor : 0n);
    sums.set(key, { token, tokenId, deltaMinor: (sums.get(key)?.deltaMinor ?? 0n) + deltaMinor });
  }
  return [...sums.values()].filter(({ deltaMinor }) => deltaMinor !== 0n).slice(0, changesMax);
}

function nameChanges(
  tokens: Tokens,
  { network }: EvmConnection,
  changes: readonly Change[],
): Promise<JsonObject[]> {
  return Promise.all(
    changes.map(async ({ token, tokenId, deltaMinor }): Promise<JsonObject> => {
      const listed = network.tokens.find(
        ({ address }) => token !== undefined && address?.toLowerCase() === token,
      );
      const symbol =
        token === undefined
          ? network.native.symbol
          : tokenId === undefined
            ? listed?.symbol
            : undefined;
      if (symbol !== undefined)
        return describeChange(await tokens.resolve(network.name, { symbol }), deltaMinor);
      const address = checksumAddress(token!);
      const resolved = await tokens.resolve(network.name, { address, tokenId }).catch(ignoreOdd);
      return resolved
        ? describeChange(resolved, deltaMinor)
        : { token: `${network.name}:${address}`, rawAmount: deltaMinor.toString() };
    }),
  );
}

/**
 * A contract that logs transfers and does not tell its decimals: its amounts have no other form
 * than the raw one.
 */
function ignoreOdd(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'token-not-supported') return undefined;
  throw error;
}

function describeChange(
  { locator, symbol, decimals }: ResolvedToken,
  deltaMinor: bigint,
): JsonObject {
  return {
    token: locator,
    symbol,
    decimals,
    amount: formatAmount(deltaMinor, decimals),
    rawAmount: deltaMinor.toString(),
  };
}
