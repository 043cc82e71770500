import type { FinalBalances, ResolvedToken } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import { balancesPerReadMax, readAssets, readBalances } from '../../../ledger/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { selectTreasuryWallet, usableChains } from '../../wallets/index.ts';
import { type Finding, type Looker, unitsOf } from '../types.ts';
import { assetOf, placeOfTransfer } from './moved-tokens.ts';
import {
  selectAbove,
  selectDepositFacts,
  selectTransferFacts,
  selectUnposted,
  sumLegs,
} from './treasury-facts.ts';

/**
 * What a treasury holds on a chain against its account in the ledger. Both are taken at one height,
 * the last that the chain's watcher told as final: the watcher records what is final in the
 * transaction in which it moves that height, so a snapshot of the database says exactly what the
 * chain had there, whatever is under way above it.
 */

/**
 * Chains on which a project's treasuries may hold something: also those that the ledger knows, and
 * this instance cannot reach any more.
 */
export async function treasuryChains(ctx: Ctx, projectId: string): Promise<string[]> {
  const chains = new Set<string>();
  for (const family of ctx.chains.families) {
    const wallet = await selectTreasuryWallet(ctx.store, {
      projectId,
      chainType: family.chainType,
    });
    if (wallet) for (const chain of usableChains(family)) chains.add(chain);
  }
  const balances = await readBalances(ctx.store, {
    projectId,
    accountPrefix: 'chain:',
    limit: balancesPerReadMax,
  });
  for (const { account, postedMinor } of balances) {
    const chain = /^chain:(.+):treasury$/.exec(account)?.[1];
    if (chain !== undefined && postedMinor !== 0n) chains.add(chain);
  }
  return [...chains];
}

export const lookAtTreasuries: Looker = async (ctx, { projectId, objects }) => {
  const findings: Finding[] = [];
  const unlooked: string[] = [];
  const skipped: string[] = [];
  for (const chain of objects) {
    try {
      const compared = await compareChain(ctx, { projectId, chain });
      findings.push(...compared.findings);
      if (compared.isPart) unlooked.push(chain);
      skipped.push(...compared.skipped);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unlooked.push(chain);
      skipped.push(`the treasury on ${chain}: ${error.message}`);
    }
  }
  return { findings, unlooked, skipped };
};

/** `isPart`: the chain did not tell of everything that may be there. */
type ChainLook = {
  readonly findings: readonly Finding[];
  readonly isPart: boolean;
  readonly skipped: readonly string[];
};

async function compareChain(
  ctx: Ctx,
  { projectId, chain }: { projectId: string; chain: string },
): Promise<ChainLook> {
  const family = ctx.chains.familyOfChain(chain);
  const wallet = await selectTreasuryWallet(ctx.store, { projectId, chainType: family.chainType });
  if (!wallet) return { findings: [], isPart: false, skipped: [] };
  const tokens = await tokensInUse(ctx, { projectId, chain });
  const held = await family.readFinalBalances({ chain, address: wallet.address, tokens });
  // A chain that nobody watches yet, or does again from its beginning.
  if (!held) {
    const isInBooks = (await readTreasury(ctx.store, { projectId, chain })).some(
      ({ postedMinor }) => postedMinor !== 0n,
    );
    return {
      findings: [],
      isPart: true,
      skipped: isInBooks ? [`the treasury on ${chain}: nothing was told as final there yet`] : [],
    };
  }
  const posted = await ctx.store.transaction((tx) =>
    postedAt(ctx, tx, { projectId, chain, height: held.height }),
  );
  const assets = await readAssets(ctx.store, [...posted.keys()]);
  const told = new Set(held.balances.map(({ token }) => token));
  const untold = tokens.filter(
    (token) =>
      !told.has(token) &&
      (posted.get(assetOf(ctx, { chain, address: token.address ?? null })) ?? 0n) !== 0n,
  );
  const skipped = untold.map(
    ({ symbol, locator }) =>
      `the treasury's ${symbol ?? locator} on ${chain}: its contract tells no balance, and the ledger has some`,
  );
  const findings = held.balances.flatMap(({ token, amountMinor: foundMinor }): Finding[] => {
    const asset = assetOf(ctx, { chain, address: token.address ?? null });
    const expectedMinor = posted.get(asset) ?? 0n;
    if (foundMinor === expectedMinor) return [];
    const units = unitsOf(
      foundMinor - expectedMinor,
      token.symbol ?? assets.get(asset)?.symbol ?? asset,
    );
    const problem = `treasury on ${chain} holds ${units} ${foundMinor < expectedMinor ? 'less' : 'more'} than the ledger says`;
    return [
      {
        comparison: 'treasury',
        object: chain,
        aspect: 'balance',
        asset,
        expectedMinor,
        foundMinor,
        problem,
      },
    ];
  });
  return {
    findings: [...findings, ...denials(ctx, { chain, held, assets })],
    isPart: untold.length > 0,
    skipped,
  };
}

/** Where a second, independent node says otherwise, one of the two lies or is broken. */
function denials(
  ctx: Ctx,
  {
    chain,
    held,
    assets,
  }: {
    readonly chain: string;
    readonly held: FinalBalances;
    readonly assets: Awaited<ReturnType<typeof readAssets>>;
  },
): Finding[] {
  return (held.denied ?? []).map(({ token, amountMinor: foundMinor = 0n }): Finding => {
    const asset = assetOf(ctx, { chain, address: token.address ?? null });
    const expectedMinor = held.balances.find((one) => one.token === token)?.amountMinor ?? 0n;
    const units = (minor: bigint) =>
      unitsOf(minor, token.symbol ?? assets.get(asset)?.symbol ?? asset);
    const problem = `the two nodes of ${chain} contradict each other at height ${held.height}: the treasury holds ${units(expectedMinor)} by the first and ${units(foundMinor)} by the second`;
    return {
      comparison: 'treasury',
      object: chain,
      aspect: 'second-node',
      asset,
      expectedMinor,
      foundMinor,
      problem,
    };
  });
}

/** Native money, listed tokens, and whatever the ledger has there. */
async function tokensInUse(
  ctx: Ctx,
  { projectId, chain }: { projectId: string; chain: string },
): Promise<ResolvedToken[]> {
  const { native, tokens } = ctx.chains.familyOfChain(chain).requireNetwork(chain);
  const listed: ResolvedToken[] = [native, ...tokens].map((token) => ({
    chain,
    locator: `${chain}:${token.symbol}`,
    ...token,
  }));
  const known = new Set(listed.map(({ address = null }) => assetOf(ctx, { chain, address })));
  const balances = await readTreasury(ctx.store, { projectId, chain });
  const assets = await readAssets(
    ctx.store,
    balances.map(({ asset }) => asset),
  );
  const others = balances
    .filter(({ asset }) => !known.has(asset) && asset.startsWith(`${chain}:`))
    .map(({ asset }) => {
      const { symbol, decimals = 0 } = assets.get(asset) ?? {};
      return {
        chain,
        locator: asset,
        address: asset.slice(chain.length + 1),
        decimals,
        ...(symbol !== undefined && { symbol }),
      };
    });
  return [...listed, ...others];
}

const readTreasury = (
  db: Db,
  { projectId, chain }: { readonly projectId: string; readonly chain: string },
) => readBalances(db, { projectId, account: `chain:${chain}:treasury`, limit: balancesPerReadMax });

/** What the ledger says the treasury had at a height, by asset. */
async function postedAt(
  ctx: Ctx,
  tx: Tx,
  input: { readonly projectId: string; readonly chain: string; readonly height: bigint },
): Promise<ReadonlyMap<string, bigint>> {
  const { projectId, chain } = input;
  await tx.query({ text: 'set transaction isolation level repeatable read, read only' });
  const balances = await readTreasury(tx, { projectId, chain });
  const sums = new Map(balances.map(({ asset, postedMinor }) => [asset, postedMinor]));
  const add = (asset: string, amountMinor: bigint) =>
    sums.set(asset, (sums.get(asset) ?? 0n) + amountMinor);
  const above = await selectAbove(tx, input);
  for (const fact of await selectDepositFacts(tx, { projectId, ids: above.deposits })) {
    const asset = assetOf(ctx, { chain, address: fact.tokenAddress });
    add(asset, -sumLegs(fact.legs, { chain, asset }));
  }
  for (const fact of await selectTransferFacts(tx, { projectId, ids: above.transfers })) {
    const { asset } = placeOfTransfer(ctx, fact)!;
    add(asset, -sumLegs(fact.legs, { chain, asset }));
  }
  for (const fact of await selectTransferFacts(tx, {
    projectId,
    ids: await selectUnposted(tx, input),
  })) {
    const { asset } = placeOfTransfer(ctx, fact)!;
    if (sumLegs(fact.legs, { chain, asset }) === 0n) add(asset, -BigInt(fact.amountMinor!));
  }
  return sums;
}
