import { Address, Asset, Keypair, scValToNative, xdr } from '@stellar/stellar-sdk/base';
import { dataKey } from '../../../../contracts/stellar/index.ts';

/** Assets of issuers, and where the chain keeps what somebody holds of them. */

/** Of lumens and every asset of an issuer. */
export const assetDecimals = 7;
const assetPattern = /^([A-Za-z0-9]{1,12}):(G[A-Z2-7]{55})$/;

/** An asset as people write it: `CODE:G…`. */
export function parseAsset(text: string): Asset | undefined {
  const [, code, issuer] = assetPattern.exec(text) ?? [];
  if (code === undefined || issuer === undefined) return undefined;
  try {
    return new Asset(code, issuer);
  } catch {
    return undefined;
  }
}

/**
 * The asset that a contract on the chain is of; undefined: it is a contract of its own. The id of
 * such a contract follows from its asset, so that no node can name another.
 * @param instance what the chain keeps of the contract
 */
export function assetOfContract(
  instance: xdr.ScVal,
  contract: string,
  passphrase: string,
): Asset | undefined {
  if (
    instance.type !== 'scvContractInstance' ||
    instance.instance.executable.type !== 'contractExecutableStellarAsset'
  )
    return undefined;
  const info = (instance.instance.storage ?? []).find(
    ({ key }) => key.type === 'scvVec' && String(scValToNative(key)) === 'AssetInfo',
  );
  const asset = info && readInfo(scValToNative(info.val));
  return asset?.contractId(passphrase) === contract ? asset : undefined;
}

function readInfo(value: unknown): Asset | undefined {
  const [kind, fields] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (kind === 'Native') return Asset.native();
  const { asset_code: code, issuer } = (fields ?? {}) as {
    readonly asset_code?: unknown;
    readonly issuer?: unknown;
  };
  if (!(issuer instanceof Uint8Array) || issuer.length !== 32) return undefined;
  const text =
    typeof code === 'string'
      ? code
      : code instanceof Uint8Array
        ? Buffer.from(code).toString('latin1')
        : '';
  return parseAsset(
    `${text.replace(/\0+$/, '')}:${Address.account(Buffer.from(issuer)).toString()}`,
  );
}

export interface Holding {
  readonly asset: Asset;
  readonly contract: string;
  readonly holder: string;
}

/**
 * Where the balance of a holder stands: in an account, a trust line, or an entry of the asset's
 * contract.
 */
export function balanceKey({ asset, contract, holder }: Holding): xdr.LedgerKey {
  if (holder.startsWith('C'))
    return dataKey(
      contract,
      xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), new Address(holder).toScVal()]),
    );
  const accountId = Keypair.fromPublicKey(holder).xdrAccountId();
  if (asset.isNative()) return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
  return xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({ accountId, asset: asset.toTrustLineXdrObject() }),
  );
}

/** What such an entry holds, in the smallest unit. */
export function balanceOf(data: xdr.LedgerEntryData | undefined): bigint {
  if (data?.type === 'account') return data.account.balance;
  if (data?.type === 'trustline') return data.trustLine.balance;
  if (data?.type !== 'contractData') return 0n;
  const { amount } = (scValToNative(data.contractData.val) ?? {}) as { readonly amount?: unknown };
  return typeof amount === 'bigint' ? amount : 0n;
}
