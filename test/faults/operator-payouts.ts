import { setTimeout as delay } from 'node:timers/promises';
import { type FaultDatabase, persist } from './database.ts';
import type { Dice } from './dice.ts';
import type { Gate } from './gate.ts';
import type { Tally } from './happened.ts';
import { type Matter, triesMax } from './matters.ts';
import type { Desk } from './operator-desk.ts';
import type { FaultWorld } from './world.ts';

/** Of payouts that were not handed in yet so many in a hundred are called off. */
const canceledPercent = 30;
/**
 * At so many looks in a hundred nobody listens at the bank until a payout was called off, for as
 * long as this at most. On a busy machine it would else be handed in whenever somebody looks.
 */
const awayPercent = 1;
const awayMs = 1_500;
const lookMs = 50;

export interface PayoutsInput {
  readonly desk: Desk;
  readonly tally: Tally;
  readonly bank: FaultWorld['bank'];
  matterOf(id: string): Matter;
}

/**
 * Until it is over some payouts that were not handed in yet are called off; they may be handed in
 * at that very moment.
 */
export async function callOffPayouts({
  desk,
  dice,
  tally,
  database,
  bankGate,
  isOver,
}: Pick<PayoutsInput, 'desk' | 'tally'> & {
  readonly dice: Dice;
  readonly database: FaultDatabase;
  readonly bankGate: Gate;
  readonly isOver: () => boolean;
}): Promise<void> {
  const seen = new Set<string>();
  /** @returns whether one was called off */
  async function callOff(percent: number): Promise<boolean> {
    let isAny = false;
    // Not by a command: until that is there, most of them are gone.
    const text = `select id from payouts where status = 'accepted' and not id = any($1::uuid[])`;
    const { rows } = await persist(() =>
      database.stores.vault.query<{ id: string }>({ text, values: [[...seen]] }),
    );
    for (const { id } of rows) {
      seen.add(id);
      if (!dice.percent(percent)) continue;
      if ((await desk.decide([['payouts', 'cancel', id, '--yes']])) === 0) continue;
      tally.add('a payout was called off');
      isAny = true;
    }
    return isAny;
  }
  async function callOffWithoutBank(): Promise<void> {
    const until = Date.now() + awayMs;
    while (!isOver() && Date.now() < until && !(await callOff(100))) await delay(lookMs);
  }
  for (; !isOver(); await delay(lookMs)) {
    if (dice.percent(awayPercent)) await bankGate.awayWhile(callOffWithoutBank);
    else await callOff(canceledPercent);
  }
}

/**
 * Decides about a payout that needs an operator, as the bank says by other means.
 * @returns how many decisions were taken
 */
export async function askTheBank(
  { desk, tally, bank, matterOf }: PayoutsInput,
  payoutId: string,
): Promise<number> {
  const matter = matterOf(`payout ${payoutId}`);
  if (matter.tries === 0) tally.add('a payout needed its operator');
  matter.tries += 1;
  if (matter.isLeft || matter.tries > triesMax) return 0;
  const shown = await desk.command('payouts', 'show', payoutId, '--json');
  if (shown?.code !== 0) return 0;
  const said = bank.ask(JSON.parse(shown.output).bankKey);
  const retry = ['payouts', 'retry', payoutId];
  const taken = await desk.decide(
    said === 'wait' ? [retry] : [['payouts', 'mark', payoutId, said, '--yes'], retry],
  );
  if (taken > 0)
    tally.add(
      said === 'wait'
        ? 'a payout was looked up again for its operator'
        : 'an operator said what became of a payout',
    );
  return taken;
}
