import { addresses } from '../../../../contracts/generated.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { requireUnexpired } from '../../family/smart-wallets/registrations.ts';
import type { Delegate, TransferScope } from '../../family.ts';
import { placeOf, type ReadCall } from './transaction-params.ts';
import { readTransfer } from './transfer-calls.ts';

/**
 * What a delegated signer may do, told before the chain is asked: the module enforces the same, but
 * says it in codes. What was spent in the running interval, and when a limit begins anew, only the
 * chain knows (contracts/src/DelegatedSigners.sol, `_windowEnd`): it is left to the simulation.
 */

export interface DelegatedCalls {
  readonly delegate: Delegate;
  readonly calls: readonly ReadCall[];
  readonly wallet: string;
  readonly chain: string;
  readonly now: Date;
  /**
   * What the chain says may still be spent, by scope; absent where it is not asked or there is no
   * limit.
   */
  readonly availableMinor?: readonly (bigint | undefined)[];
}

/**
 * For each call the index of the scope that allows it; empty for a signer without scopes.
 * @throws signer-expired, signer-scope-violation
 */
export function chooseScopes({
  delegate,
  calls,
  wallet,
  chain,
  now,
  availableMinor = [],
}: DelegatedCalls): number[] {
  requireUnexpired(delegate, now);
  refuseManagement(calls, wallet);
  if (delegate.scopes.length === 0) return [];
  const scopes = delegate.scopes
    .map((scope, index) => ({
      scope,
      index,
      limitMinor: availableMinor[index] ?? scope.spendingLimit?.amountMinor,
      plannedMinor: 0n,
    }))
    .filter(({ scope }) => scope.token.chain === chain);
  return calls.map((call, callIndex) =>
    chooseScope(scopes, call, {
      place: placeOf(calls, callIndex),
      signer: delegate.signer.locator,
      isAsked: availableMinor.length > 0,
    }),
  );
}

function refuseManagement(calls: readonly ReadCall[], wallet: string): void {
  const own = [wallet.toLowerCase(), addresses.walletModule.toLowerCase()];
  const index = calls.findIndex(({ to }) => own.includes(to));
  if (index >= 0)
    throw violation(
      `${placeOf(calls, index)}: a delegated signer can never call the wallet itself or its module. Only the admin signer can.`,
    );
}

interface ScopePlace {
  readonly place: string;
  readonly signer: string;
  /** True: the limits are what the chain says is left of them. */
  readonly isAsked: boolean;
}

interface PlannedScope {
  readonly scope: TransferScope;
  readonly index: number;
  /** Absent: without a limit. */
  readonly limitMinor: bigint | undefined;
  /** What the calls before took of it. */
  plannedMinor: bigint;
}

function chooseScope(
  scopes: readonly PlannedScope[],
  call: ReadCall,
  { place, signer, isAsked }: ScopePlace,
): number {
  const transfer = readTransfer(call);
  if (!transfer)
    throw violation(
      `${place}: the signer "${signer}" may make plain transfers only: transfer(address,uint256) of a token without value, or native money without data.`,
    );
  const ofToken = scopes.filter(
    ({ scope }) => scope.token.address?.toLowerCase() === transfer.token,
  );
  if (ofToken.length === 0)
    throw violation(
      `${place}: the signer "${signer}" may not transfer this token. Its scopes: ${scopes.map(({ scope }) => scope.token.locator).join(', ') || 'none on this chain'}.`,
    );
  const toRecipient = ofToken.filter(
    ({ scope }) =>
      scope.recipients === undefined ||
      scope.recipients.some((one) => one.toLowerCase() === transfer.recipient),
  );
  if (toRecipient.length === 0)
    throw violation(`${place}: the signer "${signer}" may not transfer to ${transfer.recipient}.`);
  const chosen = toRecipient.find(
    ({ limitMinor, plannedMinor }) =>
      limitMinor === undefined || plannedMinor + transfer.amountMinor <= limitMinor,
  );
  if (!chosen) {
    const { scope, plannedMinor, limitMinor } = toRecipient.reduce((most, one) =>
      one.limitMinor! > most.limitMinor! ? one : most,
    );
    const amountOf = (minor: bigint) =>
      `${formatAmount(minor, scope.token.decimals)} ${scope.token.symbol ?? scope.token.locator}`;
    throw violation(
      `${place}: transfers of ${amountOf(transfer.amountMinor + plannedMinor)} are above the spending limit of the signer "${signer}": it may spend ${amountOf(limitMinor!)}${isAsked ? ' until its interval ends' : ''}.`,
    );
  }
  chosen.plannedMinor += transfer.amountMinor;
  return chosen.index;
}

/**
 * True when more than one scope may fit a call: then which of them has enough left is worth asking.
 */
export function hasChoice({ scopes }: Delegate): boolean {
  return new Set(scopes.map(({ token }) => token.address?.toLowerCase())).size < scopes.length;
}

export function violation(message: string): ServiceError {
  return new ServiceError('signer-scope-violation', { message });
}
