import { collectionStandards } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createPreparedTransaction } from '../transactions/index.ts';
import { requireTreasury } from '../treasury/index.ts';
import { toFamilyWallet } from '../wallets/index.ts';
import { findChain } from './offers.ts';

/**
 * Deploys a collection of the treasury's to try the sale of items with. There is one of each
 * standard per treasury and chain.
 * @throws forbidden outside development, validation-error, chain-not-supported
 */
export async function deployTestCollection(
  ctx: Ctx,
  input: { readonly projectId: string; readonly chain: string; readonly standard: string },
): Promise<{ readonly address: string; readonly transactionId: string }> {
  if (ctx.config.environment !== 'development')
    throw new ServiceError('forbidden', {
      message: 'Test collections are deployed in development only: elsewhere register your own.',
    });
  const standard = collectionStandards.find((one) => one === input.standard);
  if (!standard)
    throw new ServiceError('validation-error', {
      message: `The standard is one of ${collectionStandards.join(', ')}.`,
    });
  const { family, collections, chain } = findChain(ctx, input.chain);
  const wallet = await requireTreasury(ctx, {
    projectId: input.projectId,
    chainType: family.chainType,
  });
  const { address, params } = collections.testCollection({
    chain,
    standard,
    owner: wallet.address,
  });
  const prepared = await family.prepareOperation({
    wallet: toFamilyWallet(wallet),
    params,
    signer: wallet.adminSigner,
    now: ctx.clock.now(),
  });
  const { id } = await createPreparedTransaction(ctx, {
    wallet,
    prepared,
    signer: wallet.adminSigner,
  });
  return { address, transactionId: id };
}
