import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { getEligibility } from '../identity/index.ts';
import type { WalletRecord } from '../wallets/index.ts';
import type { CreateTransferBody } from './schema.ts';

/**
 * Whether this wallet may make a transfer of this type: `direct` ones always, `regulated-transfer`
 * when the person who owns the wallet is verified for it.
 * @throws kyc-required, project:addon.required, not-authorized
 */
export async function requireTransferType(
  ctx: RequestCtx,
  wallet: WalletRecord,
  type: CreateTransferBody['transactionType'],
): Promise<void> {
  if (type === undefined || type === 'direct') return;
  if (type === 'onramp')
    throw new ServiceError('project:addon.required', {
      message:
        'The project is not configured for transfers of type "onramp": leave transactionType out or send "direct".',
    });
  if (wallet.owner === undefined || wallet.owner === 'COMPANY')
    throw new ServiceError('kyc-required', {
      message: `The wallet has no end user who could be verified, as transfers of type "${type}" ask for: send "direct".`,
    });
  const status = await statusOf(ctx, wallet.owner, type);
  if (status === 'verified') return;
  throw new ServiceError('kyc-required', {
    message: `The owner of the wallet is not verified for transfers of type "${type}" (${status}): PUT …/users/{userLocator}/identity-verification starts that.`,
  });
}

async function statusOf(ctx: RequestCtx, owner: string, type: string): Promise<string> {
  try {
    return (
      (await getEligibility(ctx, owner)).find((entry) => entry.type === type)?.status ??
      'not-started'
    );
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user-not-found') return 'not-started';
    throw error;
  }
}
