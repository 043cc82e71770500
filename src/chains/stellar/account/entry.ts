import { Keypair, xdr } from '@stellar/stellar-sdk/base';

/** Classic accounts, as the chain keeps them. */

/** What an account keeps for itself and for each entry that hangs on it, in stroops. */
export const reserveStroops = 5_000_000n;

export function accountKey(address: string): xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }),
  );
}

export function readAccountEntry(
  data: xdr.LedgerEntryData | undefined,
): xdr.AccountEntry | undefined {
  return data?.type === 'account' ? data.account : undefined;
}

/** What it may spend of its lumens: without reserves and what its offers may take, in stroops. */
export function spendableOf({ balance, numSubEntries, ext }: xdr.AccountEntry): bigint {
  const v1 = ext.type === 'v1' ? ext.v1 : undefined;
  const v2 = v1?.ext.type === 'v2' ? v1.ext.v2 : undefined;
  const reserves = BigInt(2 + numSubEntries + (v2?.numSponsoring ?? 0) - (v2?.numSponsored ?? 0));
  const left = balance - reserves * reserveStroops - (v1?.liabilities.selling ?? 0n);
  return left > 0n ? left : 0n;
}
