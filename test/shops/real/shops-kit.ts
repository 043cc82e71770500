import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  customerOf,
  type GeneratedShop,
  startGeneratedShops,
} from '../../../fixtures/shops/generated/index.ts';
import { plainPrice } from '../../../fixtures/shops/kit/money.ts';
import type { ShopCase } from './cases.ts';

/**
 * A generated shop as a stranger's: its books behind an address of their own, and a command that
 * asks there.
 */
export interface StrangersShop {
  readonly shop: GeneratedShop;
  /** For `orders` of a file of cases. */
  readonly oracle: string;
  readonly buyer: object;
  /** A purchase of the wish. */
  wish(more?: Partial<ShopCase>): object;
  stop(): Promise<void>;
}

export async function startStrangersShop(seed: number): Promise<StrangersShop> {
  const { shops, stop } = await startGeneratedShops([seed]);
  const shop = shops[0]!;
  const { plan, books } = shop;
  const server = createServer((_, response) =>
    response.end(JSON.stringify(books.orders.map((order) => describe(shop, order)))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { firstName, lastName, email, phone, address } = customerOf(plan);
  return {
    shop,
    oracle: `node -e "fetch('http://127.0.0.1:${port}').then((answer) => answer.text()).then((text) => process.stdout.write(text))"`,
    buyer: {
      name: { first: firstName, last: lastName },
      contact: { email, phone },
      shipping: {
        addressLines: [address.line1],
        locality: address.city,
        postalCode: address.postalCode,
        countryCode: address.country,
        ...(address.region && { administrativeAreaCode: `${address.country}-${address.region}` }),
      },
    },
    wish: (more) => ({
      name: 'as wished',
      page: new URL(shop.productUrl).pathname + new URL(shop.productUrl).search,
      request: plan.wish.request,
      maxCost: plainPrice(plan.format, plan.wish.maxMinor),
      order: {
        lines: [
          {
            title: plan.wish.product.name,
            variant: Object.values(plan.wish.choice),
            quantity: plan.wish.quantity,
          },
        ],
      },
      ...more,
    }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await stop();
    },
  };
}

function describe({ plan }: GeneratedShop, order: GeneratedShop['books']['orders'][number]) {
  const { name, line1, postalCode, city } = order.address;
  return {
    number: order.number,
    lines: order.lines.map(({ title, choice, quantity, unitMinor }) => ({
      title: `${title} ${Object.values(choice).join(' ')}`,
      quantity,
      unit: plainPrice(plan.format, unitMinor),
    })),
    total: plainPrice(plan.format, order.totalMinor),
    email: order.email,
    paying: plan.words[order.way],
    address: `${name}, ${line1}, ${postalCode} ${city}`,
  };
}
