import { type RunningShops, startShops } from '../../fixtures/shops/index.ts';
import type { Ctx } from '../../src/context.ts';
import type { Running } from '../../src/processes/lifecycle.ts';
import { createSandboxIssuer } from '../../src/providers/card-source/index.ts';
import { createStore } from '../../src/store/pool.ts';

export interface DevShops extends Running {
  /** For `var/dev.json`. */
  readonly list: readonly {
    readonly name: string;
    readonly title: string;
    readonly url: string;
    readonly product: string;
  }[];
  /** What a browser has to reach to buy there, and nothing else of this machine. */
  readonly origins: readonly string[];
  /** The payment company of one of them shows its card fields in a frame. */
  readonly paymentFrameOrigins: readonly string[];
}

/**
 * The test shops, on ports in a row and a database of their own. They take the sandbox issuer's
 * cards.
 */
export async function startDevShops(
  ctx: Ctx,
  input: { readonly databaseUrl: string; readonly port: number },
): Promise<DevShops> {
  const store = createStore({
    url: input.databaseUrl,
    poolSize: 4,
    log: ctx.log,
    applicationName: 'purser-shops',
  });
  const issuer = createSandboxIssuer(ctx);
  const running = await startShops({
    store,
    port0: input.port,
    issuer: (request) => issuer.authorise(request),
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    ...describe(running),
    name: 'shops',
    stop: () => running.stop().then(() => store.close()),
  };
}

function describe({
  shops,
  shop,
}: RunningShops): Pick<DevShops, 'list' | 'origins' | 'paymentFrameOrigins'> {
  const [payOrigin] = shop('frames').paymentOrigins;
  return {
    list: shops.map(({ name, title, origin, products, productUrl }) => ({
      name,
      title,
      url: origin,
      product: productUrl(products[0]!.id),
    })),
    origins: [
      ...new Set(shops.flatMap(({ origin, paymentOrigins }) => [origin, ...paymentOrigins])),
    ],
    paymentFrameOrigins: payOrigin === undefined ? [] : [payOrigin],
  };
}
