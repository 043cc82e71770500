/** @module-tag slow */

import { describe, it } from 'vitest';
import { useFixtureShops } from './testing/fixture-shops.ts';
import { isShortRow, shopTable } from './testing/shop-rows.ts';

const table = shopTable(useFixtureShops());

describe('the engine in a fixture shop', () => {
  it.each(table.rows.filter(isShortRow).map((row) => [row[0], row] as const))('%s', (_, row) =>
    table.expectRow(row),
  );
});
