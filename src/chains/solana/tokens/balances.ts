import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { RpcCall, RpcResult } from '../../../lib/json-rpc.ts';
import { nodeError } from '../../family/node-error.ts';
import type { ResolvedToken, TokenBalance, Tokens } from '../../family.ts';
import { readTokenAccount } from '../operation/layout.ts';
import type { Commitment } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { accountSchema, inContext, u64Schema } from '../rpc/schemas.ts';

const tokenAccountsSchema = inContext(z.array(z.object({ account: accountSchema })));
const nativeSchema = inContext(u64Schema);

/** As {@link ChainFamily.readBalances}: one request; what several token accounts of the owner hold is summed. */
export async function readSolanaBalances(
  connection: SolanaConnection,
  address: string,
  tokens: readonly ResolvedToken[],
): Promise<TokenBalance[]> {
  const { amounts } = await readAmounts(connection, { address, tokens, commitment: 'confirmed' });
  return tokens.map((token, index) => {
    const amountMinor = amounts[index];
    if (amountMinor === undefined)
      throw new ServiceError('token-not-supported', { message: `There is no token at ${token.address} on "${token.chain}".` });
    return { token, amountMinor };
  });
}

interface Amounts {
  /** The slot that all of them are of; undefined: the node moved on between two of them. */
  readonly slot: bigint | undefined;
  /** In the order of the tokens; undefined where no mint stands. */
  readonly amounts: readonly (bigint | undefined)[];
}

async function readAmounts(
  connection: SolanaConnection,
  input: { readonly address: string; readonly tokens: readonly ResolvedToken[]; readonly commitment: Commitment },
): Promise<Amounts> {
  const { address, tokens, commitment } = input;
  const calls = tokens.map(
    (token): RpcCall =>
      token.address === undefined
        ? { method: 'getBalance', params: [address, { commitment }] }
        : { method: 'getTokenAccountsByOwner', params: [address, { mint: token.address }, { commitment, encoding: 'base64' }] },
  );
  const results = await connection.rpc.batch(calls).catch((error: unknown) => {
    throw nodeError(error, connection.network.name);
  });
  const read = tokens.map((token, index) =>
    token.address === undefined ? readNative(connection, results[index]!) : readHeld(connection, token.address, results[index]!),
  );
  const slots = new Set(read.flatMap((one) => one?.slot ?? []));
  return { slot: slots.size === 1 ? [...slots][0] : undefined, amounts: read.map((one) => one?.amount) };
}

interface Held {
  readonly slot: bigint;
  readonly amount: bigint;
}

function readNative({ network }: SolanaConnection, result: RpcResult): Held {
  const parsed = nativeSchema.safeParse(result.ok ? result.value : undefined);
  if (!parsed.success) throw nodeError(result.ok ? parsed.error : result.error, network.name);
  return { slot: parsed.data.context.slot, amount: parsed.data.value };
}

function readHeld({ network }: SolanaConnection, mint: string, result: RpcResult): Held | undefined {
  // Invalid params: the node knows no such mint.
  if (!result.ok && result.error.code === -32602) return undefined;
  const parsed = tokenAccountsSchema.safeParse(result.ok ? result.value : undefined);
  if (!parsed.success) throw nodeError(result.ok ? parsed.error : result.error, network.name);
  const accounts = parsed.data.value.map(({ account }) => readTokenAccount(account));
  const amount = accounts.reduce((sum, account) => sum + (account?.mint === mint ? account.amount : 0n), 0n);
  return { slot: parsed.data.context.slot, amount };
}

const looksMax = 10;
const lookPauseMs = 200;
const waitMaxMs = 15_000;

export interface FinalBalancesInput {
  readonly address: string;
  readonly tokens: readonly ResolvedToken[];
  /** What the watcher told as final; undefined: nothing so far. */
  readonly finalSlot: () => Promise<bigint | undefined>;
}

/**
 * As {@link ChainFamily.readFinalBalances}. A node of Solana tells balances of its newest final slot alone: that is the height, and
 * this waits until the watcher has told everything up to there.
 * @throws provider-unavailable the node moves on faster than it answers, or the watcher is behind
 */
export async function readFinalSolanaBalances(
  connection: SolanaConnection,
  { address, tokens, finalSlot }: FinalBalancesInput,
): Promise<Awaited<ReturnType<Tokens['readFinalBalances']>>> {
  if ((await finalSlot()) === undefined) return undefined;
  const { slot, amounts } = await readFinalAmounts(connection, { address, tokens });
  for (let waitedMs = 0; ; waitedMs += lookPauseMs) {
    const told = await finalSlot();
    if (told === undefined) return undefined;
    if (told >= slot) break;
    if (waitedMs >= waitMaxMs)
      throw new ServiceError('provider-unavailable', { message: `The watcher of "${connection.network.name}" is behind: retry later.` });
    await delay(lookPauseMs);
  }
  const balances = tokens.flatMap((token, index) => (amounts[index] === undefined ? [] : [{ token, amountMinor: amounts[index] }]));
  return { height: slot, balances };
}

/** Of the newest final slot, all of the same one. @throws provider-unavailable the node moves on faster than it answers */
export async function readFinalAmounts(
  connection: SolanaConnection,
  input: { readonly address: string; readonly tokens: readonly ResolvedToken[] },
): Promise<{ readonly slot: bigint; readonly amounts: Amounts['amounts'] }> {
  for (let look = 0; look < looksMax; look++) {
    const { slot, amounts } = await readAmounts(connection, { ...input, commitment: 'finalized' });
    if (slot !== undefined) return { slot, amounts };
    await delay(lookPauseMs / 4);
  }
  throw new ServiceError('provider-unavailable', {
    message: `The node of "${connection.network.name}" does not tell all balances of one slot: retry later.`,
  });
}
