/** Gas of a transfer, and so of what gives an account the money for its gas. */
export const transferGas = 21_000n;

/** Of an account's native money what is its owner's, in wei; the rest is the service's, for gas. */
export function ownMoney(balanceWei: bigint, fundWei: bigint): bigint {
  return balanceWei > fundWei ? balanceWei - fundWei : 0n;
}
