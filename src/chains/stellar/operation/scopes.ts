import type { xdr } from '@stellar/stellar-sdk/base';
import type { ContractCall, Scope } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { leftOf } from '../../family/limit-use.ts';
import { type ActingDelegate, limitsOf } from '../wallet/state.ts';
import { readPlainTransfer } from './calls.ts';
import { callOf } from './stored.ts';

/**
 * What a delegated signer may do, told before the chain is asked: the contract enforces the same,
 * but says it in codes.
 */

export interface ScopesInput {
  readonly wallet: string;
  readonly signer: string;
  readonly delegate: ActingDelegate;
  readonly invocation: xdr.SorobanAuthorizedInvocation;
  readonly now: Date;
}

/** @throws signer-scope-violation, transaction-invalid for a call of the wallet itself */
export function requireScopes({ wallet, signer, delegate, invocation, now }: ScopesInput): void {
  const calls = callsOf(invocation, signer);
  const scopes = delegate.registration?.scopes ?? [];
  if (scopes.length === 0) {
    if (calls.some(({ contract }) => contract === wallet))
      throw violation(
        `params.transaction: the signer "${signer}" may not manage the wallet: its recovery methods do.`,
      );
    return;
  }
  const limits = limitsOf(delegate, BigInt(Math.floor(now.getTime() / 1000)));
  const planned = scopes.map((scope, index) => ({ scope, left: leftOf(limits[index]) }));
  for (const call of calls) take(planned, call, { wallet, signer });
}

/** Of the whole tree. */
function callsOf(invocation: xdr.SorobanAuthorizedInvocation, signer: string): ContractCall[] {
  try {
    return [
      callOf(invocation),
      ...invocation.subInvocations.flatMap((one) => callsOf(one, signer)),
    ];
  } catch {
    throw violation(`params.transaction: the signer "${signer}" may not create contracts.`);
  }
}

interface Planned {
  readonly scope: Scope;
  /** Undefined: no limit. */
  left: bigint | undefined;
}

function take(
  planned: readonly Planned[],
  call: ContractCall,
  { wallet, signer }: Pick<ScopesInput, 'wallet' | 'signer'>,
): void {
  const transfer = readPlainTransfer(call);
  if (!transfer || transfer.from !== wallet || transfer.amountMinor <= 0n)
    throw violation(
      `params.transaction: the signer "${signer}" may make plain transfers of the wallet's tokens only.`,
    );
  const { token, to, amountMinor, muxedId } = transfer;
  const ofToken = planned.filter(({ scope }) => scope.token === token);
  if (ofToken.length === 0)
    throw violation(
      `params.transaction: the signer "${signer}" may not transfer this token (${token}).`,
    );
  // With a customer's number the address is another one for the contract.
  const named = muxedId === undefined ? to : '';
  const toRecipient = ofToken.filter(
    ({ scope }) => scope.recipients.length === 0 || scope.recipients.includes(named),
  );
  if (toRecipient.length === 0)
    throw violation(`params.transaction: the signer "${signer}" may not transfer to ${to}.`);
  const chosen = toRecipient.find(({ left }) => left === undefined || left >= amountMinor);
  if (!chosen) {
    const most = toRecipient.reduce((best, { left }) => (left! > best ? left! : best), 0n);
    throw violation(
      `params.transaction: a transfer of ${amountMinor} of the smallest unit is above the spending limit of the signer "${signer}": ${most} are left until its interval ends.`,
    );
  }
  if (chosen.left !== undefined) chosen.left -= amountMinor;
}

function violation(message: string): ServiceError {
  return new ServiceError('signer-scope-violation', { message });
}
