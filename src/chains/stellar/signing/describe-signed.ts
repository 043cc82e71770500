import type { ContractCall } from '../../../../contracts/stellar/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { describeActions, type SaidAction } from '../../family/signing/describe-actions.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readPlainTransfer } from '../operation/calls.ts';
import { allCalls } from '../operation/invocation.ts';
import { listedToken } from '../operation/preview.ts';
import { readOperation } from '../operation/stored.ts';

/** As {@link ChainFamily.describeSigned}, of the bytes alone: every call that is allowed, those inside another one too. */
export function describeStellarSigned(network: StellarNetwork, value: JsonObject): string {
  const { chain, wallet, authorization } = readOperation(value);
  const actions = allCalls(authorization.invocation).map((call) => describeCall(network, wallet, call));
  return `${describeActions(actions, { joiner: ', and ', more: (count) => `make ${count} more calls` })} on ${chain}`;
}

function describeCall(network: StellarNetwork, wallet: string, call: ContractCall): SaidAction {
  if (call.contract === wallet) return { text: walletCalls[call.method] ?? 'change the wallet', matters: true };
  const transfer = readPlainTransfer(call);
  if (transfer?.from !== wallet)
    return { text: `call ${call.method.replace(/[^A-Za-z0-9_]/g, '').slice(0, 32)} of ${call.contract}`, matters: false };
  const { token, to, amountMinor, muxedId } = transfer;
  const number = muxedId === undefined ? '' : ` (number ${muxedId})`;
  return { text: `send ${describeAmount(network, token, amountMinor)} to ${to}${number}`, matters: true };
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
