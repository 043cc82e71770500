import { bcs } from '@mysten/sui/bcs';
import type { Value } from './machine.ts';
import { wrongArgument } from './refusals.ts';

interface Coder<Input, Output extends Input> {
  parse(bytes: Uint8Array): Output;
  serialize(value: Input): { toBytes(): Uint8Array };
}

/** Reads bytes as a type of Move, as strictly as the network: to the last byte. */
function read<Input, Output extends Input>(
  value: Value,
  index: number,
  type: Coder<Input, Output>,
): Output {
  if (value.kind !== 'pure') throw wrongArgument(index, 'TypeMismatch');
  try {
    const parsed = type.parse(value.bytes);
    if (Buffer.compare(type.serialize(parsed).toBytes(), value.bytes) === 0) return parsed;
  } catch {
    // Said below.
  }
  throw wrongArgument(index, 'InvalidBCSBytes');
}

export const readU64 = (value: Value, index: number): bigint =>
  value.kind === 'data' && value.type === 'u64'
    ? Buffer.from(value.bytes).readBigUInt64LE()
    : BigInt(read(value, index, bcs.U64));

export const readAddress = (value: Value, index: number): string => read(value, index, bcs.Address);

export const readBytes = (value: Value, index: number): Uint8Array =>
  Uint8Array.from(read(value, index, bcs.byteVector()));

export const readU64s = (value: Value, index: number): bigint[] =>
  read(value, index, bcs.vector(bcs.U64)).map(BigInt);

export const u64Value = (amount: bigint): Value => ({
  kind: 'data',
  type: 'u64',
  bytes: bcs.U64.serialize(amount).toBytes(),
});
