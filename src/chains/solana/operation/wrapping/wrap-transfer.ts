import type { Address, Instruction } from '@solana/kit';
import {
  type Scope,
  type SignerKey,
  transferSol,
  transferToken,
  type WalletAddresses,
} from '../../../../../programs/solana-wallet/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import type { WrapInput } from '../../wallet/types.ts';
import { type PlainTransfer, readAccountCreation, readPlainTransfer } from '../instructions.ts';
import type { ReadInstruction } from '../message.ts';
import type { Head } from './wrap.ts';

/**
 * Transfers of a delegated signer with scopes. Which scope allows one is told before the chain is
 * asked: the program enforces the same, but says it in codes.
 */

interface Acting {
  readonly delegate: SignerKey;
  readonly account: Address;
  readonly generation: number;
}

interface Planned {
  readonly scope: Scope;
  readonly index: number;
  /** Undefined: no limit. */
  left: bigint | undefined;
}

interface Told extends Omit<PlainTransfer, 'mint'> {
  readonly mint: string | undefined;
  readonly recipient: string;
}

/**
 * Makes the program's transfers, one after the other: each takes from what the ones before left.
 * @throws signer-scope-violation
 */
export function transferByDelegate(
  wallet: WalletAddresses,
  input: WrapInput,
  acting: Acting,
): (inner: ReadInstruction, index: number, head: Head) => Instruction {
  const { scopes, available } = input.state.delegate!;
  const planned = scopes.map((scope, index): Planned => ({ scope, index, left: available[index] }));
  const owners = new Map(input.tokenAccounts);
  for (const { account, owner, mint } of input.instructions
    .map(readAccountCreation)
    .filter((one) => one !== undefined))
    if (!owners.has(account)) owners.set(account, { owner, mint });
  return (inner, index, head) => {
    const place =
      input.instructions.length === 1
        ? 'params.transaction'
        : `instruction ${index + 1} of params.transaction`;
    const transfer = tell(owners, inner, place, input.signer.locator);
    const scope = choose(planned, transfer, place, input.signer.locator);
    const call = { ...acting, ...head, scope, amount: transfer.amountMinor };
    if (transfer.mint === undefined)
      return transferSol(wallet, transfer.recipient as Address, call);
    const tokens = {
      program: inner.programAddress,
      mint: transfer.mint as Address,
      source: transfer.source,
      destination: transfer.destination,
    };
    return transferToken(wallet, tokens, call);
  };
}

function tell(
  owners: ReadonlyMap<string, { readonly owner: string; readonly mint: string }>,
  inner: ReadInstruction,
  place: string,
  signer: string,
): Told {
  const transfer = readPlainTransfer(inner);
  if (!transfer)
    throw violation(
      `${place}: the signer "${signer}" may make plain transfers of SOL and of tokens only.`,
    );
  if (transfer.kind === 'native')
    return { ...transfer, mint: undefined, recipient: transfer.destination };
  const destination = owners.get(transfer.destination);
  const mint = transfer.mint ?? owners.get(transfer.source)?.mint ?? destination?.mint;
  if (!destination || mint === undefined)
    throw violation(
      `${place}: whose token account ${transfer.destination} is cannot be told: it does not exist. Make it in the same transaction.`,
    );
  return { ...transfer, mint, recipient: destination.owner };
}

function choose(
  planned: readonly Planned[],
  { mint, recipient, amountMinor }: Told,
  place: string,
  signer: string,
): number {
  const ofToken = planned.filter(({ scope }) => scope.mint === mint);
  if (ofToken.length === 0)
    throw violation(
      `${place}: the signer "${signer}" may not transfer this token (${mint ?? 'SOL'}).`,
    );
  const toRecipient = ofToken.filter(
    ({ scope }) =>
      scope.recipients.length === 0 || scope.recipients.some((one) => one === recipient),
  );
  if (toRecipient.length === 0)
    throw violation(`${place}: the signer "${signer}" may not transfer to ${recipient}.`);
  const chosen = toRecipient.find(({ left }) => left === undefined || left >= amountMinor);
  if (!chosen) {
    const most = toRecipient.reduce((best, { left }) => (left! > best ? left! : best), 0n);
    throw violation(
      `${place}: a transfer of ${amountMinor} of the smallest unit is above the spending limit of the signer "${signer}": ${most} are left until its interval ends.`,
    );
  }
  if (chosen.left !== undefined) chosen.left -= amountMinor;
  return chosen.index;
}

function violation(message: string): ServiceError {
  return new ServiceError('signer-scope-violation', { message });
}
