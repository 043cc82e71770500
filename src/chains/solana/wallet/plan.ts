import { ServiceError } from '../../../lib/errors.ts';
import type { WalletPlan } from '../../family.ts';
import { addressOfPublicKey } from '../signing/approvals.ts';

/** A wallet that is its key: a system account, which exists once it holds something. */
export function planAccount(publicKey: Uint8Array): WalletPlan {
  return { address: addressOfPublicKey(publicKey), setup: {} };
}

export function noSmartWallets(): ServiceError {
  return new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
    message: 'Not implemented: this version has no smart wallets on solana. Use "mpc".',
  });
}
