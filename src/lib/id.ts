import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';

/** Where new ids come from. Rules take it from `ctx`, so that a test can fix it. */
export interface Ids {
  /** A time-ordered UUID (version 7, RFC 9562): new rows land at the end of an index. */
  uuid(): string;
  /** An unguessable UUID (version 4). */
  randomUuid(): string;
  /** `byteCount` random bytes. */
  bytes(byteCount: number): Buffer;
}

/**
 * A call of the generator costs 3 µs whatever its size, and a request needs several ids: they share
 * one fill.
 */
const pool = Buffer.alloc(4_096);
let poolOffset = pool.length;

/** Bytes that nobody had before; what is handed out is wiped from the pool. */
function takeRandom(byteCount: number): Buffer {
  if (byteCount > pool.length / 16) return randomBytes(byteCount);
  if (poolOffset + byteCount > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const taken = Buffer.from(pool.subarray(poolOffset, poolOffset + byteCount));
  pool.fill(0, poolOffset, poolOffset + byteCount);
  poolOffset += byteCount;
  return taken;
}

export const systemIds: Ids = {
  uuid: () => uuidV7(Date.now(), takeRandom(10)),
  randomUuid: () => randomUUID(),
  bytes: takeRandom,
};

/** Formats 48 bits of milliseconds and 74 random bits as a UUID version 7. */
export function uuidV7(nowMs: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
