import { afterAll, beforeAll } from 'vitest';
import { type RunningShops, startShops } from '../../../fixtures/shops/index.ts';
import { makeTestAuthority, type TestAuthority } from '../../../test/harness/certificates.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import type { EgressDecision } from '../egress/index.ts';
import {
  type FixtureShops,
  gateOf,
  readResult,
  type ShopResult,
  type ShopTry,
  tryShop,
} from '../engine/testing/fixture-shops.ts';
import { type RunWorld, startRunWorld } from './run-world.ts';

/** What was seen of one purchase from outside of the engine. */
export interface SecureTraffic {
  /** Of the proxy. */
  readonly decisions: readonly EgressDecision[];
  /**
   * By name, of every cookie that the browser held at the end: whether it is sent over TLS alone.
   */
  readonly cookies: Readonly<Record<string, boolean>>;
  /** What the last page of the shop came by: `h2` or `http/1.1`. */
  readonly protocol: string;
}

export interface SecureShops extends FixtureShops {
  /**
   * `isWrittenWithHttp`: the user names the product's page with http on port 80, which sends
   * everybody on to https.
   */
  buy(input: ShopTry & { readonly isWrittenWithHttp?: boolean }): Promise<ShopResult>;
  /** Of the last purchase. */
  readonly traffic: SecureTraffic;
}

const firstAddress = 40;

/**
 * The fixture shops as real ones are: `https://plain-site.example` and the like on port 443 over
 * HTTP/2, the payment company and the bank on hosts of their own. Each purchase has a run's browser
 * behind a run's egress proxy, with the order gate of a run.
 */
export function useSecureShops(): SecureShops {
  const now = {} as {
    database: TestDatabase;
    world: RunWorld;
    shops: RunningShops;
    authority: TestAuthority;
    traffic: SecureTraffic;
  };
  beforeAll(async () => {
    now.database = await startTestDatabase();
    now.world = await startRunWorld();
    now.world.shop.answer = ({ headers, url }, response) =>
      response.writeHead(301, { location: `https://${headers.host}${url}` }).end();
    now.authority = await makeTestAuthority();
    const { key, cert } = await now.authority.issue(['*.example']);
    let address = firstAddress;
    const originOf = (name: string, port: number) => {
      address += 1;
      now.world.internet.names.set(`${name}-site.example`, [`93.184.216.${address}`]);
      now.world.internet.machines.set(`93.184.216.${address}:443`, port);
      now.world.internet.machines.set(`93.184.216.${address}:80`, now.world.shop.port);
      return `https://${name}-site.example`;
    };
    now.shops = await startShops({
      store: now.database.store,
      lateMs: 150,
      slowMs: 300,
      tls: { key, cert, originOf },
    });
  });
  afterAll(async () => {
    await now.world?.close();
    await now.shops?.stop();
    await now.database?.close();
  });

  async function buy({
    isWrittenWithHttp = false,
    ...input
  }: Parameters<SecureShops['buy']>[0]): Promise<ShopResult> {
    await now.shops.resetShop(input.shop);
    const browser = await now.world.openBrowser({
      trustedKeyHashes: [now.authority.publicKeyHash],
    });
    try {
      const { paymentOrigins, ...shop } = now.shops.shop(input.shop);
      const written = (address: string) =>
        isWrittenWithHttp ? address.replace('https:', 'http:') : address;
      const gate = await gateOf(browser.context, written(shop.origin), {
        beforePass: (url) => browser.proxy.closeTunnels(url.hostname),
        paymentOrigins,
      });
      const run = await tryShop(browser, now.shops, {
        ...input,
        gate,
        ...(isWrittenWithHttp && {
          task: { ...input.task, url: written(shop.productUrl(input.product)) },
        }),
      });
      const cookies = await browser.context.cookies();
      now.traffic = {
        decisions: browser.proxy.decisions(),
        cookies: Object.fromEntries(cookies.map(({ name, secure }) => [name, secure])),
        protocol: String(
          await browser.page.evaluate(
            `performance.getEntriesByType('navigation')[0].nextHopProtocol`,
          ),
        ),
      };
      return await readResult(now.shops, input.shop, run);
    } finally {
      await browser.close();
    }
  }

  return {
    get shops() {
      return now.shops;
    },
    get traffic() {
      return now.traffic;
    },
    buy,
  };
}
