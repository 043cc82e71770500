import { type GeneratedShop, startGeneratedShops } from '../../fixtures/shops/generated/index.ts';
import { type CheckoutWorld, startCheckoutWorld } from '../harness/checkout-world.ts';
import { type Played, playShop } from './play.ts';

const memoryBytesMax = 1_024 * 1_048_576;

/** A runner is told the shops that it may reach: of so many at a time. */
const shopsOpenMax = 20;

export interface PlayInput {
  readonly atOnce: number;
  /** Called with each end as it comes. */
  readonly onPlayed?: (played: Played, shop: GeneratedShop) => void;
}

/** Buys in the shops of some seeds, a few at once, with one service and a browser for each run. */
export async function playSeeds(
  seeds: readonly number[],
  input: PlayInput,
): Promise<readonly Played[]> {
  const world = await startCheckoutWorld();
  const played: Played[] = [];
  try {
    for (let from = 0; from < seeds.length; from += shopsOpenMax)
      played.push(...(await playTogether(world, seeds.slice(from, from + shopsOpenMax), input)));
    return played.toSorted((one, other) => one.seed - other.seed);
  } finally {
    await world.close();
  }
}

async function playTogether(
  world: CheckoutWorld,
  seeds: readonly number[],
  { atOnce, onPlayed }: PlayInput,
): Promise<readonly Played[]> {
  const { shops, stop } = await startGeneratedShops(seeds);
  const allowedPrivateOrigins = shops.map(({ origin }) => origin);
  const runner = await world.startRunner({
    config: {
      chromiumPath: undefined,
      runsMax: atOnce,
      memoryBytesMax,
      blockedOrigins: [],
      allowedPrivateOrigins,
      paymentFrameOrigins: [],
    },
  });
  try {
    const waiting = [...shops];
    const played: Played[] = [];
    const work = async () => {
      for (let shop = waiting.shift(); shop; shop = waiting.shift()) {
        const one = await playShop(world, shop);
        played.push(one);
        onPlayed?.(one, shop);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return played;
  } finally {
    await runner.stop();
    await stop();
  }
}
