import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { TransferIntent } from '../../family.ts';
import { canonicalSuiAddress, isSuiRecipient } from '../addresses.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { coinTypeOf } from '../tokens/tokens.ts';
import { coinsFor } from './prepare.ts';
import { programBytes } from './program.ts';
import { transferProgram } from './transfer-program.ts';

/**
 * As `Transfers.transferParams`: a program of the wallet's largest coins as they are now. When it is sent it is made of those of that
 * moment. @throws invalid-recipient, token-not-supported, insufficient-balance
 */
export async function suiTransferParams(connect: (chain: string) => Promise<SuiConnection>, intent: TransferIntent): Promise<JsonObject> {
  const { wallet, chain, token, amountMinor, recipientAddress } = intent;
  if (!isSuiRecipient(recipientAddress)) throw new ServiceError('invalid-recipient');
  if (token.tokenId !== undefined)
    throw new ServiceError('token-not-supported', {
      message: `${token.locator} is one of a collection: it is sent as a transaction of its own.`,
    });
  const coinType = coinTypeOf(token);
  const connection = await connect(chain);
  const owner = canonicalSuiAddress(wallet.address);
  const coins = await coinsFor(connection, { owner, coinType, amount: amountMinor }, { transfer: intent });
  const transfer = { coinType, amount: amountMinor, recipient: canonicalSuiAddress(recipientAddress) };
  return { transaction: Buffer.from(programBytes(transferProgram(transfer, coins))).toString('base64') };
}
