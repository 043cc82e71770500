import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import { keccak256 } from '../abi/keccak.ts';
import { encodeRlpList } from '../abi/rlp.ts';
import { bytesOf, type Hex, hexOf, isEvmAddress } from '../abi/words.ts';
import { type TxContent, unsignedBytes } from '../relay/sending/signing.ts';
import { decodeUnsigned } from './transaction.ts';

/**
 * The one call of an account that sends by itself, as the service keeps it: what is called, what it
 * may burn, and, once it is handed over, the one nonce that it may use.
 */
export interface AccountCall {
  /** Name of the network. */
  readonly chain: string;
  readonly chainId: number;
  /** Lower case, as `to`. */
  readonly wallet: Hex;
  readonly to: Hex;
  readonly valueWei: bigint;
  readonly data: Hex;
  /** The most gas, and the most wei per gas, that the key signs for. */
  readonly gasLimit: bigint;
  readonly feeMaxWei: bigint;
  /** What budgets hold back for it: its own fee at the price of its preparation and a top-up's. */
  readonly costMaxWei: bigint;
  readonly validUntil: Date;
  /** The chain takes one transaction with it. */
  readonly nonce?: bigint;
}

export interface NumberedCall extends AccountCall {
  readonly nonce: bigint;
}

const form = 'account-call';
const address = z.custom<Hex>((value) => typeof value === 'string' && isEvmAddress(value));
const integer = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);

const storedSchema = z.strictObject({
  form: z.literal(form),
  chain: z.string(),
  chainId: z.int(),
  wallet: address,
  to: address,
  valueWei: integer,
  data: z.string().regex(/^0x(?:[0-9a-f]{2})*$/),
  gasLimit: integer,
  feeMaxWei: integer,
  costMaxWei: integer,
  validUntil: z.iso.datetime().transform((text) => new Date(text)),
  nonce: integer.optional(),
});

/** Whether an operation is one of an account that sends by itself. */
export function isAccountCall(value: JsonObject): boolean {
  return value['form'] === form;
}

export function storeAccountCall({ validUntil, ...call }: AccountCall): JsonObject {
  const texts = Object.fromEntries(
    Object.entries(call).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  );
  return { form, ...texts, validUntil: validUntil.toISOString() } as JsonObject;
}

/** @throws Error when the value is not one of {@link storeAccountCall} */
export function readAccountCall(value: JsonObject): AccountCall {
  const { form: _form, nonce, data, ...call } = storedSchema.parse(value);
  return { ...call, data: data as Hex, ...(nonce !== undefined && { nonce }) };
}

/** @throws Error also when it was not handed over: it has no nonce */
export function readNumberedCall(value: JsonObject): NumberedCall {
  const { nonce, ...call } = readAccountCall(value);
  if (nonce === undefined) throw new Error('it has no nonce');
  return { ...call, nonce };
}

/** What names the call before it has a nonce. */
export function hashAccountCall(call: AccountCall): Hex {
  const { chainId, wallet, to, valueWei, data, gasLimit, feeMaxWei } = call;
  const fields = [
    BigInt(chainId),
    bytesOf(wallet),
    bytesOf(to),
    valueWei,
    bytesOf(data),
    gasLimit,
    feeMaxWei,
  ];
  return hexOf(keccak256(encodeRlpList(fields)));
}

/** The fee that takes a nonce from a call which has paid its own cap is above that cap. */
export const noOpTimes = 2n;

/**
 * What a no-op with the operation's own nonce may pay, in wei per gas: as a whole at most twice what
 * the call may burn.
 */
export function noOpFeeMaxWei({ gasLimit, feeMaxWei }: AccountCall, noOpGas: bigint): bigint {
  return (noOpTimes * gasLimit * feeMaxWei) / noOpGas;
}

/**
 * What the account's key signs of a transaction that was built. It is the operation's own call with
 * the operation's own nonce, which burns no more than the operation may; or it moves nothing, to the
 * account itself: with a nonce below, which nobody else uses up, or with its own, so that the call
 * can run no more ({@link noOpFeeMaxWei}).
 * @throws Error with what does not match
 */
export function signedBytes(value: JsonObject, built: Uint8Array): Uint8Array {
  requireOwn(readNumberedCall(value), built);
  return keccak256(Buffer.from(built));
}

/** @throws Error with what does not match */
export function requireOwn(call: NumberedCall, unsigned: Uint8Array): void {
  const { content, fees } = decodeUnsigned(unsigned);
  if (content.nonce > call.nonce)
    throw new Error(`its nonce is ${content.nonce}, not ${call.nonce}`);
  const isNoOp = content.nonce < call.nonce || isNoOpOf(call, content);
  const [to, valueWei, data] = isNoOp
    ? [call.wallet, 0n, '0x' as const]
    : [call.to, call.valueWei, call.data];
  const { gasLimit } = content;
  if (gasLimit > call.gasLimit || gasLimit === 0n) throw new Error(`it may burn ${gasLimit} gas`);
  const feeMaxWei =
    isNoOp && content.nonce === call.nonce ? noOpFeeMaxWei(call, gasLimit) : call.feeMaxWei;
  if (fees.maxFeeWei > feeMaxWei) throw new Error(`it may pay ${fees.maxFeeWei} wei per gas`);
  if (fees.tipWei > fees.maxFeeWei) throw new Error('its tip is above its fee');
  const { chainId } = call;
  const own = { chainId, nonce: content.nonce, to, valueWei, data: bytesOf(data), gasLimit };
  if (!unsignedBytes(own, fees).equals(unsigned)) throw new Error('its call is another one');
}

/** Whether a transaction moves nothing, from the account to itself. */
export function isNoOpOf({ wallet }: AccountCall, { to, valueWei, data }: TxContent): boolean {
  return to === wallet && valueWei === 0n && data.length === 0;
}
