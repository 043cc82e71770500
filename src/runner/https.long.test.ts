import { describe, expect, it } from 'vitest';
import { shopTable } from './engine/testing/shop-rows.ts';
import { useSecureShops } from './testing/secure-shops.ts';

const world = useSecureShops();
const { rows, expectRow } = shopTable(world);
/**
 * Each shop once, the orders that are sent twice or lose their answer, and the bank in a frame and
 * as a page.
 */
const names = [
  'plain',
  'accordion',
  'app',
  'tricks',
  'frames',
  'frames, 3-D Secure in a frame',
  'steps, 3-D Secure on the page of the bank',
  'steps, with a code, both wrong at first',
  'mean: swallow-first-click',
  'mean: repeat-request',
  'mean: lose-answer',
  'mean: raise-total',
];

describe('over https, behind the proxy and the gate of a run, a shop is bought in as over http', () => {
  it.each(rows.filter(([name]) => names.includes(name)).map((row) => [row[0], row] as const))(
    '%s',
    async (_, row) => {
      await expectRow(row);
      const { decisions, cookies, protocol } = world.traffic;
      const { shop } = row[1];
      // Every shop, payment company and bank in a tunnel of its own host, and nothing outside of
      // one.
      expect(decisions.filter(({ port, reason }) => port !== 443 || reason !== 'allowed')).toEqual(
        [],
      );
      expect(new Set(decisions.map(({ host }) => host))).toContain(`${shop}-site.example`);
      if (shop === 'frames')
        expect(new Set(decisions.map(({ host }) => host))).toContain('pay-site.example');
      expect([cookies[`${shop}_session`], protocol]).toEqual([true, 'h2']);
    },
  );

  it('knows all of these rows', () => {
    expect(names.filter((name) => !rows.some(([one]) => one === name))).toEqual([]);
  });

  it('also from an address that is still written with http, as shops send it on', async () => {
    const result = await world.buy({
      shop: 'plain',
      product: 'trail-tee',
      request: 'size M, Moss',
      isWrittenWithHttp: true,
    });
    expect(result.run.end).toMatchObject({
      outcome: 'succeeded',
      merchantOrderId: result.orders[0]!.number,
    });
    expect([result.orders.length, result.requests.length]).toEqual([1, 1]);
    expect(world.traffic.decisions.filter(({ port }) => port === 80)).toHaveLength(1);
    expect(world.traffic.cookies).toEqual({ plain_session: true });
  });
});
