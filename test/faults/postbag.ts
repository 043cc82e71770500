import { setTimeout as delay } from 'node:timers/promises';
import { diceOf } from './dice.ts';
import type { FaultWorld } from './world.ts';

/** Callbacks of acquirer and bank on their way: repeated, mixed up, late, or lost. */
export interface Postbag {
  /** From now on each callback comes once, in order, as does what was held back. */
  calm(): void;
  stop(): Promise<void>;
}

interface Letter {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const everyMs = 250;

export function carryCallbacks(world: FaultWorld, seed: number): Postbag {
  const dice = diceOf(seed ^ 0xca11);
  const { stripe, bank } = world;
  const waiting: Letter[] = [];
  let read = stripe.events.length;
  let isCalm = false;
  let isOver = false;
  const done = run();

  async function run(): Promise<void> {
    while (!isOver) {
      await delay(everyMs);
      bank.work();
      for (const letter of collect()) if (isCalm || !dice.percent(25)) waiting.push(letter);
      for (let count = waiting.length; count > 0; count--) {
        if (!isCalm && dice.percent(30)) continue;
        const [letter] = waiting.splice(isCalm ? 0 : dice.between(0, waiting.length - 1), 1);
        for (let times = !isCalm && dice.percent(40) ? 3 : 1; times > 0; times--) await post(letter!);
      }
    }
  }

  function collect(): Letter[] {
    const events = stripe.events.slice(read);
    read = stripe.events.length;
    const cards = events.map((event) => {
      const { headers, body } = stripe.sign(event, { secrets: [world.stripeSecret], now: new Date() });
      return { url: `${world.plainApiUrl}/callbacks/card/stripe`, headers, body: new Uint8Array(body) };
    });
    return [...cards, ...bank.takeCallbacks().map((letter) => ({ url: `${world.plainVaultUrl}/callbacks/payouts/column`, ...letter }))];
  }

  return {
    calm: () => void (isCalm = true),
    async stop() {
      isOver = true;
      await done;
    },
  };
}

/** Whether it is taken or not: companies repeat, but the service must go on without. */
async function post({ url, headers, body }: Letter): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
}
