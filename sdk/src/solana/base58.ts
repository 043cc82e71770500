/** Base58 with Bitcoin's letters, as Solana spells addresses, signatures and transactions. */

const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function base58Of(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; value > 0n; value /= 58n) text = letters[Number(value % 58n)]! + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** @throws TypeError */
export function bytesOfBase58(text: string): Uint8Array<ArrayBuffer> {
  let value = 0n;
  for (const letter of text) {
    const digit = letters.indexOf(letter);
    if (digit < 0) throw new TypeError('it is not base58');
    value = value * 58n + BigInt(digit);
  }
  const bytes: number[] = [];
  for (; value > 0n; value /= 256n) bytes.push(Number(value % 256n));
  const rest = [...text].findIndex((letter) => letter !== '1');
  const zeros = rest < 0 ? text.length : rest;
  return new Uint8Array([...new Uint8Array(zeros), ...bytes.toReversed()]);
}
