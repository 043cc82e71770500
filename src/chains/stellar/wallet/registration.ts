import {
  limits,
  type Registration,
  type Scope,
  type SignerKey,
} from '../../../../contracts/stellar/index.ts';
import {
  type RegistrationRules,
  readRegistration,
} from '../../family/smart-wallets/registrations.ts';
import type { Delegate } from '../../family.ts';
import { checkStellarAddress } from '../addresses.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { signerKeyOf } from './signer-keys.ts';

/** A delegated signer as the wallet contract registers it; as {@link readRegistration}. */
export function registrationOf(
  { name, nativeContract }: StellarNetwork,
  delegate: Delegate,
  place = '',
): Registration {
  const rules: RegistrationRules<SignerKey, Scope> = {
    chain: name,
    limits: { ...limits, interval: limits.time },
    checkAddress: checkStellarAddress,
    signerKeyOf,
    scopeOf: ({ address }, counted) => ({ token: address ?? nativeContract, ...counted }),
  };
  return readRegistration(rules, delegate, place);
}
