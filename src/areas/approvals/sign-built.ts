import type { ChainFamily, LateSignInput } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError, SigningRefusedError } from '../../lib/errors.ts';
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
 * @throws SigningRefusedError when it is not the operation or not the wallet's, where a row was
 *   changed after an alarm; anything else may be asked for again
 */
export async function signBuilt(
  ctx: Pick<Ctx, 'store' | 'providers'>,
  family: ChainFamily,
  input: LateSignInput,
  treasuries: TreasuryTransfers,
): Promise<Uint8Array> {
  try {
    return await sign(ctx, family, input, treasuries);
  } catch (error) {
    // A row that was changed, of whatever table: its alarm is raised.
    if (error instanceof ServiceError && error.code === 'internal-error')
      throw new SigningRefusedError(error.message, { cause: error });
    throw error;
  }
}

async function sign(
  ctx: Pick<Ctx, 'store' | 'providers'>,
  family: ChainFamily,
  { projectId, walletId, operation, built }: LateSignInput,
  treasuries: TreasuryTransfers,
): Promise<Uint8Array> {
  if (!family.late)
    throw new Error(`Custody approves operations on ${family.chainType} before they are built.`);
  const wallet = await selectWalletById(ctx.store, walletId);
  const refuse = (why: string, table = 'wallets', id = walletId) =>
    rowMacsOf(ctx.store).refuse({ table, id }, why);
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
  const bytes = signedBytes(family.late, { operation, built, address });
  const purpose = custodyPurposeOf(wallet);
  try {
    return await ctx.providers.custody.sign(ctx.store, {
      keyId,
      projectId,
      purpose,
      walletId,
      bytes,
    });
  } catch (error) {
    if (!(error instanceof SigningRefusedError)) throw error;
    throw refuse(error.message, 'custody_keys', keyId);
  }
}

function signedBytes(
  late: NonNullable<ChainFamily['late']>,
  {
    operation,
    built,
    address,
  }: Pick<LateSignInput, 'operation' | 'built'> & { readonly address: string },
): Uint8Array {
  try {
    return late.signedBytes(operation, built, address);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SigningRefusedError(`Custody does not sign it: ${why}. Create it again.`, {
      ofBytes: true,
      cause,
    });
  }
}
