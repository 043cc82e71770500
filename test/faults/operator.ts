import { setTimeout as delay } from 'node:timers/promises';
import type { FaultDatabase } from './database.ts';
import { diceOf } from './dice.ts';
import type { Gate } from './gate.ts';
import type { Tally } from './happened.ts';
import { type Matter, triesMax } from './matters.ts';
import { type CommandLine, openDesk } from './operator-desk.ts';
import { askTheBank, callOffPayouts } from './operator-payouts.ts';
import type { Strays } from './strays.ts';
import type { FaultWorld } from './world.ts';

/**
 * Whoever sits at the service's command line, looks at what waits, and decides it: sometimes twice,
 * sometimes two of them at once.
 */
export interface Operator {
  /** Looks again and again until `stop`; decides by this seed's dice from now on. */
  sitDown(seed: number): void;
  stop(): Promise<void>;
  /** Looks once. @returns how many decisions were taken, or may have been */
  look(): Promise<number>;
}

const everyMs = 700;
const operators = 4;

const ofHold = ['release', 'release', 'refuse'].map((what) => ['orders', 'hold', what]);
const ofNeed = ['refund', 'refund', 'continue', 'close'];
/** Of three requests for a refund two are granted. */
const ofRequest = ['accept', 'accept', 'reject'];
const ofHeld = ['assign', 'assign', 'return', 'return', 'keep'];

interface Line {
  readonly id: string;
  readonly state: string;
  readonly attention?: string | null;
}

interface OperatorInput {
  readonly lines: Readonly<Record<'main' | 'vault', CommandLine>>;
  readonly tally: Tally;
  readonly bank: FaultWorld['bank'];
  readonly strays: Strays;
  readonly database: FaultDatabase;
  readonly bankGate: Gate;
}

/** Several matters at once, as several operators would. @returns how many decisions were taken */
async function workThrough(matters: readonly (() => Promise<number>)[]): Promise<number> {
  const open = [...matters];
  let taken = 0;
  const work = async () => {
    for (let matter = open.shift(); matter; matter = open.shift()) {
      const more = await matter();
      taken += more;
    }
  };
  await Promise.all(Array.from({ length: operators }, work));
  return taken;
}

export function employOperator({
  lines,
  tally,
  bank,
  strays,
  database,
  bankGate,
}: OperatorInput): Operator {
  let dice = diceOf(0);
  const matters = new Map<string, Matter>();
  let isSitting = false;
  let sitting: Promise<unknown> | undefined;
  const desk = openDesk({ lines, tally, dice: () => dice });

  function matterOf(id: string): Matter {
    const known = matters.get(id);
    if (known) return known;
    const matter: Matter = { isLeft: dice.percent(8), tries: 0, states: new Set() };
    matters.set(id, matter);
    return matter;
  }

  /** One of these first, and the others as what may meet it. */
  function startingWith<T>(first: T, all: readonly T[]): T[] {
    return [first, ...new Set(all.filter((one) => one !== first))];
  }

  /** A refund that failed beside an order that goes on. */
  async function sendBackAgain(id: string): Promise<number> {
    const shown = await desk.command('orders', 'show', id, '--json');
    const refunds: any[] = shown?.code === 0 ? JSON.parse(shown.output).refunds : [];
    const failed = refunds.find(({ status }) => status === 'failed');
    return failed ? desk.decide([['deposits', 'return', failed.depositId]]) : 0;
  }

  async function lookAtOrder({ id, state, attention }: Line): Promise<number> {
    const matter = matterOf(id);
    if (!matter.states.has(state) && state === 'on_hold') tally.add('an order was held');
    if (!matter.states.has(state) && state === 'needs_operator')
      tally.add('an order needed its operator');
    matter.states.add(state);
    // First the bank is asked.
    if (attention?.startsWith('payout: ') && dice.percent(75)) return 0;
    matter.tries += 1;
    const isOver = matter.tries > triesMax;
    if (matter.isLeft || matter.tries > 2 * triesMax) return 0;
    if (state === 'on_hold')
      return desk.decide(startingWith(dice.pick(ofHold), ofHold).map((words) => [...words, id]));
    if (state === 'needs_operator')
      return isOver
        ? desk.give('orders', 'resolve', id, 'close')
        : desk.decide(
            startingWith(dice.pick(ofNeed), ofNeed).map((verb) => ['orders', 'resolve', id, verb]),
          );
    if (attention?.startsWith('refund ') && dice.percent(60)) return sendBackAgain(id);
    return dice.percent(50) ? desk.give('orders', 'acknowledge', id) : 0;
  }

  async function lookAtRequest({
    orderId,
    status,
  }: {
    readonly orderId: string;
    readonly status: string;
  }): Promise<number> {
    const matter = matterOf(`refund of ${orderId}`);
    matter.wish ??= dice.pick(ofRequest);
    matter.tries += 1;
    if (matter.isLeft || matter.tries > triesMax) return 0;
    // What goes back by itself is listed until it has arrived: who completes it by hand is refused.
    if (status === 'accepted' && dice.percent(50)) return 0;
    const verbs = status === 'initiated' ? startingWith(matter.wish, ofRequest) : ['complete'];
    return desk.decide(verbs.map((verb) => ['orders', 'refunds', verb, orderId]));
  }

  /** A deposit that fits no order: whoever made it says which one it was meant for. */
  async function lookAtDeposit({
    deposit,
    reason,
  }: {
    readonly deposit: any;
    readonly reason?: string;
  }): Promise<number> {
    const matter = matterOf(`deposit ${deposit.id}`);
    if (matter.states.size === 0) tally.add('a deposit waited for its operator');
    matter.states.add('held');
    // Whoever decides sooner is refused, and some do.
    if (deposit.status !== 'final' && dice.percent(80)) return 0;
    matter.tries += 1;
    if (matter.isLeft || matter.tries > triesMax) return 0;
    const orderId = strays.meantFor(deposit.sender);
    const ways: Readonly<Record<string, readonly string[]>> = {
      return: ['deposits', 'return', deposit.id],
      keep: ['deposits', 'keep', deposit.id],
      ...(orderId !== undefined && { assign: ['deposits', 'assign', deposit.id, orderId] }),
    };
    const possible =
      reason === 'return-failed' ? ['return'] : ofHeld.filter((verb) => verb in ways);
    // An order takes it now, or never: then it goes back, or is kept.
    const first = matter.tries > 2 && possible.includes('return') ? 'return' : dice.pick(possible);
    return desk.decide(startingWith(first, possible).map((verb) => ways[verb]!));
  }

  const operator: Operator = {
    async look() {
      const [orders, requests, deposits, payouts] = await Promise.all([
        desk.list('orders', 'list', '--waiting', '--limit', '500'),
        desk.list('orders', 'refunds'),
        desk.list('deposits', 'list', '--limit', '500'),
        desk.list('payouts', 'list', '--status', 'needs-operator', '--limit', '500'),
      ]);
      const unanswered = desk.unanswered();
      const taken = await workThrough([
        ...orders.map((order: Line) => () => lookAtOrder(order)),
        ...requests.map((request) => () => lookAtRequest(request)),
        ...deposits.map((held) => () => lookAtDeposit(held)),
        ...payouts.map(
          ({ payoutId }) =>
            () =>
              askTheBank({ desk, tally, bank, matterOf }, payoutId),
        ),
      ]);
      return taken + desk.unanswered() - unanswered;
    },
    sitDown(seed) {
      dice = diceOf(seed ^ 0x09e7);
      isSitting = true;
      const looking = async () => {
        while (isSitting) {
          await operator.look();
          await delay(everyMs);
        }
      };
      sitting = Promise.all([
        looking(),
        callOffPayouts({
          desk,
          dice: diceOf(seed ^ 0xca11),
          tally,
          database,
          bankGate,
          isOver: () => !isSitting,
        }),
      ]);
    },
    async stop() {
      isSitting = false;
      await sitting;
    },
  };
  return operator;
}
