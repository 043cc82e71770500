import { compileContract } from '../../../../devnet/stellar/testing/compile.ts';

/**
 * A token that is a contract of its own, with 9 decimals: everybody holds 1,000, and it tells of
 * every transfer without a check.
 */
export async function compileOwnToken(symbol: string): Promise<Uint8Array> {
  return compileContract(`
export function decimals(): u64 { return U32(9); }
export function symbol(): u64 { return SYMBOL_${symbol}; }
export function name(): u64 { return SYMBOL_Own; }
export function balance(holder: u64): u64 { return (1000 << 8) | 11; }
export function transfer(from: u64, to: u64, amount: u64): u64 {
  emit(push(push(push(vec(), SYMBOL_transfer), from), to), amount);
  return VOID;
}
export function _(): void {}
`);
}
