import {
  addSigner,
  bumpEpoch,
  type Registration,
  removeSigner,
} from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { invalid, singleDelegateTypes } from '../../family/signing/quorums.ts';
import type {
  Delegate,
  DelegateTruth,
  FamilyWallet,
  LimitUse,
  PreparedOperation,
  PrepareSignerChangeInput,
  ReadLimitsInput,
} from '../../family.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { type BuildDeps, buildOperation } from '../operation/build.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { readSmartSetup } from './plan.ts';
import { isSameRegistration, registrationOf } from './registration.ts';
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
  const registration =
    change.kind === 'add' ? readAddition(connection.network, change.delegate, now) : undefined;
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

/** @throws signer-type-not-supported, validation-error */
function readAddition(network: StellarNetwork, delegate: Delegate, now: Date): Registration {
  if (!singleDelegateTypes.some((type) => type === delegate.signer.type))
    throw new ServiceError('signer-type-not-supported', {
      message: `signer: a signer of type "${delegate.signer.type}" cannot be a delegated signer of a stellar wallet. Use one of: ${singleDelegateTypes.join(', ')}.`,
    });
  if (delegate.expiresAt !== undefined && delegate.expiresAt <= now)
    throw invalid('expiresAt', 'is in the past');
  return registrationOf(network, delegate);
}

/** The delegate and those it may send money to. */
function addressesOf({ signer, scopes }: Delegate): string[] {
  return [
    ...new Set([
      ...(signer.address === undefined ? [] : [signer.address]),
      ...scopes.flatMap(({ recipients }) => recipients ?? []),
    ]),
  ];
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
  return wanted.map((registration, index) => {
    const there = found[index]?.registration;
    if (!there) return 'absent';
    return isSameRegistration(there, registration) ? 'same' : 'different';
  });
}

/** As {@link Delegates.readLimits}. */
export async function readStellarLimits(
  connection: StellarConnection,
  { wallet, signers, now }: ReadLimitsInput,
): Promise<((LimitUse | undefined)[] | undefined)[]> {
  const keys = signers.map((signer) => signerKeyOf(signer));
  const { delegates } = await readSmartState(connection, readSmartSetup(wallet), keys);
  const at = BigInt(Math.floor(now.getTime() / 1000));
  return delegates.map((delegate) => delegate.registration && limitsOf(delegate, at));
}
