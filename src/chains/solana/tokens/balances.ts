import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { RpcCall, RpcResult } from '../../../lib/net/json-rpc.ts';
import { nodeError } from '../../family/nodes/node-error.ts';
import {
  type AmountsAt,
  readFinalBalances,
  readSettledAmounts,
} from '../../family/proofs/final-balances.ts';
import type { FinalBalances, ResolvedToken, TokenBalance } from '../../family.ts';
import { readTokenAccount } from '../operation/layout.ts';
import type { Commitment } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { accountSchema, inContext, u64Schema } from '../rpc/schemas.ts';

const tokenAccountsSchema = inContext(z.array(z.object({ account: accountSchema })));
const nativeSchema = inContext(u64Schema);

/**
 * As {@link ChainFamily.readBalances}: one request; what several token accounts of the owner hold
 * is summed.
 */
export async function readSolanaBalances(
  connection: SolanaConnection,
  address: string,
  tokens: readonly ResolvedToken[],
): Promise<TokenBalance[]> {
  const { amounts } = await readAmounts(connection, { address, tokens, commitment: 'confirmed' });
  return tokens.map((token, index) => {
    const amountMinor = amounts[index];
    if (amountMinor === undefined)
      throw new ServiceError('token-not-supported', {
        message: `There is no token at ${token.address} on "${token.chain}".`,
      });
    return { token, amountMinor };
  });
}

async function readAmounts(
  connection: SolanaConnection,
  input: {
    readonly address: string;
    readonly tokens: readonly ResolvedToken[];
    readonly commitment: Commitment;
  },
): Promise<AmountsAt> {
  const { address, tokens, commitment } = input;
  const calls = tokens.map(
    (token): RpcCall =>
      token.address === undefined
        ? { method: 'getBalance', params: [address, { commitment }] }
        : {
            method: 'getTokenAccountsByOwner',
            params: [address, { mint: token.address }, { commitment, encoding: 'base64' }],
          },
  );
  const results = await connection.rpc.batch(calls).catch((error: unknown) => {
    throw nodeError(error, connection.network.name);
  });
  const read = tokens.map((token, index) =>
    token.address === undefined
      ? readNative(connection, results[index]!)
      : readHeld(connection, token.address, results[index]!),
  );
  const slots = new Set(read.flatMap((one) => one?.slot ?? []));
  return {
    height: slots.size === 1 ? [...slots][0] : undefined,
    amounts: read.map((one) => one?.amount),
  };
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

function readHeld(
  { network }: SolanaConnection,
  mint: string,
  result: RpcResult,
): Held | undefined {
  // Invalid params: the node knows no such mint.
  if (!result.ok && result.error.code === -32602) return undefined;
  const parsed = tokenAccountsSchema.safeParse(result.ok ? result.value : undefined);
  if (!parsed.success) throw nodeError(result.ok ? parsed.error : result.error, network.name);
  const accounts = parsed.data.value.map(({ account }) => readTokenAccount(account));
  const amount = accounts.reduce(
    (sum, account) => sum + (account?.mint === mint ? account.amount : 0n),
    0n,
  );
  return { slot: parsed.data.context.slot, amount };
}

/**
 * As {@link ChainFamily.readFinalBalances}, of the node's newest final slot.
 * @throws provider-unavailable the node moves on faster than it answers, or the watcher is behind
 */
export async function readFinalSolanaBalances(
  connection: SolanaConnection,
  {
    address,
    tokens,
    finalSlot,
  }: {
    readonly address: string;
    readonly tokens: readonly ResolvedToken[];
    readonly finalSlot: () => Promise<bigint | undefined>;
  },
): Promise<FinalBalances | undefined> {
  return readFinalBalances({
    chain: connection.network.name,
    tokens,
    toldHeight: finalSlot,
    readAmounts: () => readAmounts(connection, { address, tokens, commitment: 'finalized' }),
  });
}

/**
 * Of the newest final slot, all of the same one.
 * @throws provider-unavailable the node moves on faster than it answers
 */
export async function readFinalAmounts(
  connection: SolanaConnection,
  input: { readonly address: string; readonly tokens: readonly ResolvedToken[] },
): Promise<{ readonly slot: bigint; readonly amounts: AmountsAt['amounts'] }> {
  const { height: slot, amounts } = await readSettledAmounts({
    chain: connection.network.name,
    readAmounts: () => readAmounts(connection, { ...input, commitment: 'finalized' }),
  });
  return { slot, amounts };
}
