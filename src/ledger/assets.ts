import type { Db, Tx } from '../store/types.ts';
import { checkAsset } from './accounts.ts';
import { LedgerConflict, LedgerInvalid } from './errors.ts';

export interface Asset {
  /** A fiat code in lower case, `<chain>:<canonical token address>` or `<chain>:native`. */
  readonly asset: string;
  /** Digits of the smallest unit, 0 to 77. */
  readonly decimals: number;
  readonly symbol: string;
}

const decimalsMax = 77;

/**
 * Makes an asset known, before its first posting. The same again is nothing; the first symbol
 * stays. Fiat currencies are there from the start, with the digits of ISO 4217.
 * @throws LedgerInvalid, LedgerConflict when the asset has other decimals
 */
export async function registerAsset(tx: Tx, input: Asset): Promise<void> {
  checkAsset(input.asset);
  if (!Number.isInteger(input.decimals) || input.decimals < 0 || input.decimals > decimalsMax)
    throw new LedgerInvalid(
      `${input.asset}: decimals are a whole number from 0 to ${decimalsMax}.`,
    );
  const known = await findAsset(tx, input.asset);
  if (known === undefined)
    await tx.query({
      text: 'insert into ledger_assets (asset, decimals, symbol) values ($1, $2, $3) on conflict (asset) do nothing',
      values: [input.asset, input.decimals, input.symbol],
    });
  const kept = known ?? (await findAsset(tx, input.asset));
  if (kept?.decimals !== input.decimals)
    throw new LedgerConflict(
      `${input.asset} has ${kept?.decimals} decimals in the ledger, not ${input.decimals}: its amounts would change their meaning.`,
    );
}

async function findAsset(db: Db, asset: string): Promise<Asset | undefined> {
  return (await readAssets(db, [asset])).get(asset);
}

/** Those of the assets that are known. */
export async function readAssets(
  db: Db,
  assets: readonly string[],
): Promise<ReadonlyMap<string, Asset>> {
  const { rows } = await db.query<Asset>({
    name: 'ledger-assets',
    text: 'select asset, decimals, symbol from ledger_assets where asset = any($1::text[])',
    values: [[...new Set(assets)]],
  });
  return new Map(rows.map((row) => [row.asset, row]));
}
