import { keccakModule } from './keccak-module.ts';

/**
 * keccak-256 for the hot paths (wallet addresses, operation hashes, checksums). The JavaScript implementations cost
 * about 11 µs per block on the machine of `docs/decisions`, this one about one; planning a wallet takes eight blocks.
 */

const rateBytes = 136;
const { inputOffset, blocksMax, instance } = keccakModule;
const memory = Buffer.from(instance.memory.buffer);
const inputBytesMax = blocksMax * rateBytes;

/** keccak-256 of the bytes: 32 bytes. */
export function keccak256(bytes: Uint8Array): Buffer {
  return absorb(bytes.length, (offset, from, to) => {
    memory.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), offset);
  });
}

/** keccak-256 of bytes written as hex without `0x`: 64 hex characters without `0x`. */
export function keccakOfHex(hex: string): string {
  if (hex.length % 2 !== 0) throw new Error('Hex text of bytes has an even length.');
  const hash = absorb(hex.length / 2, (offset, from, to) => {
    const written = memory.write(from === 0 && to * 2 === hex.length ? hex : hex.slice(from * 2, to * 2), offset, 'hex');
    if (written !== to - from) throw new Error('A character is not a hex digit.');
  });
  return hash.toString('hex');
}

/** keccak-256 of the UTF-8 bytes of a text, as 64 hex characters without `0x`. */
export function keccakOfText(text: string): string {
  return keccak256(Buffer.from(text, 'utf8')).toString('hex');
}

function absorb(length: number, write: (offset: number, from: number, to: number) => void): Buffer {
  instance.reset();
  let from = 0;
  for (; length - from >= inputBytesMax; from += inputBytesMax) {
    write(inputOffset, from, from + inputBytesMax);
    instance.absorb(blocksMax);
  }
  const rest = length - from;
  if (rest > 0) write(inputOffset, from, length);
  const blocks = Math.floor(rest / rateBytes) + 1;
  const end = inputOffset + blocks * rateBytes;
  memory.fill(0, inputOffset + rest, end);
  memory[inputOffset + rest]! ^= 0x01;
  memory[end - 1]! ^= 0x80;
  instance.absorb(blocks);
  return Buffer.from(memory.subarray(0, 32));
}
