import { setTimeout as delay } from 'node:timers/promises';
import { diceOf } from './dice.ts';
import type { FaultWorld } from './world.ts';

/** The acquirer's callbacks on their way: repeated, mixed up, late, or lost. */
export interface Postbag {
  /** From now on each callback comes once, in order, as does what was held back. */
  calm(): void;
  stop(): Promise<void>;
}

const everyMs = 250;

export function carryCallbacks(world: FaultWorld, seed: number): Postbag {
  const dice = diceOf(seed ^ 0xca11);
  const { stripe } = world;
  const waiting: (typeof stripe.events)[number][] = [];
  let read = 0;
  let isCalm = false;
  let isOver = false;
  const done = run();

  async function run(): Promise<void> {
    read = stripe.events.length;
    while (!isOver) {
      await delay(everyMs);
      for (const event of stripe.events.slice(read)) if (isCalm || !dice.percent(25)) waiting.push(event);
      read = stripe.events.length;
      for (let count = waiting.length; count > 0; count--) {
        const place = isCalm ? 0 : dice.between(0, waiting.length - 1);
        if (!isCalm && dice.percent(30)) continue;
        const [event] = waiting.splice(place, 1);
        for (let times = !isCalm && dice.percent(40) ? 3 : 1; times > 0; times--) await post(event!);
      }
    }
  }

  /** Whether it was taken or not: Stripe would repeat it, but the service must go on without. */
  async function post(event: (typeof stripe.events)[number]): Promise<void> {
    const { headers, body } = stripe.sign(event, { secrets: [world.stripeSecret], now: new Date() });
    await fetch(`${world.plainApiUrl}/callbacks/card/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
  }

  return {
    calm: () => void (isCalm = true),
    async stop() {
      isOver = true;
      await done;
    },
  };
}
