import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { requireHoldable } from '../../family/amount-limit.ts';
import type { TransferIntent } from '../../family.ts';
import { checkAptosAddress, isAptosRecipient } from '../addresses.ts';
import type { AptosNetwork } from '../config/networks.ts';
import {
  decodeRaw,
  type EntryFunction,
  orderlessSequenceNumber,
  rawTransaction,
  readPayload,
} from '../encoding/transactions.ts';
import { readAsset } from '../tokens/assets.ts';
import { functionName, transferCall } from './calls.ts';

const base64LengthMax = 60_000;

/** `params` of wallets on Aptos (supplement, section 6). */
export const aptosTransactionParamsSchema = z.strictObject({
  transaction: z
    .string()
    .min(1)
    .max(base64LengthMax)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'is base64')
    .describe(
      'A raw transaction of the wallet in BCS, in base64, that calls an entry function. Sequence number, nonce, expiry and gas are replaced by those of the service.',
    ),
});

export interface AskedCall {
  readonly call: EntryFunction;
  /** As answered. */
  readonly params: JsonObject;
}

/**
 * @throws validation-error another form, transaction-invalid of another wallet or network, or no
 * call of a function
 */
export function readParams(network: AptosNetwork, wallet: string, params: JsonObject): AskedCall {
  const read = aptosTransactionParamsSchema.safeParse(params);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ServiceError('validation-error', {
      message: `params.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.`,
    });
  }
  const raw = asInvalid('validation-error', () =>
    decodeRaw(new Uint8Array(Buffer.from(read.data.transaction, 'base64'))),
  );
  if (raw.sender !== wallet)
    throw new ServiceError('transaction-invalid', {
      message: `params.transaction is of ${raw.sender}, not of the wallet ${wallet}.`,
    });
  if (raw.chainId !== network.networkId)
    throw new ServiceError('transaction-invalid', {
      message: `params.transaction is for the network ${raw.chainId}: "${network.name}" here is ${network.networkId} (${network.kind}).`,
    });
  const { call } = asInvalid('transaction-invalid', () => readPayload(raw.payload));
  refuseOtherKeys(call);
  return { call, params: { transaction: read.data.transaction } };
}

/**
 * Functions of the framework that put another key, or code, beside the wallet's own or in its
 * place.
 */
const otherKeys =
  /^0x1::(?:account|account_abstraction|permissioned_delegation|multisig_account::create_with_existing_account\w*)(?:::|$)/;

/**
 * They would outlast whoever asks for them, and custody would sign for an account that is not the
 * wallet's alone any more.
 */
function refuseOtherKeys(call: EntryFunction): void {
  const name = functionName(call);
  if (otherKeys.test(name))
    throw new ServiceError('transaction-invalid', {
      message: `params.transaction calls ${name}, which gives the wallet another key: a wallet keeps its own alone.`,
    });
}

function asInvalid<T>(code: 'validation-error' | 'transaction-invalid', read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const why =
      cause instanceof Error && cause.message.startsWith('not supported')
        ? `: ${cause.message}`
        : '';
    throw new ServiceError(code, {
      message: `params.transaction is no raw transaction that calls an entry function${why}.`,
      cause,
    });
  }
}

/**
 * As `Transfers.transferParams`.
 * @throws invalid-recipient, insufficient-balance what no account can hold
 */
export function aptosTransferParams(network: AptosNetwork, intent: TransferIntent): JsonObject {
  const { wallet, token, amountMinor, recipientAddress } = intent;
  if (!isAptosRecipient(recipientAddress))
    throw new ServiceError('invalid-recipient', {
      message: `The recipient "${recipientAddress.slice(0, 80)}" ${checkAptosAddress(recipientAddress) ?? 'is an address of the network itself'}.`,
    });
  requireHoldable(intent);
  const call = transferCall({
    asset: readAsset(token.address),
    recipient: recipientAddress.toLowerCase(),
    amountMinor,
  });
  const raw = rawTransaction.serialize({
    sender: wallet.address,
    sequenceNumber: orderlessSequenceNumber,
    payload: { entryFunction: call },
    maxGasAmount: 0n,
    gasUnitPrice: 0n,
    expirationSeconds: 0n,
    chainId: network.networkId,
  });
  return { transaction: raw.toBase64() };
}
