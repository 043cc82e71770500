import { ServiceError } from '../../../lib/errors.ts';
import type { WalletPlan } from '../../family.ts';
import { addressOfPublicKey } from '../signing/approvals.ts';

/** A wallet that is its key: a system account, which exists once it holds something. */
export function planAccount(publicKey: Uint8Array): WalletPlan {
  return { address: addressOfPublicKey(publicKey), setup: {} };
}

export function noWalletProgram(): ServiceError {
  return new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
    message:
      'This instance has no wallet program on solana: its operator deploys it and sets SOLANA_WALLET_PROGRAM_ID. Use "mpc".',
  });
}
