/** Smallest units as whole ones, without needless zeros: `formatUnits('2500000', 6)` is `2.5`. */
export function formatUnits(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** `0x12345678…abcdef`, for eyes; the whole address stays in `title`. */
export function shortenAddress(address: string): string {
  return address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address;
}
