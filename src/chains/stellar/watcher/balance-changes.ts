import { Address, Asset, StrKey, xdr } from '@stellar/stellar-sdk/base';
import type { Delta } from '../../family/flows.ts';

/** What operations without contracts moved, by the balances that they changed. */

/** `native`, or `CODE:G…`. */
export type AssetName = string;
export type DeltasByAsset = Map<AssetName, Delta[]>;

/** In the order of the changes. Each changed entry stands behind what it was before. */
export function deltasOf(changes: readonly xdr.LedgerEntryChange[]): DeltasByAsset {
  const sums = new Map<AssetName, Map<string, bigint>>();
  for (const change of changes)
    for (const { asset, owner, amount } of heldBy(change)) {
      const own = sums.get(asset) ?? new Map<string, bigint>();
      own.set(owner, (own.get(owner) ?? 0n) + amount);
      sums.set(asset, own);
    }
  return new Map(
    [...sums].map(([asset, own]) => [
      asset,
      [...own].flatMap(([owner, deltaMinor]) => (deltaMinor === 0n ? [] : [{ owner, deltaMinor }])),
    ]),
  );
}

interface Held {
  readonly asset: AssetName;
  /** An account (`G…`), a claimable balance (`B…`) or a pool (`L…`). */
  readonly owner: string;
  readonly amount: bigint;
}

function heldBy(change: xdr.LedgerEntryChange): Held[] {
  if (change.type === 'ledgerEntryState')
    return heldIn(change.state).map((held) => ({ ...held, amount: -held.amount }));
  if (change.type === 'ledgerEntryCreated') return heldIn(change.created);
  return change.type === 'ledgerEntryUpdated' ? heldIn(change.updated) : [];
}

function heldIn({ data }: xdr.LedgerEntry): Held[] {
  if (data.type === 'account')
    return [
      { asset: 'native', owner: accountOf(data.account.accountId), amount: data.account.balance },
    ];
  if (data.type === 'trustline') {
    const { accountId, asset, balance } = data.trustLine;
    return asset.type === 'assetTypePoolShare'
      ? []
      : [{ asset: nameOf(asset), owner: accountOf(accountId), amount: balance }];
  }
  if (data.type === 'claimableBalance') {
    const { balanceId, asset, amount } = data.claimableBalance;
    return [
      {
        asset: nameOf(asset),
        owner: Address.claimableBalance(claimableBytes(balanceId)).toString(),
        amount,
      },
    ];
  }
  if (data.type !== 'liquidityPool') return [];
  const { liquidityPoolId, body } = data.liquidityPool;
  const owner = StrKey.encodeLiquidityPool(liquidityPoolId.value);
  const { params, reserveA, reserveB } = body.constantProduct;
  return [
    { asset: nameOf(params.assetA), owner, amount: reserveA },
    { asset: nameOf(params.assetB), owner, amount: reserveB },
  ];
}

/** A byte for its kind, and its hash. */
function claimableBytes(id: xdr.ClaimableBalanceId): Buffer {
  return Buffer.concat([Buffer.alloc(1), id.toXdr().subarray(4)]);
}

function accountOf(id: xdr.PublicKey): string {
  return StrKey.encodeEd25519PublicKey(id.ed25519.value);
}

export function nameOf(asset: xdr.Asset | xdr.TrustLineAsset): AssetName {
  return asset.type === 'assetTypePoolShare'
    ? 'pool'
    : Asset.fromOperation(asset as xdr.Asset).toString();
}
