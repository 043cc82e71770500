import type { ChainFamily, LateSignInput } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import { custodyPurposeOf, selectWalletById } from '../wallets/index.ts';

/**
 * As `ChainEntrances.signBuilt`: one signature by the key of this mpc wallet, for bytes that are
 * the operation and nothing else.
 */
export async function signBuilt(
  ctx: Pick<Ctx, 'store' | 'providers'>,
  family: Pick<ChainFamily, 'late' | 'readSigned' | 'canonicalAddress' | 'chainType'>,
  { projectId, walletId, operation, built }: LateSignInput,
): Promise<Uint8Array> {
  if (!family.late)
    throw new Error(
      `Keys of wallets on ${family.chainType} approve operations before they are built.`,
    );
  const wallet = await selectWalletById(ctx.store, walletId);
  const refuse = (why: string) =>
    rowMacsOf(ctx.store).refuse({ table: 'wallets', id: walletId }, why);
  if (
    !wallet ||
    wallet.projectId !== projectId ||
    wallet.type !== 'mpc' ||
    wallet.chainType !== family.chainType
  )
    throw refuse(`it is no mpc wallet on ${family.chainType} of the project ${projectId}`);
  const { walletAddress } = family.readSigned(operation);
  if (family.canonicalAddress(walletAddress) !== family.canonicalAddress(wallet.address))
    throw refuse(`what is signed is for the wallet ${walletAddress}, not for ${wallet.address}`);
  const bytes = family.late.signedBytes(operation, built);
  const keyId = wallet.adminSigner['keyId'];
  if (typeof keyId !== 'string') throw refuse('it names no custody key');
  return ctx.providers.custody.sign(ctx.store, {
    keyId,
    projectId,
    purpose: custodyPurposeOf(wallet),
    walletId,
    bytes,
  });
}
