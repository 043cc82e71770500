import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { WalletRecord } from '../wallets/index.ts';
import {
  type SignatureRecord,
  selectSignature,
  selectSignatures,
  selectSignaturesById,
} from './store.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for text that can be an id at all; anything else is simply not found. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}

/** @throws signature-not-found */
export async function getSignature(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; id: string },
): Promise<SignatureRecord> {
  const record = isId(input.id)
    ? await selectSignature(ctx.store, { walletId: input.wallet.id, id: input.id })
    : undefined;
  if (!record) throw new ServiceError('signature-not-found');
  return record;
}

const idsMax = 1_000;

/** Requests of a wallet by id, in any order; unknown ids are left out. At most 1,000. */
export async function getSignaturesById(
  ctx: Pick<RequestCtx, 'store'>,
  input: { walletId: string; ids: readonly string[] },
): Promise<SignatureRecord[]> {
  return input.ids.length === 0
    ? []
    : selectSignaturesById(ctx.store, { ...input, ids: input.ids.slice(0, idsMax) });
}

const perPageDefault = 10;
const perPageMax = 100;
const offsetMax = 100_000;

/** Newest first. Pages count from 1. @throws validation-error */
export async function listSignatures(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; page?: string; perPage?: string },
): Promise<SignatureRecord[]> {
  const limit = Number(input.perPage ?? perPageDefault);
  if (limit > perPageMax)
    throw new ServiceError('validation-error', {
      message: `perPage: must be at most ${perPageMax}.`,
    });
  const offset = (Number(input.page ?? 1) - 1) * limit;
  if (offset > offsetMax)
    throw new ServiceError('validation-error', {
      message: `page: goes at most ${offsetMax} signatures deep.`,
    });
  return selectSignatures(ctx.store, { walletId: input.wallet.id, limit, offset });
}
