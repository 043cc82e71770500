import { Asset, Memo, Operation } from '@stellar/stellar-sdk/base';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { readPlainTransfer, tokenArgs } from '../operation/calls.ts';
import type { Memo as AskedMemo, TransactionParams } from '../operation/params.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { readStellarAddress } from '../strkey.ts';
import { assetDecimals } from '../tokens/assets.ts';
import type { StellarTokens } from '../tokens/tokens.ts';
import type { ClassicInput } from './prepare.ts';

/** What balances of accounts and trust lines hold: 63 bits. */
const amountMax = 2n ** 63n - 1n;

type CallParams = Extract<TransactionParams, { type: 'contract-call' }>;

/**
 * A transfer of an asset to an account as a payment with a memo, which the network takes beside no
 * call of a contract: those who run accounts for many tell their customers apart by it. Undefined:
 * it is no such transfer.
 */
export async function paymentOf(
  connection: StellarConnection,
  { contractId: contract, method, args, memo }: CallParams,
  {
    wallet,
    describeTokens,
  }: { readonly wallet: string; readonly describeTokens: StellarTokens['describe'] },
): Promise<Pick<ClassicInput, 'operations' | 'memo'> | undefined> {
  if (method !== 'transfer' || !memo) return undefined;
  const { network } = connection;
  const asset =
    contract === network.nativeContract
      ? Asset.native()
      : (await describeTokens(connection, [contract])).get(contract)?.asset;
  const transfer = asset && readTransfer({ contract, args });
  if (!transfer || transfer.from !== wallet || readStellarAddress(transfer.to)?.kind !== 'G')
    return undefined;
  if (transfer.amountMinor <= 0n || transfer.amountMinor > amountMax)
    throw new ServiceError('validation-error', {
      message: `params.transaction.args.amount: a payment with a memo is of 1 to ${amountMax} of the smallest unit.`,
    });
  const amount = formatAmount(transfer.amountMinor, assetDecimals);
  return {
    operations: [Operation.payment({ destination: transfer.to, asset, amount })],
    memo: toMemo(memo),
  };
}

function readTransfer({
  contract,
  args,
}: {
  readonly contract: string;
  readonly args: CallParams['args'];
}) {
  try {
    return readPlainTransfer({ contract, method: 'transfer', args: tokenArgs('transfer', args) });
  } catch {
    // What is wrong with it the call tells.
    return undefined;
  }
}

function toMemo({ type, value }: AskedMemo): Memo {
  if (type === 'text') return Memo.text(value);
  return type === 'id' ? Memo.id(value) : Memo.hash(Buffer.from(value, 'hex'));
}
