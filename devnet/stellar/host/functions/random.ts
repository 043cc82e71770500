import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { type Call, define, type HostTable } from './define.ts';

/**
 * Bytes that follow from the ledger, the contract and the draws before: the same on every run,
 * other ones than the network's.
 */
function draw({ machine, frame }: Call, length: number): Buffer {
  const seed =
    frame.seed ??
    Buffer.from(
      `${machine.options.sequence}/${machine.options.timestamp}/${frame.id}/${machine.frames.length}`,
    );
  const parts: Buffer[] = [];
  for (let have = 0; have < length; have += 32)
    parts.push(
      createHash('sha256')
        .update(seed)
        .update(`/${frame.draws++}`)
        .digest(),
    );
  machine.budget.charge(4_000 * parts.length);
  return Buffer.concat(parts).subarray(0, length);
}

const range = (call: Call, low: bigint, high: bigint) => {
  if (low > high) throw fault('value', 'InvalidInput', 'an empty range');
  return low + (BigInt(`0x${draw(call, 24).toString('hex')}`) % (high - low + 1n));
};

export const randomFunctions: HostTable = [
  define('p._', ['BytesObject'], 'Void', ({ frame }, seed) => {
    if (seed.length !== 32) throw fault('value', 'UnexpectedSize', 'a seed has 32 bytes');
    frame.seed = seed;
    frame.draws = 0;
  }),
  define('p.0', ['U32Val'], 'Val', (call, length) =>
    xdr.ScVal.scvBytes(Uint8Array.from(draw(call, length))),
  ),
  define('p.1', ['u64', 'u64'], 'u64', range),
  define('p.2', ['VecObject'], 'Vec', (call, list) => {
    const shuffled = [...list];
    for (let left = shuffled.length - 1; left > 0; left--) {
      const other = Number(range(call, 0n, BigInt(left)));
      [shuffled[left], shuffled[other]] = [shuffled[other]!, shuffled[left]!];
    }
    return shuffled;
  }),
];
