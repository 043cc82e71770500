import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { TransferIntent } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import type { EvmConnection } from '../rpc/connections.ts';
import { readChainBalances } from '../tokens/balances.ts';
import { type Simulation, simulationFailed } from './simulate.ts';
import type { ReadCall } from './transaction-params.ts';

export interface ExplainInput {
  readonly wallet: Hex;
  readonly calls: readonly ReadCall[];
  readonly failure: Extract<Simulation, { success: false }>;
  readonly transfer: TransferIntent | undefined;
}

/**
 * The refusal of an operation whose simulation failed. Only now are balances read: whatever words a
 * token has for it, too little of it is told as such.
 */
export async function explainFailure(
  connection: EvmConnection,
  { wallet, calls, failure, transfer }: ExplainInput,
): Promise<ServiceError> {
  const { network } = connection;
  if ('refused' in failure) return failure.refused;
  if (transfer) {
    const [have] = await readChainBalances(connection, wallet, [transfer.token]);
    if (have! < transfer.amountMinor) return insufficientBalance(transfer, have!);
  }
  const valueWei = calls.reduce((sum, call) => sum + call.value, 0n);
  if (valueWei === 0n) return simulationFailed(failure.error);
  const [haveWei] = await readChainBalances(connection, wallet, [
    {
      chain: network.name,
      locator: `${network.name}:${network.native.symbol}`,
      decimals: network.native.decimals,
    },
  ]);
  if (haveWei! >= valueWei) return simulationFailed(failure.error);
  return simulationFailed({
    ...failure.error,
    message: `The calls send ${valueWei} wei, but the wallet has ${haveWei} wei on "${network.name}".`,
  });
}

function insufficientBalance({ token, amountMinor }: TransferIntent, have: bigint): ServiceError {
  const unit = token.symbol ?? token.address ?? '';
  return new ServiceError('insufficient-balance', {
    message: `The wallet has ${formatAmount(have, token.decimals)} ${unit} on "${token.chain}", the transfer needs ${formatAmount(amountMinor, token.decimals)}.`,
  });
}

/**
 * A token that does not revert says false instead; then nothing has moved.
 * @throws transaction-simulation-failed
 */
export function refuseShortTransfer(returnData: Hex, transfer: TransferIntent): void {
  if (
    transfer.token.address === undefined ||
    transfer.token.tokenId !== undefined ||
    returnData.length < 66
  )
    return;
  if (BigInt(returnData.slice(0, 66)) !== 0n) return;
  throw simulationFailed({
    reason: 'execution_reverted',
    message: 'The token refuses the transfer: its contract answers false.',
    revertData: returnData,
    revert: { type: 'contract_call', reason: 'transfer returned false' },
  });
}
