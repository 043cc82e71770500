import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { requireHoldable } from '../../family/amount-limit.ts';
import type { TransferIntent } from '../../family.ts';
import { canonicalSuiAddress, isSuiRecipient } from '../addresses.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { readCoins } from '../rpc/objects.ts';
import { coinTypeOf } from '../tokens/tokens.ts';
import { programBytes } from './program.ts';
import { chooseCoins, transferProgram } from './transfer-program.ts';

/**
 * As `Transfers.transferParams`: a program of the wallet's largest coins as they are now. When it
 * is sent it is made of those of that moment. @throws invalid-recipient, token-not-supported,
 * insufficient-balance the wallet has no such coin, or no account can hold so much
 */
export async function suiTransferParams(
  connect: (chain: string) => Promise<SuiConnection>,
  intent: TransferIntent,
): Promise<JsonObject> {
  const { wallet, chain, token, amountMinor, recipientAddress } = intent;
  if (!isSuiRecipient(recipientAddress)) throw new ServiceError('invalid-recipient');
  if (token.tokenId !== undefined)
    throw new ServiceError('token-not-supported', {
      message: `${token.locator} is one of a collection: it is sent as a transaction of its own.`,
    });
  requireHoldable(intent);
  const coinType = coinTypeOf(token);
  const connection = await connect(chain);
  const coins = chooseCoins(
    await readCoins(connection, { owner: canonicalSuiAddress(wallet.address), coinType }),
    amountMinor,
  );
  if (coins.length === 0)
    throw new ServiceError('insufficient-balance', {
      message: `The wallet has no ${token.symbol ?? coinType} on "${chain}".`,
    });
  const transfer = {
    coinType,
    amount: amountMinor,
    recipient: canonicalSuiAddress(recipientAddress),
  };
  return {
    transaction: Buffer.from(programBytes(transferProgram(transfer, coins))).toString('base64'),
  };
}
