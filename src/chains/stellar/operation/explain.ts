import { formatAmount } from '../../../lib/amount.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { TransferIntent } from '../../family.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { contractErrorOf, simulationFailed } from './failure.ts';

/** Codes of the contracts of assets (CAP-46-6). */
const codes = { noAccount: 6, noTrustLine: 13 };

export interface FailureInput {
  /** In the network's words. */
  readonly error: string;
  readonly transfer: TransferIntent | undefined;
  readonly readBalance: (connection: StellarConnection, token: string, holder: string) => Promise<bigint>;
}

/** Why a simulation failed, as callers read it: of a transfer too little money, or a recipient that cannot have it. */
export async function explainFailure(connection: StellarConnection, { error, transfer, readBalance }: FailureInput): Promise<ServiceError> {
  if (!transfer) return simulationFailed(error);
  const { token, amountMinor, wallet, recipientAddress } = transfer;
  const contract = token.address ?? connection.network.nativeContract;
  const have = await readBalance(connection, contract, wallet.address);
  const unit = token.symbol ?? contract;
  if (have < amountMinor)
    return new ServiceError('insufficient-balance', {
      message: `The wallet has ${formatAmount(have, token.decimals)} ${unit} on "${token.chain}", the transfer needs ${formatAmount(amountMinor, token.decimals)} ${unit}.`,
    });
  const code = contractErrorOf(error);
  if (code === codes.noTrustLine)
    return new ServiceError('invalid-recipient', {
      message: `The recipient ${recipientAddress} has no trust line for ${unit}: its owner adds one, then the transfer is possible.`,
    });
  if (code === codes.noAccount)
    return new ServiceError('invalid-recipient', {
      message: `The recipient ${recipientAddress} is an account that does not exist on the network yet: its owner creates it first.`,
    });
  return simulationFailed(error);
}
