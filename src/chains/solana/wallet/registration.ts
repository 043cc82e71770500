import type { Address } from '@solana/kit';
import {
  limits,
  type Registration,
  type Scope,
  type SignerKey,
} from '../../../../programs/solana-wallet/index.ts';
import {
  type RegistrationRules,
  readRegistration,
} from '../../family/smart-wallets/registrations.ts';
import type { Delegate } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { signerKeyOf } from './signer-keys.ts';

const rules: RegistrationRules<SignerKey, Scope> = {
  chain: 'solana',
  limits,
  checkAddress: checkSolanaAddress,
  signerKeyOf,
  scopeOf: ({ address }, counted) => ({
    ...(address !== undefined && { mint: address as Address }),
    ...counted,
    recipients: counted.recipients as readonly Address[],
  }),
};

/** A delegated signer as the wallet program registers it; as {@link readRegistration}. */
export function registrationOf(delegate: Delegate, place = ''): Registration {
  return readRegistration(rules, delegate, place);
}
