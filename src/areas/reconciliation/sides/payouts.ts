import type { Ctx } from '../../../context.ts';
import type { Db } from '../../../store/types.ts';
import {
  type PayoutAnswer,
  payoutsPerPageMax,
  readPayoutPage,
  readUnreceivedPayouts,
} from '../../payment-methods/index.ts';
import { type Finding, isAway, type Looker, unitsOf } from '../types.ts';

/** Payouts as the vault has them, against what the ledger holds and has paid for them. */

interface PayoutFact {
  readonly id: string;
  /** The order has stored the id, and not yet what the vault answered. */
  readonly isBeingAsked: boolean;
  readonly legs: readonly (readonly [
    account: string,
    asset: string,
    postedMinor: string,
    pendingMinor: string,
  ])[];
}

async function selectPayoutFacts(
  db: Db,
  input: { projectId: string; ids: readonly string[] },
): Promise<PayoutFact[]> {
  const { rows } = await db.query<PayoutFact>({
    name: 'reconciliation-payouts',
    text: `select i.id, coalesce(o.state = 'payout_submitted' and o.facts->'payout'->>'status' = 'asked', false) as "isBeingAsked",
        coalesce((select json_agg(json_build_array(s.account, s.asset, s.posted::text, s.pending::text)) from (
          select p.account, p.asset, sum(p.posted_minor) as posted, sum(p.pending_minor) as pending
          from ledger_entries b cross join lateral (select b.id union all select h.id from ledger_entries h where h.hold_id = b.id) e
          join ledger_postings p on p.entry_id = e.id
          where b.project_id = $1 and b.hold_id is null and p.account like 'bank:%'
            and b.reference = any(array['payout:' || i.id, 'payout:' || i.id || ':settled', 'payout:' || i.id || ':returned'])
          group by p.account, p.asset) s where s.posted <> 0 or s.pending <> 0), '[]'::json) as legs
      from unnest($2::uuid[]) as i (id) left join orders o on o.payout_id = i.id and o.project_id = $1`,
    values: [input.projectId, input.ids],
  });
  return rows;
}

/** What the vault told and nobody has heard for so long is not on its way any more. */
const hearingMs = 10 * 60_000;

export const lookAtPayouts: Looker = async (ctx, { projectId, objects }) => {
  if (!ctx.config.vault)
    return {
      findings: [],
      beyondReach: objects,
      skipped: [`${objects.length} payouts: this instance has no vault`],
    };
  try {
    const findings: Finding[] = [];
    const moving = new Set<string>();
    for (let at = 0; at < objects.length; at += payoutsPerPageMax) {
      const ids = objects.slice(at, at + payoutsPerPageMax);
      const payouts = await readPayouts(ctx, { projectId, ids });
      // Before the ledger: what is heard in between is in the ledger then.
      const unheard = await readUnreceivedPayouts(
        ctx,
        new Date(ctx.clock.now().getTime() - hearingMs),
      );
      const facts = await selectPayoutFacts(ctx.store, { projectId, ids });
      const differing = facts.flatMap((fact) => comparePayout(fact, payouts.get(fact.id)));
      if (differing.length === 0) continue;
      const again = await readPayouts(ctx, {
        projectId,
        ids: [...new Set(differing.map(({ object }) => object))],
      });
      // What has moved meanwhile was compared with what it was before.
      const isMoving = (id: string) =>
        unheard.has(id) || again.get(id)?.updatedAt !== payouts.get(id)?.updatedAt;
      for (const finding of differing)
        if (isMoving(finding.object)) moving.add(finding.object);
        else findings.push(finding);
    }
    return { findings, beyondReach: [...moving] };
  } catch (error) {
    if (!isAway(error)) throw error;
    return {
      findings: [],
      unlooked: objects,
      skipped: [`${objects.length} payouts: ${error.message}`],
    };
  }
};

async function readPayouts(
  ctx: Ctx,
  input: { readonly projectId: string; readonly ids: readonly string[] },
) {
  return new Map((await readPayoutPage(ctx, input)).map((payout) => [payout.payoutId, payout]));
}

const paid: ReadonlySet<PayoutAnswer['status']> = new Set(['settled', 'final']);
const over: ReadonlySet<PayoutAnswer['status']> = new Set(['rejected', 'returned', 'canceled']);

function comparePayout(fact: PayoutFact, payout: PayoutAnswer | undefined): Finding[] {
  if (!payout) return fact.legs.map((leg) => unknownToVault(fact.id, leg));
  if (fact.isBeingAsked && fact.legs.length === 0) return [];
  const { amountMinor, currency, provider, rail, status } = payout;
  const asset = currency.toLowerCase();
  const amount = BigInt(amountMinor);
  const transit = `bank:${provider}:in_transit:${rail}`;
  const account = `bank:${provider}:account`;
  const expected = {
    held: paid.has(status) || over.has(status) ? 0n : amount,
    paid: paid.has(status) ? amount : 0n,
    'in transit': 0n,
  };
  const found = {
    held: pendingOn(fact, transit, asset),
    paid: -postedOn(fact, account, asset),
    'in transit': -postedOn(fact, transit, asset),
  };
  const place = { comparison: 'payout', object: fact.id, asset } as const;
  if (expected.paid === amount && found.paid === 0n && found.held === amount)
    return [
      {
        ...place,
        aspect: 'paid',
        expectedMinor: amount,
        foundMinor: 0n,
        problem: `payout ${fact.id} (${payout.object}) of ${unitsOf(amount, asset)} is ${status} at the bank, and still on hold in the ledger`,
      },
    ];
  const findings = (['held', 'paid', 'in transit'] as const)
    .filter((aspect) => expected[aspect] !== found[aspect])
    .map((aspect): Finding => {
      const [expectedMinor, foundMinor] = [expected[aspect], found[aspect]];
      const problem = `payout ${fact.id} (${payout.object}) is ${status} at the vault with ${unitsOf(expectedMinor, asset)} ${aspect}, and the ledger has ${unitsOf(foundMinor, asset)} ${aspect}`;
      return { ...place, aspect, expectedMinor, foundMinor, problem };
    });
  const stray = fact.legs.filter(([to, of]) => of !== asset || (to !== transit && to !== account));
  return [...findings, ...stray.map((leg) => strayLeg(fact.id, leg))];
}

function pendingOn(fact: PayoutFact, account: string, asset: string): bigint {
  return -fact.legs
    .filter(([to, of]) => to === account && of === asset)
    .reduce((sum, [, , , pending]) => sum + BigInt(pending), 0n);
}

function postedOn(fact: PayoutFact, account: string, asset: string): bigint {
  return fact.legs
    .filter(([to, of]) => to === account && of === asset)
    .reduce((sum, [, , posted]) => sum + BigInt(posted), 0n);
}

function unknownToVault(
  id: string,
  [account, asset, posted, pending]: PayoutFact['legs'][number],
): Finding {
  const foundMinor = BigInt(posted) + BigInt(pending);
  const problem = `the ledger has ${unitsOf(foundMinor, asset)} on ${account} for payout ${id}, which the vault does not know`;
  return {
    comparison: 'payout',
    object: id,
    aspect: account,
    asset,
    expectedMinor: 0n,
    foundMinor,
    problem,
  };
}

function strayLeg(
  id: string,
  [account, asset, posted, pending]: PayoutFact['legs'][number],
): Finding {
  const foundMinor = BigInt(posted) + BigInt(pending);
  const problem = `the ledger has ${unitsOf(foundMinor, asset)} on ${account} for payout ${id}, which went another way`;
  return {
    comparison: 'payout',
    object: id,
    aspect: account,
    asset,
    expectedMinor: 0n,
    foundMinor,
    problem,
  };
}
