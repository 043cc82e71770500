import type { xdr } from '@stellar/stellar-sdk/base';
import type { ContractCall } from '../../../../contracts/stellar/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { describeActions, type SaidAction } from '../../family/signing/describe-actions.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readPlainAllowance, readPlainTransfer } from '../operation/calls.ts';
import { listedToken } from '../operation/preview.ts';
import { callOf, readOperation } from '../operation/stored.ts';

/**
 * As {@link ChainFamily.describeSigned}, of the bytes alone: every call that is allowed, those
 * inside another one too.
 */
export function describeStellarSigned(network: StellarNetwork, value: JsonObject): string {
  const { chain, wallet, authorization } = readOperation(value);
  const actions = actionsOf(authorization.invocation);
  return `${describeActions(actions, { joiner: ', and ', more: (count) => `make ${count} more calls` })} on ${chain}`;

  function actionsOf(invocation: xdr.SorobanAuthorizedInvocation): SaidAction[] {
    const isCall = invocation.function.type === 'sorobanAuthorizedFunctionTypeContractFn';
    const own = isCall
      ? describeCall(network, wallet, callOf(invocation))
      : { text: 'create a contract in the name of the wallet', matters: true };
    return [own, ...invocation.subInvocations.flatMap(actionsOf)];
  }
}

function describeCall(network: StellarNetwork, wallet: string, call: ContractCall): SaidAction {
  if (call.contract === wallet)
    return { text: walletCalls[call.method] ?? 'change the wallet', matters: true };
  const transfer = readPlainTransfer(call);
  const allowance = readPlainAllowance(call);
  if (allowance?.from === wallet) {
    const { token, spender, amountMinor } = allowance;
    const amount = describeAmount(network, token, amountMinor);
    return {
      text: spender === undefined ? `destroy ${amount}` : `allow ${spender} to take ${amount}`,
      matters: true,
    };
  }
  if (transfer?.from !== wallet)
    return {
      text: `call ${call.method.replace(/[^A-Za-z0-9_]/g, '').slice(0, 32)} of ${call.contract}`,
      matters: false,
    };
  const { token, to, amountMinor, muxedId } = transfer;
  const number = muxedId === undefined ? '' : ` (number ${muxedId})`;
  return {
    text: `send ${describeAmount(network, token, amountMinor)} to ${to}${number}`,
    matters: true,
  };
}

const walletCalls: Readonly<Record<string, string>> = {
  add_signer: 'register a delegated signer',
  remove_signer: 'remove a delegated signer',
  bump_epoch: 'end all delegated signers and whatever was signed before',
  upgrade: "replace the wallet's code and lock it",
  migrate: 'unlock the wallet after its upgrade',
};

function describeAmount(network: StellarNetwork, contract: string, amountMinor: bigint): string {
  const token = listedToken(network, contract);
  return token
    ? `${formatAmount(amountMinor, token.decimals)} ${token.symbol.toUpperCase()}`
    : `${amountMinor} of the smallest unit of ${contract}`;
}
