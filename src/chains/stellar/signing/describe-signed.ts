import type { ContractCall } from '../../../../contracts/stellar/index.ts';
import { formatAmount } from '../../../lib/amount.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readPlainTransfer } from '../operation/calls.ts';
import { allCalls } from '../operation/invocation.ts';
import { listedToken } from '../operation/preview.ts';
import { readOperation } from '../operation/stored.ts';

/** Longer ones say how many calls are left out. */
const descriptionLengthMax = 200;

/** As {@link ChainFamily.describeSigned}, of the bytes alone: every call that is allowed, those inside another one too. */
export function describeStellarSigned(network: StellarNetwork, value: JsonObject): string {
  const { chain, wallet, authorization } = readOperation(value);
  const calls = allCalls(authorization.invocation);
  const said: string[] = [];
  for (const [index, call] of calls.entries()) {
    const text = describeCall(network, wallet, call);
    if (index > 0 && [...said, text].join(', and ').length > descriptionLengthMax) {
      said.push(`make ${calls.length - index} more calls`);
      break;
    }
    said.push(text);
  }
  return `${said.join(', and ')} on ${chain}`;
}

function describeCall(network: StellarNetwork, wallet: string, call: ContractCall): string {
  if (call.contract === wallet) return walletCalls[call.method] ?? 'change the wallet';
  const transfer = readPlainTransfer(call);
  if (transfer?.from !== wallet) return `call ${call.method.replace(/[^A-Za-z0-9_]/g, '').slice(0, 32)} of ${call.contract}`;
  const { token, to, amountMinor, muxedId } = transfer;
  return `send ${describeAmount(network, token, amountMinor)} to ${to}${muxedId === undefined ? '' : ` (number ${muxedId})`}`;
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
