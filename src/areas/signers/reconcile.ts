import { type Delegate, type DelegateTruth, requireExtra } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { selectTransactionChains } from '../transactions/index.ts';
import {
  chainAsStored,
  claimDueChains,
  claimDueSetUps,
  type DelegateChainUpdate,
  type DelegateOnChain,
  lockDelegatesOnChains,
  onChainKey,
  postponeChecks,
  saveDelegateChains,
  selectDelegates,
  selectDelegatesOnChains,
  selectWalletById,
  termsOn,
  toFamilyWallet,
  updateAsked,
} from '../wallets/index.ts';
import { type Terms, termsKey } from './addition.ts';
import { checkSoonMs } from './settle.ts';
import { type SignerChange, selectAdditions } from './store.ts';

/**
 * The database follows the chain, never the other way round: what this service knows of signers is
 * compared with what the chain says, and corrected. A node may lag, so a chain is believed when it
 * contradicts twice.
 */

const takenMax = 50;
const setUpsMax = 50;
const leaseMs = 120_000;
const nextCheckMs = 24 * 3_600_000;
/** Earlier registrations whose settings the chain may have. */
const additionsMax = 5;

/**
 * ScheduledJob: compares signers that have changed or were not looked at for a day; answers how many it
 * corrected.
 */
export async function compareSigners(ctx: Ctx): Promise<number> {
  await takeSetUps(ctx);
  const due = await claimDueChains(ctx.store, { now: ctx.clock.now(), leaseMs, limit: takenMax });
  let corrected = 0;
  for (const group of groupByWallet(due)) {
    try {
      corrected += await compareOnChain(ctx, group);
    } catch (error) {
      ctx.log.warn(
        { err: error, walletId: group.walletId, chain: group.chain },
        'signers were not compared with the chain; tried again',
      );
    }
  }
  return corrected;
}

/**
 * Signers of the set-up have no rows of their own for the chains they are on: they get one for each
 * chain that is used.
 */
async function takeSetUps(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const due = await claimDueSetUps(ctx.store, {
    now,
    next: new Date(now.getTime() + nextCheckMs),
    limit: setUpsMax,
  });
  for (const walletId of new Set(due.map((one) => one.walletId))) {
    const chains = (await selectTransactionChains(ctx.store, walletId)).map(({ chain }) => chain);
    const signerIds = due
      .filter((one) => one.walletId === walletId)
      .map(({ signerId }) => signerId);
    for (const chain of chains) await compareSetUp(ctx, { walletId, chain, signerIds });
  }
}

interface ChainGroup {
  readonly walletId: string;
  readonly chain: string;
  readonly signerIds: readonly string[];
}

/** Only what the chain has otherwise gets a row, with which the comparison goes on. */
async function compareSetUp(ctx: Ctx, { walletId, chain, signerIds }: ChainGroup): Promise<void> {
  const wallet = await selectWalletById(ctx.store, walletId);
  if (!wallet) return;
  const delegates = (await selectDelegates(ctx.store, { walletId })).filter(
    (one) => signerIds.includes(one.id) && !one.chains.some((row) => row.chain === chain),
  );
  if (delegates.length === 0) return;
  try {
    const asked = delegates.map((one) => ({ signer: one.signer, ...termsOn(one, undefined)! }));
    const truths = await requireExtra(
      ctx.chains.family(wallet.chainType),
      'delegates',
    ).readDelegates(toFamilyWallet(wallet), chain, asked);
    const doubted = delegates.filter((_, index) => truths[index] !== 'same');
    if (doubted.length === 0) return;
    const keys = doubted.map(({ id }) => ({ signerId: id, chain }));
    await ctx.store.transaction(async (tx) => {
      const current = await lockDelegatesOnChains(tx, keys);
      const now = ctx.clock.now();
      await saveDelegateChains(
        tx,
        [...current.values()]
          .filter(({ onChain }) => onChain === undefined)
          .map((one) => chainAsStored(one, chain, now)),
      );
    });
  } catch (error) {
    ctx.log.warn(
      { err: error, walletId, chain },
      'signers of a set-up were not compared with the chain; tried again tomorrow',
    );
  }
}

function groupByWallet(
  due: readonly { signerId: string; walletId: string; chain: string }[],
): ChainGroup[] {
  const groups = new Map<string, ChainGroup & { signerIds: string[] }>();
  for (const { signerId, walletId, chain } of due) {
    const key = `${walletId} ${chain}`;
    const group = groups.get(key) ?? { walletId, chain, signerIds: [] };
    group.signerIds.push(signerId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What the chain may have of a signer: settings, with the request they came from. */
interface Candidate extends Terms {
  readonly asked: DelegateChainUpdate['asked'];
}

async function compareOnChain(
  ctx: Ctx,
  { walletId, chain, signerIds }: ChainGroup,
): Promise<number> {
  const wallet = await selectWalletById(ctx.store, walletId);
  if (!wallet) return 0;
  const family = ctx.chains.family(wallet.chainType);
  const keys = signerIds.map((signerId) => ({ signerId, chain }));
  const [delegates, additions] = await Promise.all([
    selectDelegatesOnChains(ctx.store, keys),
    selectAdditions(ctx.store, { keys, limitPerKey: additionsMax }),
  ]);
  const questions = delegates.flatMap((delegate) =>
    delegate
      ? [
          {
            delegate,
            candidates: candidatesOf(delegate, additions, (terms) => termsKey(family, terms)),
          },
        ]
      : [],
  );
  const asked: Delegate[] = questions.flatMap(({ delegate, candidates }) =>
    candidates.map(({ expiresAt, scopes }) => ({
      signer: delegate.signer,
      scopes,
      expiresAt,
    })),
  );
  const truths = await requireExtra(family, 'delegates').readDelegates(
    toFamilyWallet(wallet),
    chain,
    asked,
  );
  let corrected = 0;
  for (const { delegate, candidates } of questions) {
    const own = truths.splice(0, candidates.length);
    corrected += await correct(ctx, { delegate, chain, found: findInChain(candidates, own) });
  }
  return corrected;
}

/** What is in force as far as is known comes first, then the latest requests, then the set-up. */
function candidatesOf(
  delegate: DelegateOnChain,
  additions: readonly SignerChange[],
  keyOf: (terms: Terms) => string,
): Candidate[] {
  const { onChain } = delegate;
  const inForce = termsOn(delegate, onChain);
  const setUp = termsOn(delegate, undefined);
  const all = [
    ...(inForce ? [{ ...inForce, asked: onChain?.asked ?? delegate.asked }] : []),
    ...additions.filter(({ signerId }) => signerId === delegate.id),
    ...(setUp
      ? [
          {
            ...setUp,
            asked:
              setUp.expiresAt === undefined ? {} : { expiresAt: setUp.expiresAt.toISOString() },
          },
        ]
      : []),
  ];
  const seen = new Set<string>();
  const distinct = all.filter((terms) => !seen.has(keyOf(terms)) && seen.add(keyOf(terms)));
  return distinct.length > 0 ? distinct : [{ scopes: [], asked: {} }];
}

type Found =
  | { readonly state: 'in-force'; readonly terms: Candidate }
  | { readonly state: 'absent' | 'different' };

function findInChain(candidates: readonly Candidate[], truths: readonly DelegateTruth[]): Found {
  const at = truths.indexOf('same');
  if (at >= 0) return { state: 'in-force', terms: candidates[at]! };
  return { state: truths.includes('different') ? 'different' : 'absent' };
}

async function correct(
  ctx: Ctx,
  input: { delegate: DelegateOnChain; chain: string; found: Found },
): Promise<number> {
  const { delegate, chain, found } = input;
  const { family, now } = { family: ctx.chains.familyOfChain(chain), now: ctx.clock.now() };
  const key = { signerId: delegate.id, chain };
  const { onChain } = delegate;
  if (!onChain) return 0;
  const agrees =
    found.state === onChain.state &&
    (found.state !== 'in-force' || termsKey(family, found.terms) === termsKey(family, onChain));
  if (agrees) {
    await postponeChecks(ctx.store, [{ ...key, checkAt: new Date(now.getTime() + nextCheckMs) }]);
    return 0;
  }
  const doubtedAt = onChain.doubtedAt ?? now;
  if (now.getTime() - doubtedAt.getTime() < checkSoonMs) {
    await postponeChecks(ctx.store, [
      { ...key, checkAt: new Date(now.getTime() + checkSoonMs), doubtedAt },
    ]);
    return 0;
  }
  return ctx.store.transaction(async (tx) => {
    const current = (await lockDelegatesOnChains(tx, [key])).get(onChainKey(key));
    // What has changed since it was read is compared anew at its own time.
    if (!current?.onChain || current.onChain.changedAt.getTime() !== onChain.changedAt.getTime())
      return 0;
    const update = corrected(current, chain, found, now);
    await saveDelegateChains(tx, [update]);
    if (update.state === 'in-force' && update.registration !== 'open')
      await updateAsked(tx, [{ id: delegate.id, asked: update.asked }]);
    ctx.log.warn(
      { signerId: delegate.id, chain, was: onChain.state, is: found.state },
      'a signer was not what the chain says: corrected',
    );
    return 1;
  });
}

function corrected(
  delegate: DelegateOnChain,
  chain: string,
  found: Found,
  now: Date,
): DelegateChainUpdate {
  const before = chainAsStored(delegate, chain, now);
  const checkAt = new Date(now.getTime() + nextCheckMs);
  if (found.state !== 'in-force')
    return { ...before, state: found.state, expiresAt: undefined, scopes: [], asked: {}, checkAt };
  const { expiresAt, scopes, asked } = found.terms;
  const registration = before.registration === 'failed' ? undefined : before.registration;
  return { ...before, state: 'in-force', expiresAt, scopes, asked, registration, checkAt };
}
