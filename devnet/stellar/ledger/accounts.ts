import { StrKey, xdr } from '@stellar/stellar-sdk/base';
import type { Storage } from '../host/storage.ts';

/** What an account must keep for itself and for each entry that hangs on it, in stroops. */
export const baseReserve = 5_000_000n;
export const amountMax = 2n ** 63n - 1n;

export type AccountId = xdr.PublicKey;
export type AssetLike = xdr.Asset | xdr.TrustLineAsset;

export const accountId = (address: string): AccountId =>
  xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address));
export const accountAddress = (id: AccountId): string =>
  StrKey.encodeEd25519PublicKey(id.ed25519.value);
export const sameAccount = (a: AccountId, b: AccountId): boolean =>
  Buffer.compare(a.ed25519.value, b.ed25519.value) === 0;
export const accountKey = (id: AccountId): xdr.LedgerKey =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: id }));

export function trustLineKey(id: AccountId, asset: AssetLike): xdr.LedgerKey {
  return xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({ accountId: id, asset: trustLineAsset(asset) }),
  );
}

/** @throws for shares of pools, which the local chain does not have */
export function trustLineAsset(asset: AssetLike): xdr.TrustLineAsset {
  if (asset.type === 'assetTypeCreditAlphanum4')
    return xdr.TrustLineAsset.assetTypeCreditAlphanum4(asset.alphaNum4);
  if (asset.type === 'assetTypeCreditAlphanum12')
    return xdr.TrustLineAsset.assetTypeCreditAlphanum12(asset.alphaNum12);
  throw new Error(`There are no trust lines for ${asset.type}`);
}

export function issuerOf(asset: AssetLike): AccountId | undefined {
  if (asset.type === 'assetTypeCreditAlphanum4') return asset.alphaNum4.issuer;
  return asset.type === 'assetTypeCreditAlphanum12' ? asset.alphaNum12.issuer : undefined;
}

/** `native`, or `CODE:G…`. */
export function assetName(asset: AssetLike): string {
  const issuer = issuerOf(asset);
  if (!issuer) return 'native';
  return `${assetCode(asset)}:${accountAddress(issuer)}`;
}

export function assetCode(asset: AssetLike): string {
  const bytes =
    asset.type === 'assetTypeCreditAlphanum4'
      ? asset.alphaNum4.assetCode.value
      : asset.type === 'assetTypeCreditAlphanum12'
        ? asset.alphaNum12.assetCode.value
        : new Uint8Array();
  return Buffer.from(bytes).toString('latin1').replace(/\0+$/, '');
}

export function readAccount(storage: Storage, id: AccountId): xdr.AccountEntry | undefined {
  const data = storage.get(accountKey(id))?.entry.data;
  return data?.type === 'account' ? data.account : undefined;
}

type AccountFields = ConstructorParameters<typeof xdr.AccountEntry>[0];

export function changeAccount(
  account: xdr.AccountEntry,
  changes: Partial<AccountFields>,
): xdr.AccountEntry {
  const {
    accountId: id,
    balance,
    seqNum,
    numSubEntries,
    inflationDest,
    flags,
    homeDomain,
    thresholds,
    signers,
    ext,
  } = account;
  const fields = {
    accountId: id,
    balance,
    seqNum,
    numSubEntries,
    inflationDest,
    flags,
    homeDomain,
    thresholds,
    signers,
    ext,
  };
  return new xdr.AccountEntry({ ...fields, ...changes });
}

export function writeAccount(
  storage: Storage,
  account: xdr.AccountEntry,
  ext?: xdr.LedgerEntryExt,
): void {
  storage.put(accountKey(account.accountId), xdr.LedgerEntryData.account(account), undefined, ext);
}

export function newAccount(id: AccountId, balance: bigint, sequence: number): xdr.AccountEntry {
  return new xdr.AccountEntry({
    accountId: id,
    balance,
    seqNum: BigInt(sequence) << 32n,
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Uint8Array.of(1, 0, 0, 0),
    signers: [],
    ext: xdr.AccountEntryExt.v0(),
  });
}

export interface Sponsorship {
  readonly sponsored: number;
  readonly sponsoring: number;
}

export function sponsorshipOf({ ext }: xdr.AccountEntry): Sponsorship {
  const inner = ext.type === 'v1' ? ext.v1.ext : undefined;
  if (inner?.type !== 'v2') return { sponsored: 0, sponsoring: 0 };
  return { sponsored: inner.v2.numSponsored, sponsoring: inner.v2.numSponsoring };
}

export function withSponsorship(
  account: xdr.AccountEntry,
  { sponsored, sponsoring }: Sponsorship,
): xdr.AccountEntry {
  const { ext } = account;
  const liabilities =
    ext.type === 'v1' ? ext.v1.liabilities : new xdr.Liabilities({ buying: 0n, selling: 0n });
  const v2 = new xdr.AccountEntryExtensionV2({
    numSponsored: sponsored,
    numSponsoring: sponsoring,
    signerSponsoringIDs: account.signers.map(() => null),
    ext: xdr.AccountEntryExtensionV2Ext.v0(),
  });
  const v1 = new xdr.AccountEntryExtensionV1({
    liabilities,
    ext: xdr.AccountEntryExtensionV1Ext.v2(v2),
  });
  return changeAccount(account, { ext: xdr.AccountEntryExt.v1(v1) });
}

/** What the account may not spend, in stroops. */
export function minBalance(account: xdr.AccountEntry): bigint {
  const { sponsored, sponsoring } = sponsorshipOf(account);
  return BigInt(2 + account.numSubEntries + sponsoring - sponsored) * baseReserve;
}

export function readTrustLine(
  storage: Storage,
  id: AccountId,
  asset: AssetLike,
): xdr.TrustLineEntry | undefined {
  const data = storage.get(trustLineKey(id, asset))?.entry.data;
  return data?.type === 'trustline' ? data.trustLine : undefined;
}

type TrustLineFields = ConstructorParameters<typeof xdr.TrustLineEntry>[0];

export function changeTrustLine(
  line: xdr.TrustLineEntry,
  changes: Partial<TrustLineFields>,
): xdr.TrustLineEntry {
  const { accountId: id, asset, balance, limit, flags, ext } = line;
  return new xdr.TrustLineEntry({ accountId: id, asset, balance, limit, flags, ext, ...changes });
}

export function writeTrustLine(
  storage: Storage,
  line: xdr.TrustLineEntry,
  ext?: xdr.LedgerEntryExt,
): void {
  storage.put(
    trustLineKey(line.accountId, line.asset),
    xdr.LedgerEntryData.trustline(line),
    undefined,
    ext,
  );
}

export const accountFlags = { authRequired: 1, authRevocable: 2, authImmutable: 4, clawback: 8 };
export const trustLineFlags = { authorized: 1, maintain: 2, clawback: 4 };
export type MoveFailure =
  | 'no account'
  | 'no trust line'
  | 'not authorized'
  | 'too little'
  | 'too much';

/**
 * Adds to a balance of a classic account, or takes from it; an issuer has as much as it likes.
 * @returns why not
 */
export function moveClassic(
  storage: Storage,
  id: AccountId,
  asset: AssetLike,
  amount: bigint,
): MoveFailure | undefined {
  const issuer = issuerOf(asset);
  if (!issuer) return moveNative(storage, id, amount);
  if (sameAccount(issuer, id)) return undefined;
  const line = readTrustLine(storage, id, asset);
  if (!line) return 'no trust line';
  if (!(line.flags & trustLineFlags.authorized)) return 'not authorized';
  const balance = line.balance + amount;
  if (balance < 0n) return 'too little';
  if (balance > line.limit) return 'too much';
  writeTrustLine(storage, changeTrustLine(line, { balance }));
  return undefined;
}

function moveNative(storage: Storage, id: AccountId, amount: bigint): MoveFailure | undefined {
  const account = readAccount(storage, id);
  if (!account) return 'no account';
  const balance = account.balance + amount;
  if (amount < 0n && balance < minBalance(account)) return 'too little';
  if (balance > amountMax) return 'too much';
  writeAccount(storage, changeAccount(account, { balance }));
  return undefined;
}
