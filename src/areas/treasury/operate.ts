import {
  type ChainFamily,
  type ChainType,
  type Networks,
  type ResolvedToken,
  requireExtra,
  type TokenBalance,
} from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { balancesPerReadMax, readBalances } from '../../ledger/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseDecimalAmount } from '../../lib/money/amount.ts';
import type { Tx } from '../../store/types.ts';
import { expectOperatorFunds } from '../deposits/index.ts';
import { usableChains } from '../wallets/index.ts';
import { requireTreasury, sendFromTreasury } from './send.ts';
import { selectOutflow } from './store.ts';

/** What the operator does with a treasury, past orders. */

/** Subjects of the operator's own transfers: they belong to no order. */
export const withdrawalSubject = 'operator:withdrawal';

/** What a treasury holds on the chains that were asked, and which of them did not answer. */
export interface TreasuryBalances {
  readonly balances: readonly TokenBalance[];
  readonly unreachable: readonly { readonly chain: string; readonly error: string }[];
}

/**
 * What a treasury holds of every listed token and native money, on one chain or on every one that
 * this instance reaches; in development, where chains start when they are asked, on those on which
 * something was booked for it. A chain that does not answer is named, and keeps nobody from seeing
 * the others.
 */
export async function readTreasuryBalances(
  ctx: Ctx,
  input: { readonly projectId: string; readonly chainType: ChainType; readonly chain?: string },
): Promise<TreasuryBalances> {
  const family = ctx.chains.family(input.chainType);
  const treasury = await requireTreasury(ctx, input);
  const chains =
    input.chain === undefined
      ? await chainsInUse(ctx, family, input.projectId)
      : [family.requireNetwork(input.chain).name];
  const unreachable: { chain: string; error: string }[] = [];
  const balances = await Promise.all(
    chains.map(async (chain) => {
      try {
        return await family.readBalances(treasury.address, listedTokens(family, chain));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        unreachable.push({ chain, error: error.message });
        return [];
      }
    }),
  );
  return { balances: balances.flat(), unreachable };
}

const dayMs = 86_400_000;

/** What left the treasuries of projects in the last 24 hours, by token. */
export function readOutflow(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  projectIds: readonly string[],
): ReturnType<typeof selectOutflow> {
  return selectOutflow(ctx.store, {
    projectIds,
    since: new Date(ctx.clock.now().getTime() - dayMs),
  });
}

async function chainsInUse(
  ctx: Ctx,
  family: ChainFamily,
  projectId: string,
): Promise<readonly string[]> {
  const chains = usableChains(family);
  if (ctx.config.environment !== 'development') return chains;
  const accounts = await readBalances(ctx.store, {
    projectId,
    accountPrefix: 'chain:',
    limit: balancesPerReadMax,
  });
  return chains.filter((chain) =>
    accounts.some(({ account }) => account === `chain:${chain}:treasury`),
  );
}

function listedTokens(family: Networks, chain: string): ResolvedToken[] {
  const { native, tokens } = family.requireNetwork(chain);
  return [native, ...tokens].map((token) => ({
    chain,
    locator: `${chain}:${token.symbol}`,
    ...token,
  }));
}

export interface OperatorTransfer {
  readonly projectId: string;
  readonly chain: string;
  /** Symbol or contract address. */
  readonly token: string;
  /** In whole tokens, as decimal text. */
  readonly amount: string;
  /** What is written down with it, last in the same database transaction. */
  readonly afterwards?: (tx: Tx) => Promise<void>;
}

/**
 * Sends from the treasury to an address of the operator. The ledger is posted when the transfer is
 * final, from its {@link TreasuryChange}: the subject is {@link withdrawalSubject}.
 * @throws those of {@link sendFromTreasury}
 */
export async function withdrawFromTreasury(
  ctx: Ctx,
  input: OperatorTransfer & { readonly transferId: string; readonly recipientAddress: string },
): Promise<void> {
  const { family, chain, token, amountMinor } = await readOperatorTransfer(ctx, input);
  if (!family.isRecipient(input.recipientAddress))
    throw new ServiceError('invalid-recipient', {
      message: `to: ${family.checkAddress(input.recipientAddress) ?? 'is an address that nobody can use'}.`,
    });
  const { transferId, projectId, recipientAddress, afterwards } = input;
  await sendFromTreasury(ctx, {
    transferId,
    projectId,
    subject: withdrawalSubject,
    chain,
    token,
    amountMinor,
    recipientAddress,
    afterwards,
  });
}

/**
 * Mints the test stablecoin into the treasury; what comes is the operator's and waits for no order.
 * @throws forbidden outside development, token-not-supported, provider-unavailable, upstream-error
 */
export async function fundTreasury(
  ctx: Ctx,
  input: OperatorTransfer,
): Promise<{ readonly txId: string }> {
  if (ctx.config.environment !== 'development')
    throw new ServiceError('forbidden', {
      message:
        "Money is minted in development only: elsewhere send it to the treasury's address (purser treasury address).",
    });
  const { family, chain, token, amountMinor } = await readOperatorTransfer(ctx, input);
  if (token.address === undefined)
    throw new ServiceError('token-not-supported', { message: 'Native money cannot be minted.' });
  const treasury = await requireTreasury(ctx, {
    projectId: input.projectId,
    chainType: family.chainType,
  });
  const { address: tokenAddress } = token;
  await ctx.store.transaction(async (tx) => {
    await expectOperatorFunds(ctx, tx, {
      chain,
      recipient: family.canonicalAddress(treasury.address),
      tokenAddress: family.canonicalAddress(tokenAddress),
      amountMinor,
    });
    await input.afterwards?.(tx);
  });
  return requireExtra(family, 'funding').fund({
    chain,
    token,
    amountMinor,
    recipientAddress: treasury.address,
    reference: `treasury:${ctx.ids.uuid()}`,
  });
}

/**
 * What is to be moved, in the token's smallest units.
 * @throws chain-not-supported, token-not-supported, validation-error
 */
export async function readOperatorTransfer(ctx: Ctx, input: OperatorTransfer) {
  const family = ctx.chains.familyOfChain(input.chain);
  const chain = family.requireNetwork(input.chain).name;
  const token = await family.resolveToken(
    chain,
    family.isAddress(input.token) ? { address: input.token } : { symbol: input.token },
  );
  const amountMinor = parseDecimalAmount(input.amount, token.decimals);
  if (amountMinor === 0n)
    throw new ServiceError('validation-error', { message: 'amount: must be greater than zero.' });
  return { family, chain, token, amountMinor };
}
