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
 * long as this at most; more often until one was at all. On a busy machine each would else be
 * handed in before anybody looks.
 */
const awayPercent = 1;
const awayAtFirstPercent = 5;
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
  // Not by a command: until that is there, most of them are gone.
  const accepted = async () => {
    const text = `select id from payouts where status = 'accepted'`;
    const { rows } = await persist(() => database.stores.vault.query<{ id: string }>({ text }));
    return rows.map(({ id }) => id);
  };
  async function callOff(id: string): Promise<boolean> {
    const isTaken = (await desk.decide([['payouts', 'cancel', id, '--yes']])) > 0;
    if (isTaken) tally.add('a payout was called off');
    return isTaken;
  }
  async function callOffWithoutBank(): Promise<void> {
    for (const until = Date.now() + awayMs; Date.now() < until; await delay(lookMs))
      for (const id of await accepted()) if (await callOff(id)) return;
  }
  for (; !isOver(); await delay(lookMs)) {
    const isFirst = tally.counts()['a payout was called off'] === 0;
    if (dice.percent(isFirst ? awayAtFirstPercent : awayPercent)) {
      await bankGate.awayWhile(callOffWithoutBank);
      continue;
    }
    for (const id of await accepted()) {
      if (seen.has(id)) continue;
      seen.add(id);
      if (dice.percent(canceledPercent)) await callOff(id);
    }
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
