import type { ChainType, TokenBalance } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { selectDefaultChains } from './default-chains.ts';

/**
 * What a wallet holds of every listed token on the chains that it used; a chain that does not
 * answer keeps nobody from seeing the others.
 */
export async function readBalancesInUse(
  ctx: Ctx,
  wallet: { readonly id: string; readonly chainType: ChainType; readonly address: string },
): Promise<{
  readonly balances: readonly TokenBalance[];
  readonly unreachable: readonly { readonly chain: string; readonly error: string }[];
}> {
  const family = ctx.chains.family(wallet.chainType);
  const chains = await selectDefaultChains(ctx, family, wallet.id);
  const unreachable: { chain: string; error: string }[] = [];
  const read = await Promise.all(
    chains.map(async (chain) => {
      const { native, tokens } = family.requireNetwork(chain);
      const listed = [native, ...tokens].map((token) => ({
        chain,
        locator: `${chain}:${token.symbol}`,
        ...token,
      }));
      try {
        return await family.readBalances(wallet.address, listed);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        unreachable.push({ chain, error: error.message });
        return [];
      }
    }),
  );
  return {
    balances: read
      .flat()
      .filter(({ amountMinor, token }) => amountMinor > 0n || token.address === undefined),
    unreachable,
  };
}
