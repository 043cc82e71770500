import { ServiceError } from '../../../lib/errors.ts';
import type { WalletPlan, WalletPlanInput } from '../../family.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';

/** As `Wallets.planWallet`: the account of one key, there before anything is sent to it. */
export function planAptosWallet(input: WalletPlanInput): WalletPlan {
  if (input.type !== 'mpc')
    throw new ServiceError('signer-type-not-supported', {
      message: 'Wallets on Aptos are of type "mpc".',
    });
  const { publicKey } = input;
  return {
    address: addressOfEd25519(publicKey),
    setup: { publicKey: Buffer.from(publicKey).toString('hex') },
  };
}
