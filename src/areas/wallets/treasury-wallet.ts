import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChainFamily, ChainType } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { treasuryPurpose } from '../../providers/custody/by-purpose.ts';
import { insertWallet } from './insert-wallet.ts';
import { companyOwner } from './owner.ts';
import { custodySigner } from './signer/api-key-signer.ts';
import { selectProjectsWithoutTreasury, selectTreasuryWallet, type WalletRecord } from './store.ts';

type TreasuryCtx = Pick<Ctx, 'store' | 'chains' | 'providers' | 'ids' | 'clock'>;

/** Longer than a worker takes to notice a new project. */
const waitMsMax = 5_000;
const lookEveryMs = 100;
const projectsAtOnceMax = 100;

/**
 * The wallet that belongs to a project's orders on a family. It has no owner key, so that no
 * creation and no locator of an owner finds it. Its key signs for it alone, and only the worker
 * opens that: whoever cannot waits for the worker to make it. Concurrent first uses give one.
 * @throws chain-not-supported; provider-unavailable while no worker has made it
 */
export async function ensureTreasuryWallet(
  ctx: TreasuryCtx,
  key: { readonly projectId: string; readonly chainType: ChainType },
): Promise<WalletRecord> {
  const existing = await selectTreasuryWallet(ctx.store, key);
  if (existing) return existing;
  const family = ctx.chains.family(key.chainType);
  if (!ctx.providers.custody.opens(treasuryPurpose)) return waitForTreasury(ctx, key);
  await makeTreasury(ctx, family, key.projectId);
  const made = await selectTreasuryWallet(ctx.store, key);
  if (!made)
    throw new Error(`the treasury of project ${key.projectId} on ${key.chainType} was not stored`);
  return made;
}

/** ScheduledJob: makes the treasuries of new projects; answers how many. */
export async function makeTreasuries(ctx: TreasuryCtx): Promise<number> {
  if (!ctx.providers.custody.opens(treasuryPurpose)) return 0;
  let made = 0;
  for (const family of ctx.chains.families) {
    const projectIds = await selectProjectsWithoutTreasury(ctx.store, {
      chainType: family.chainType,
      limit: projectsAtOnceMax,
    });
    for (const projectId of projectIds) await makeTreasury(ctx, family, projectId);
    made += projectIds.length;
  }
  return made;
}

async function makeTreasury(
  ctx: TreasuryCtx,
  family: ChainFamily,
  projectId: string,
): Promise<void> {
  const { chainType } = family;
  const id = treasuryId(projectId, chainType);
  const type = family.walletTypes[0]!;
  const { signer: adminSigner, publicKey } = await custodySigner(ctx, family, {
    projectId,
    purpose: treasuryPurpose,
    walletId: id,
  });
  const plan = family.planWallet(
    type === 'mpc'
      ? { type, publicKey }
      : { type, adminSigner, creationSeed: ctx.ids.bytes(32).toString('hex') },
  );
  await insertWallet(ctx.store, {
    id,
    projectId,
    chainType,
    type,
    address: plan.address,
    addressKey: family.canonicalAddress(plan.address),
    owner: companyOwner,
    purpose: 'treasury',
    adminSigner,
    hasDelegates: false,
    setup: plan.setup,
    createdAt: ctx.clock.now(),
  });
}

/**
 * A UUID (RFC 9562, version 8) that follows from project and family: the key is made for the wallet
 * before the wallet is there.
 */
function treasuryId(projectId: string, chainType: ChainType): string {
  const bytes = createHash('sha256')
    .update(`treasury ${projectId} ${chainType}`)
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

async function waitForTreasury(
  ctx: Pick<Ctx, 'store'>,
  key: { readonly projectId: string; readonly chainType: ChainType },
): Promise<WalletRecord> {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += lookEveryMs) {
    await delay(lookEveryMs);
    const made = await selectTreasuryWallet(ctx.store, key);
    if (made) return made;
  }
  throw new ServiceError('provider-unavailable', {
    message:
      'The treasury of the project is made by the worker of the service, which has not done so yet: retry later.',
    headers: { 'retry-after': '5' },
  });
}
