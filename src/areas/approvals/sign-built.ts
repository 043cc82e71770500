import type { ChainFamily, LateSignInput } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import { custodyPurposeOf, custodySignerOf, selectWalletById } from '../wallets/index.ts';

/** What treasuries send, which the API's role of the database cannot write. */
export interface TreasuryTransfers {
  isTransferOf(asked: Pick<LateSignInput, 'walletId' | 'operation'>): Promise<boolean>;
}

/**
 * As `ChainEntrances.signBuilt`: one signature by the key in custody of this wallet, for bytes that
 * are the operation and nothing else. A row that asks for it is sealed by keys that the API has too:
 * of a treasury the worker has also written down what is sent.
 */
export async function signBuilt(
  ctx: Pick<Ctx, 'store' | 'providers'>,
  family: ChainFamily,
  { projectId, walletId, operation, built }: LateSignInput,
  treasuries: TreasuryTransfers,
): Promise<Uint8Array> {
  if (!family.late)
    throw new Error(`Custody approves operations on ${family.chainType} before they are built.`);
  const wallet = await selectWalletById(ctx.store, walletId);
  const refuse = (why: string) =>
    rowMacsOf(ctx.store).refuse({ table: 'wallets', id: walletId }, why);
  if (!wallet || wallet.projectId !== projectId || wallet.chainType !== family.chainType)
    throw refuse(`it is no wallet on ${family.chainType} of the project ${projectId}`);
  const isAllowed =
    wallet.purpose !== 'treasury' ||
    family.late.movesNothing?.(operation) === true ||
    (await treasuries.isTransferOf({ walletId, operation }));
  if (!isAllowed) throw refuse('it is a treasury, and what is signed is no transfer of it');
  const { walletAddress } = family.readSigned(operation);
  if (family.canonicalAddress(walletAddress) !== family.canonicalAddress(wallet.address))
    throw refuse(`what is signed is for the wallet ${walletAddress}, not for ${wallet.address}`);
  const { keyId, address } = await custodySignerOf(ctx, family, wallet);
  if (typeof keyId !== 'string' || address === undefined) throw refuse('it names no custody key');
  const bytes = family.late.signedBytes(operation, built, address);
  return ctx.providers.custody.sign(ctx.store, {
    keyId,
    projectId,
    purpose: custodyPurposeOf(wallet),
    walletId,
    bytes,
  });
}
