import { randomBytes } from 'node:crypto';
import { type Address, serializeTransaction } from 'viem';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { DepositInstructions, DepositIntent, Deposits, PayerState } from '../../family.ts';
import { checkEvmAddress, type Hex, wordOf, wordOfAddress } from '../abi/words.ts';
import { isEvmRecipient } from '../operation/transfer.ts';
import { type EvmConnection, type EvmConnections, hasCode, nodeError } from '../rpc/connections.ts';
import type { GasPrices } from '../rpc/fees.ts';
import type { RpcResult } from '../rpc/rpc.ts';
import { readEvmBalances } from '../tokens/balances.ts';

export interface DepositDeps {
  readonly connections: EvmConnections;
  readonly gasPrices: GasPrices;
}

const memoPattern = /^0x[0-9a-f]{64}$/;
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));

/**
 * As {@link ChainFamily.newMemo}: 32 random bytes. One that ABI padding could be taken for is never
 * made.
 */
export function newEvmMemo(): string {
  for (;;) {
    const bytes = randomBytes(32);
    if (bytes[0] !== 0) return `0x${bytes.toString('hex')}`;
  }
}

interface DepositCall {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
  readonly carriesMemo: boolean;
}

/**
 * Gas where the node cannot estimate, because the payer has too little yet: a token behind a proxy
 * takes half of it.
 */
const tokenGas = 150_000n;
const nativeGas = 60_000n;
/** What an estimate may grow by until the transaction is in a block, in percent. */
const gasMarginPercent = 25n;

/**
 * As {@link ChainFamily.depositInstructions}: a transfer of an ordinary account with the memo
 * behind its calldata.
 */
export async function evmDepositInstructions(
  deps: DepositDeps,
  intent: DepositIntent,
): Promise<DepositInstructions> {
  checkIntent(intent);
  const connection = await deps.connections.connect(intent.chain);
  const [call, price] = await Promise.all([
    depositCall(connection, intent),
    deps.gasPrices.read(connection),
  ]);
  const [nonce, estimate] = await connection.ask([
    { method: 'eth_getTransactionCount', params: [intent.payerAddress, 'pending'] },
    {
      method: 'eth_estimateGas',
      params: [
        { from: intent.payerAddress, to: call.to, value: hexQuantity(call.value), data: call.data },
      ],
    },
  ]);
  const serializedTransaction = serializeTransaction({
    type: 'eip1559',
    chainId: connection.chainId,
    nonce: Number(readQuantity(connection, nonce!)),
    to: call.to as Address,
    value: call.value,
    data: call.data,
    gas: gasOf(intent, estimate!),
    maxFeePerGas: price.maxFeeWei,
    maxPriorityFeePerGas: price.tipWei,
  });
  return { serializedTransaction, carriesMemo: call.carriesMemo };
}

/** @throws invalid-recipient, token-not-supported */
function checkIntent({ token, payerAddress, recipientAddress, memo }: DepositIntent): void {
  if (!memoPattern.test(memo)) throw new Error(`"${memo}" is no memo of newMemo()`);
  const wrong = checkEvmAddress(payerAddress);
  if (wrong)
    throw new ServiceError('validation-error', { message: `payment.payerAddress: ${wrong}.` });
  if (!isEvmRecipient(recipientAddress)) throw new ServiceError('invalid-recipient');
  if (token.tokenId !== undefined)
    throw new ServiceError('token-not-supported', {
      message: `${token.locator} is one of a collection: it cannot be paid with.`,
    });
}

async function depositCall(connection: EvmConnection, intent: DepositIntent): Promise<DepositCall> {
  const { token, amountMinor, recipientAddress, memo } = intent;
  if (token.address !== undefined) {
    const data: Hex = `0xa9059cbb${wordOfAddress(recipientAddress)}${wordOf(amountMinor)}${memo.slice(2)}`;
    return { to: token.address as Hex, value: 0n, data, carriesMemo: true };
  }
  // A deployed Safe refuses native money that comes with calldata.
  const [code] = await connection.ask([
    { method: 'eth_getCode', params: [recipientAddress, 'latest'] },
  ]);
  const carriesMemo = !hasCode(code!);
  return {
    to: recipientAddress as Hex,
    value: amountMinor,
    data: carriesMemo ? (memo as Hex) : '0x',
    carriesMemo,
  };
}

function gasOf({ token }: DepositIntent, estimate: RpcResult): bigint {
  const gas = estimate.ok ? quantity.safeParse(estimate.value).data : undefined;
  if (gas !== undefined) return (gas * (100n + gasMarginPercent)) / 100n;
  return token.address === undefined ? nativeGas : tokenGas;
}

/** As {@link ChainFamily.payerState}. */
export async function evmPayerState(
  deps: DepositDeps,
  input: Parameters<Deposits['payerState']>[0],
): Promise<PayerState> {
  const { chain, token, amountMinor, payerAddress, sponsored = false } = input;
  const connection = await deps.connections.connect(chain);
  const native = {
    chain: connection.network.name,
    locator: `${connection.network.name}:${connection.network.native.symbol}`,
  };
  const [price, [held, fees]] = await Promise.all([
    deps.gasPrices.read(connection),
    readEvmBalances(deps.connections, payerAddress, [
      token,
      { ...native, ...connection.network.native },
    ]),
  ]);
  if (held!.amountMinor < amountMinor) return 'insufficient-funds';
  if (sponsored) return 'ok';
  const isNative = token.address === undefined;
  const left = fees!.amountMinor - (isNative ? amountMinor : 0n);
  return left < (isNative ? nativeGas : tokenGas) * price.priceWei
    ? 'insufficient-funds-for-gas'
    : 'ok';
}

function readQuantity(connection: EvmConnection, result: RpcResult): bigint {
  const value = result.ok ? quantity.safeParse(result.value).data : undefined;
  if (value === undefined)
    throw nodeError(result.ok ? undefined : result.error, connection.network.name);
  return value;
}

function hexQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
