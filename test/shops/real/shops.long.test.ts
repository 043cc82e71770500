import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCases } from './cases.ts';
import { askOracle, runCases } from './run.ts';
import { type ShopService, startShopService } from './service.ts';
import { type StrangersShop, startStrangersShop } from './shops-kit.ts';

const seed = 126;

describe.runIf(process.platform === 'linux')('the cases of npm run shops', () => {
  let folder: string;
  let stranger: StrangersShop;
  let service: ShopService;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purser-shops-long-'));
    stranger = await startStrangersShop(seed);
    service = await startShopService(stranger.shop.origin);
  }, 240_000);
  afterAll(async () => {
    await service?.stop();
    await stranger?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are stopped by their user, and lose their runner, and the books say what became of them', async () => {
    const { wish, oracle, buyer, shop } = stranger;
    const file = join(folder, 'cases.json');
    const cases = [
      wish({ name: 'stopped at the approval', cancel: 'approval' }),
      wish({ name: 'stopped as it runs', cancel: 'running' }),
      wish({ name: 'killed', kill: { at: 'Added to the cart' } }),
      wish({ name: 'killed at nothing', kill: { at: 'no such step' } }),
    ];
    writeFileSync(
      file,
      JSON.stringify({ currency: shop.plan.format.currency, orders: oracle, buyer, cases }),
    );
    const runs = await runCases({
      at: shop.origin,
      cases: readCases(file),
      readOrders: () => askOracle(oracle),
      service,
      onEnd: () => undefined,
    });
    expect(runs.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['stopped at the approval', 'refused rightly'],
      ['stopped as it runs', 'refused rightly'],
      ['killed', 'bought right'],
      ['killed at nothing', 'bought right'],
    ]);
    expect(runs.at(-1)!.why).toContain('nothing was killed');
    expect(shop.books.orders).toHaveLength(2);
  });
});
