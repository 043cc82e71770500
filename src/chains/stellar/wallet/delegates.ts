import { addSigner, bumpEpoch, removeSigner } from '../../../../contracts/stellar/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import {
  addressesOf,
  requireAddable,
  secondsOf,
  truthsOf,
} from '../../family/smart-wallets/registrations.ts';
import type {
  Delegate,
  DelegateTruth,
  FamilyWallet,
  LimitUse,
  PreparedOperation,
  PrepareSignerChangeInput,
  ReadLimitsInput,
} from '../../family.ts';
import { type BuildDeps, buildOperation } from '../operation/build.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { readSmartSetup } from './plan.ts';
import { registrationOf } from './registration.ts';
import { signerKeyOf } from './signer-keys.ts';
import { limitsOf, readSmartState } from './state.ts';

/**
 * Delegated signers of a wallet: the operations of its admin that change them, and what the chain
 * says of them.
 */

/**
 * As {@link ChainFamily.prepareSignerChange}.
 * @throws transaction-invalid an approver that is no recovery method of the wallet
 */
export async function prepareStellarSignerChange(
  deps: BuildDeps,
  input: PrepareSignerChangeInput,
): Promise<PreparedOperation> {
  const { wallet, change, approver, now } = input;
  const connection = await deps.connect(input.chain);
  const asked = change.kind === 'add' ? change.delegate.signer : change.signer;
  if (change.kind === 'add') requireAddable(change.delegate, 'stellar', now);
  const registration =
    change.kind === 'add' ? registrationOf(connection.network, change.delegate) : undefined;
  return buildOperation(deps, connection, {
    wallet,
    signer: approver,
    now,
    params: paramsOf(wallet, registration ? 'add_signer' : 'remove_signer', {
      signer: asked.locator,
    }),
    asked,
    counterparties: change.kind === 'add' ? addressesOf(change.delegate) : [],
    callOf: (state) =>
      registration
        ? addSigner(wallet.address, state?.delegates[0]?.generation ?? 0, registration)
        : removeSigner(wallet.address, signerKeyOf(asked)),
  });
}

/** As {@link ControlTools.prepareEnd}. @throws as {@link prepareStellarSignerChange} */
export async function prepareStellarEnd(
  deps: BuildDeps,
  input: Omit<PrepareSignerChangeInput, 'change'>,
): Promise<PreparedOperation> {
  const { wallet, approver: signer, now } = input;
  const connection = await deps.connect(input.chain);
  const params = paramsOf(wallet, 'bump_epoch', {});
  return buildOperation(deps, connection, {
    wallet,
    signer,
    now,
    params,
    counterparties: [],
    callOf: () => bumpEpoch(wallet.address),
  });
}

/** What is answered as `params`: callers do not send such a call. */
function paramsOf({ address }: FamilyWallet, method: string, args: JsonObject): JsonObject {
  return { transaction: { type: 'contract-call', contractId: address, method, args } };
}

/** As {@link ChainFamily.readDelegates}: one round trip. */
export async function readStellarDelegates(
  connection: StellarConnection,
  wallet: FamilyWallet,
  delegates: readonly Delegate[],
): Promise<DelegateTruth[]> {
  const wanted = delegates.map((delegate) => registrationOf(connection.network, delegate));
  const keys = wanted.map(({ key }) => key);
  const { delegates: found } = await readSmartState(connection, readSmartSetup(wallet), keys);
  return truthsOf(
    wanted,
    found.map(({ registration }) => registration),
  );
}

/** As {@link Delegates.readLimits}. */
export async function readStellarLimits(
  connection: StellarConnection,
  { wallet, signers, now }: ReadLimitsInput,
): Promise<((LimitUse | undefined)[] | undefined)[]> {
  const keys = signers.map((signer) => signerKeyOf(signer));
  const { delegates } = await readSmartState(connection, readSmartSetup(wallet), keys);
  return delegates.map((delegate) => delegate.registration && limitsOf(delegate, secondsOf(now)));
}
