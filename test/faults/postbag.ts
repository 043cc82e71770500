import { setTimeout as delay } from 'node:timers/promises';
import { diceOf } from './dice.ts';
import type { FaultWorld } from './world.ts';

/** Callbacks of acquirer and bank on their way: repeated, mixed up, late, or lost. */
export interface Postbag {
  /**
   * From now on each callback comes in order, as does what was held back, and is told again until
   * it is taken: as companies do.
   */
  calm(): void;
  /** Carries all that there is now. @throws Error when calm, and nobody takes it */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Letter {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Nobody but its sender knows of it, who tells it again until somebody has taken it. */
  readonly isKept: boolean;
}

const everyMs = 250;
const patienceMs = 60_000;

export function carryCallbacks(world: FaultWorld, seed: number): Postbag {
  const dice = diceOf(seed ^ 0xca11);
  const { stripe, bank } = world;
  const waiting: Letter[] = [];
  let read = stripe.events.length;
  let isCalm = false;
  let isOver = false;
  let turn: Promise<void> = Promise.resolve();
  const done = run();

  async function run(): Promise<void> {
    while (!isOver) {
      await delay(everyMs);
      await carry();
    }
  }

  function carry(): Promise<void> {
    turn = turn.then(async () => {
      world.cards.work();
      bank.work();
      for (const letter of collect())
        if (isCalm || letter.isKept || !dice.percent(25)) waiting.push(letter);
      for (let count = waiting.length; count > 0; count--) {
        if (!isCalm && dice.percent(30)) continue;
        const letter = waiting.splice(isCalm ? 0 : dice.between(0, waiting.length - 1), 1)[0]!;
        for (let times = !isCalm && dice.percent(40) ? 3 : 1; times > 0; times--)
          if (!(await post(letter)) && (isCalm || letter.isKept) && times === 1)
            waiting.push(letter);
      }
    });
    return turn;
  }

  function collect(): Letter[] {
    const events = stripe.events.slice(read);
    read = stripe.events.length;
    const cards = events.map((event) => {
      const { headers, body } = stripe.sign(event, {
        secrets: [world.stripeSecret],
        now: new Date(),
      });
      return {
        url: `${world.plainApiUrl}/callbacks/card/stripe`,
        headers,
        body: new Uint8Array(body),
        isKept: event.type.startsWith('charge.dispute'),
      };
    });
    return [
      ...cards,
      ...bank.takeCallbacks().map((letter) => ({
        url: `${world.plainVaultUrl}/callbacks/payouts/column`,
        isKept: false,
        ...letter,
      })),
    ];
  }

  return {
    calm: () => void (isCalm = true),
    async flush() {
      await carry();
      for (
        const endAt = Date.now() + patienceMs;
        isCalm && waiting.length > 0;
        await delay(everyMs)
      ) {
        await carry();
        if (Date.now() > endAt)
          throw new Error(
            `nobody takes a callback: ${Buffer.from(waiting[0]!.body).toString('utf8')}`,
          );
      }
    },
    async stop() {
      isOver = true;
      await done;
    },
  };
}

/** @returns whether it was taken: companies repeat, but the service must go on without */
async function post({ url, headers, body }: Letter): Promise<boolean> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(5_000),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
}
