import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { TransferIntent } from '../../family.ts';
import { checkStellarAddress, isStellarRecipient } from '../addresses.ts';
import type { StellarNetwork } from '../config/networks.ts';

/**
 * As {@link ChainFamily.transferParams}: a call of the token's contract.
 * @throws invalid-recipient, token-not-supported
 */
export function stellarTransferParams(network: StellarNetwork, intent: TransferIntent): JsonObject {
  const { token, amountMinor, recipientAddress, wallet, memo } = intent;
  if (!isStellarRecipient(recipientAddress))
    throw new ServiceError('invalid-recipient', {
      message: `The recipient "${recipientAddress.slice(0, 80)}" ${checkStellarAddress(recipientAddress) ?? 'is an address that nobody can use'}.`,
    });
  if (token.tokenId !== undefined)
    throw new ServiceError('token-not-supported', {
      message: 'Tokens with an id are not transferred on stellar here.',
    });
  return {
    transaction: {
      type: 'contract-call',
      contractId: token.address ?? network.nativeContract,
      method: 'transfer',
      args: { from: wallet.address, to: recipientAddress, amount: amountMinor.toString() },
      ...(memo && { memo: { type: memo.type, value: memo.value } }),
    },
  };
}
