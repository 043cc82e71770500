import { scValToNative } from '@stellar/stellar-sdk/base';
import { addressValue } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { TransferIntent } from '../../family.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { contractErrorOf, simulationFailed } from './failure.ts';
import { ask } from './simulate.ts';

/** Codes of the contracts of assets (CAP-46-6). */
const codes = { noAccount: 6, noTrustLine: 13, lowReserve: 14 };

/**
 * Why a simulation failed: of a transfer too little money, or a recipient that cannot have it;
 * `other`: what the network says.
 */
export type FailureReason =
  | { readonly kind: 'too-little'; readonly have: bigint }
  | { readonly kind: 'no-account' | 'no-trust-line' | 'low-reserve' | 'other' };

/** @param error in the network's words */
export async function reasonOf(
  connection: StellarConnection,
  error: string,
  transfer: TransferIntent | undefined,
): Promise<FailureReason> {
  if (!transfer) return { kind: 'other' };
  const { token, amountMinor, wallet } = transfer;
  const have = await readBalance(
    connection,
    token.address ?? connection.network.nativeContract,
    wallet.address,
  );
  if (have < amountMinor) return { kind: 'too-little', have };
  const code = contractErrorOf(error);
  if (code === codes.noTrustLine) return { kind: 'no-trust-line' };
  // Lumens make an account that is not there, where they are enough for its reserve.
  if (code === codes.lowReserve) return { kind: 'low-reserve' };
  return { kind: code === codes.noAccount ? 'no-account' : 'other' };
}

/** As callers read it. @param transfer undefined: nothing is known but what the network says */
export function explainFailure(
  error: string,
  reason: FailureReason,
  transfer: TransferIntent | undefined,
): ServiceError {
  if (!transfer || reason.kind === 'other' || reason.kind === 'low-reserve')
    return simulationFailed(error);
  const { token, amountMinor, recipientAddress } = transfer;
  const unit = token.symbol ?? token.locator;
  if (reason.kind === 'too-little')
    return new ServiceError('insufficient-balance', {
      message: `The wallet has ${formatAmount(reason.have, token.decimals)} ${unit} on "${token.chain}", the transfer needs ${formatAmount(amountMinor, token.decimals)} ${unit}.`,
    });
  return new ServiceError('invalid-recipient', {
    message:
      reason.kind === 'no-trust-line'
        ? `The recipient ${recipientAddress} has no trust line for ${unit}: its owner adds one, then the transfer is possible.`
        : `The recipient ${recipientAddress} is an account that does not exist on the network yet: its owner creates it first.`,
  });
}

/** What somebody has of a token, as its contract says; nothing where it does not. */
async function readBalance(
  connection: StellarConnection,
  token: string,
  holder: string,
): Promise<bigint> {
  const value = await ask(connection, {
    contract: token,
    method: 'balance',
    args: [addressValue(holder)],
  });
  return value?.type === 'scvI128' ? (scValToNative(value) as bigint) : 0n;
}
