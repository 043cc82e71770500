const lengthBytes = 4;

/**
 * Parts as one run of bytes; each part's length (32 bits, big endian) stands before it, so that no
 * two lists give the same. Nothing else holds a copy, so whoever overwrites the result has
 * overwritten all.
 */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  const lengths = parts.map((part) =>
    typeof part === 'string' ? Buffer.byteLength(part) : part.length,
  );
  const result = Buffer.alloc(lengths.reduce((total, length) => total + lengthBytes + length, 0));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    at = result.writeUInt32BE(lengths[index]!, at);
    if (typeof part === 'string') result.write(part, at);
    else result.set(part, at);
    at += lengths[index]!;
  }
  return result;
}
