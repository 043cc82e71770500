import type { Ctx } from '../../../context.ts';
import { readAssets } from '../../../ledger/index.ts';
import { type Comparison, type Finding, type Looker, unitsOf } from '../types.ts';
import {
  type DepositFact,
  type PostedLegs,
  selectDepositFacts,
  selectTransferFacts,
  strayLegs,
  sumLegs,
  type TransferFact,
} from './treasury-facts.ts';

/**
 * Deposits and transfers of treasuries, each with its entries in the ledger: exactly what it moved,
 * and nothing more.
 */

const decimalsMax = 77;

/** As the ledger names it. */
export function assetOf(
  ctx: Pick<Ctx, 'chains'>,
  { chain, address }: { readonly chain: string; readonly address: string | null },
): string {
  return `${chain}:${address === null ? 'native' : ctx.chains.familyOfChain(chain).canonicalAddress(address)}`;
}

/** A final deposit is posted with its amount; any other is not. */
export const lookAtDeposits: Looker = async (ctx, { projectId, objects }) => {
  const facts = await selectDepositFacts(ctx.store, { projectId, ids: objects });
  const placeOf = (fact: DepositFact) =>
    fact.chain === null
      ? undefined
      : {
          chain: fact.chain,
          asset: assetOf(ctx, { chain: fact.chain, address: fact.tokenAddress }),
        };
  const known = await readAssets(
    ctx.store,
    facts.flatMap((fact) => placeOf(fact)?.asset ?? []),
  );
  const findings = facts.flatMap((fact): Finding[] => {
    const place = placeOf(fact);
    if (!place) return [];
    const comparison = 'deposit';
    const stray = strayFindings(fact, place, comparison);
    const decimals = known.get(place.asset)?.decimals ?? fact.tokenDecimals!;
    // A token that changes its decimals is nothing of value, and no ledger can hold it.
    const isRecordable =
      decimals === fact.tokenDecimals && decimals <= decimalsMax && fact.isToItself !== true;
    const expectedMinor = fact.status === 'final' && isRecordable ? BigInt(fact.amountMinor!) : 0n;
    const foundMinor = sumLegs(fact.legs, place);
    if (foundMinor === expectedMinor) return stray;
    const units = (amount: bigint) =>
      unitsOf(amount, known.get(place.asset)?.symbol ?? fact.tokenSymbol ?? place.asset);
    const problem = `deposit ${fact.id} on ${place.chain} (transaction ${fact.txId}) is ${fact.status} with ${units(expectedMinor)} to post, and the ledger has ${units(foundMinor)} for it`;
    return [
      ...stray,
      {
        comparison,
        object: fact.id,
        aspect: 'posted',
        asset: place.asset,
        expectedMinor,
        foundMinor,
        problem,
      },
    ];
  });
  return { findings };
};

/** A final transfer is posted with its amount; any other is not. */
export const lookAtTransfers: Looker = async (ctx, { projectId, objects }) => {
  const facts = await selectTransferFacts(ctx.store, { projectId, ids: objects });
  const findings = facts.flatMap((fact): Finding[] => {
    const place = placeOfTransfer(ctx, fact);
    if (!place) return [];
    const comparison = 'transfer';
    const lost = lostFindings(fact, place, comparison);
    if (fact.collectible) return lost;
    const stray = [...strayFindings(fact, place, comparison), ...lost];
    const expectedMinor = fact.status === 'final' ? -BigInt(fact.amountMinor!) : 0n;
    const foundMinor = sumLegs(fact.legs, place);
    if (foundMinor === expectedMinor || (foundMinor === 0n && fact.isBeingPosted)) return stray;
    const units = (amount: bigint) => unitsOf(amount, fact.tokenSymbol ?? place.asset);
    const problem = `transfer ${fact.id} on ${place.chain} (${fact.subject}) is ${fact.status} with ${units(expectedMinor)} to post, and the ledger has ${units(foundMinor)} for it`;
    return [
      ...stray,
      {
        comparison,
        object: fact.id,
        aspect: 'posted',
        asset: place.asset,
        expectedMinor,
        foundMinor,
        problem,
      },
    ];
  });
  return { findings };
};

export function placeOfTransfer(
  ctx: Pick<Ctx, 'chains'>,
  fact: TransferFact,
): { readonly chain: string; readonly asset: string } | undefined {
  return fact.chain === null
    ? undefined
    : { chain: fact.chain, asset: assetOf(ctx, { chain: fact.chain, address: fact.tokenAddress }) };
}

/** Nobody sends it, nor tells what became of it. */
function lostFindings(
  { id, subject, amountMinor, isLost, tokenSymbol }: TransferFact,
  { chain, asset }: { readonly chain: string; readonly asset: string },
  comparison: Comparison,
): Finding[] {
  if (!isLost) return [];
  const expectedMinor = BigInt(amountMinor!);
  const units = unitsOf(expectedMinor, tokenSymbol ?? asset);
  const problem = `transfer ${id} on ${chain} (${subject}) is to send ${units}, and neither has the queue of the relay it, nor a block that was read: look at an explorer whether it was sent, then at the chain's node, its watcher and who writes the database`;
  return [
    { comparison, object: id, aspect: 'queue', asset, expectedMinor, foundMinor: 0n, problem },
  ];
}

/** Entries in an asset or on a chain that is not its own. */
function strayFindings(
  fact: { readonly id: string; readonly legs: PostedLegs },
  place: { readonly chain: string; readonly asset: string },
  comparison: Comparison & ('deposit' | 'transfer'),
): Finding[] {
  return strayLegs(fact.legs, place).map(([account, asset, posted]) => ({
    comparison,
    object: fact.id,
    aspect: account,
    asset,
    expectedMinor: 0n,
    foundMinor: BigInt(posted),
    problem: `the ledger has ${unitsOf(BigInt(posted), asset)} on ${account} for ${comparison} ${fact.id}, which moved something else`,
  }));
}
