import type { ChainType } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { apiKeySignerOf } from './api-key-signer.ts';
import { insertWallet } from './insert-wallet.ts';
import { companyOwner } from './owner.ts';
import { selectTreasuryWallet, type WalletRecord } from './store.ts';

/**
 * The wallet that belongs to a project's orders on a family, made on first use with the project's key in custody. It has no
 * owner key, so that no creation and no locator of an owner finds it. Concurrent first uses give one.
 * @throws chain-not-supported
 */
export async function ensureTreasuryWallet(
  ctx: Pick<Ctx, 'store' | 'chains' | 'providers' | 'ids' | 'clock'>,
  key: { readonly projectId: string; readonly chainType: ChainType },
): Promise<WalletRecord> {
  const existing = await selectTreasuryWallet(ctx.store, key);
  if (existing) return existing;
  const family = ctx.chains.family(key.chainType);
  const type = family.walletTypes[0]!;
  const adminSigner = await apiKeySignerOf(ctx, family, key.projectId);
  const plan = family.planWallet({ type, adminSigner, creationSeed: ctx.ids.bytes(32).toString('hex') });
  await insertWallet(ctx.store, {
    id: ctx.ids.uuid(),
    ...key,
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
  const made = await selectTreasuryWallet(ctx.store, key);
  if (!made) throw new Error(`the treasury of project ${key.projectId} on ${key.chainType} was not stored`);
  return made;
}
