import { setTimeout as delay } from 'node:timers/promises';
import { diceOf } from './dice.ts';
import type { CommandAnswer } from './operator-child.ts';
import type { Part } from './part.ts';
import type { FaultWorld } from './world.ts';

/** Whoever sits at the service's command line, looks at what waits, and decides it: sometimes twice, sometimes two of them at once. */
export interface Operator {
  /** Looks again and again until `stop`; decides by this seed's dice from now on. */
  sitDown(seed: number): void;
  stop(): Promise<void>;
  /** Looks once. @returns how many decisions were taken */
  look(): Promise<number>;
}

const everyMs = 700;
/** So many decisions about one order; then it is closed, or left to wait. */
const triesMax = 5;
const answerMs = 30_000;

const notes = ['--note', 'fault test'];
const ofHold = ['release', 'release', 'refuse'].map((what) => ['orders', 'hold', what]);
const ofNeed = ['refund', 'refund', 'continue', 'close'];

interface Line {
  readonly id: string;
  readonly state: string;
  readonly attention?: string | null;
}

interface Matter {
  /** The operator leaves it to wait. */
  readonly isLeft: boolean;
  tries: number;
  /** In which it was seen. */
  readonly states: Set<string>;
}

export function employOperator(world: Pick<FaultWorld, 'operatorUrl' | 'tally'> & { readonly program: Pick<Part, 'kill'> }): Operator {
  let dice = diceOf(0);
  const { tally } = world;
  const matters = new Map<string, Matter>();
  let isSitting = false;
  let sitting: Promise<void> | undefined;

  /** Undefined: the operator's process died under it. One that has not started again yet is waited for. */
  async function command(...args: readonly string[]): Promise<CommandAnswer | undefined> {
    for (const endAt = Date.now() + answerMs; ; await delay(200)) {
      try {
        const answer = await fetch(world.operatorUrl, {
          method: 'POST',
          body: JSON.stringify(args),
          signal: AbortSignal.timeout(answerMs),
        });
        return (await answer.json()) as CommandAnswer;
      } catch (error) {
        const { cause } = error as { readonly cause?: { readonly code?: string } };
        if (cause?.code !== 'ECONNREFUSED' || Date.now() > endAt) return undefined;
      }
    }
  }

  async function list(...args: readonly string[]): Promise<any[]> {
    const answer = await command(...args, '--json');
    return answer?.code === 0 ? JSON.parse(answer.output) : [];
  }

  /** @returns how often it was taken */
  async function give(...args: readonly string[]): Promise<number> {
    const killed = dice.percent(12) ? delay(dice.between(0, 60)).then(() => world.program.kill()) : undefined;
    const answer = await command(...args, ...notes);
    await killed;
    tally.add(answer === undefined ? 'a decision got no answer' : answer.code === 0 ? 'a decision was taken' : 'a decision was refused');
    if (answer?.code !== 0) return 0;
    if (args[2] === 'accept') tally.add('a refund was granted');
    if (args[2] === 'reject') tally.add('a refund was not granted');
    return 1;
  }

  /** One of the decisions; in every other case it, or another one beside it, comes a second time. */
  async function decide(decisions: readonly (readonly string[])[]): Promise<number> {
    const first = dice.pick(decisions);
    const others = decisions.filter((one) => one.join() !== first.join());
    const other = others.length === 0 ? first : dice.pick(others);
    const how = dice.between(0, 6);
    if (how > 2) return give(...first);
    if (how === 0) {
      const taken = await give(...first);
      tally.add('a decision was taken twice');
      return taken + (await give(...first));
    }
    const second = how === 1 ? first : other;
    tally.add(second.join() === first.join() ? 'the same decision was asked for by two at once' : 'two decisions were asked for at once');
    const taken = await Promise.all([give(...first), give(...second)]);
    return taken[0]! + taken[1]!;
  }

  function matterOf(id: string): Matter {
    const known = matters.get(id);
    if (known) return known;
    const matter: Matter = { isLeft: dice.percent(8), tries: 0, states: new Set() };
    matters.set(id, matter);
    return matter;
  }

  /** A refund that failed beside an order that goes on. */
  async function sendBackAgain(id: string): Promise<number> {
    const shown = await command('orders', 'show', id, '--json');
    const refunds: any[] = shown?.code === 0 ? JSON.parse(shown.output).refunds : [];
    const failed = refunds.find(({ status }) => status === 'failed');
    return failed ? decide([['deposits', 'return', failed.depositId]]) : 0;
  }

  async function lookAtOrder({ id, state, attention }: Line): Promise<number> {
    const matter = matterOf(id);
    if (!matter.states.has(state) && state === 'on_hold') tally.add('an order was held');
    if (!matter.states.has(state) && state === 'needs_operator') tally.add('an order needed its operator');
    matter.states.add(state);
    matter.tries += 1;
    const isOver = matter.tries > triesMax;
    if (matter.isLeft || matter.tries > 2 * triesMax) return 0;
    if (state === 'on_hold') return decide(ofHold.map((words) => [...words, id]));
    if (state === 'needs_operator')
      return isOver ? give('orders', 'resolve', id, 'close') : decide(ofNeed.map((verb) => ['orders', 'resolve', id, verb]));
    if (attention?.startsWith('refund ') && dice.percent(60)) return sendBackAgain(id);
    return dice.percent(50) ? give('orders', 'acknowledge', id) : 0;
  }

  async function lookAtRequest({ orderId, status }: { readonly orderId: string; readonly status: string }): Promise<number> {
    const matter = matterOf(`refund of ${orderId}`);
    matter.tries += 1;
    if (matter.isLeft || matter.tries > triesMax) return 0;
    const verbs = status === 'initiated' ? ['accept', 'accept', 'reject'] : ['complete'];
    return decide(verbs.map((verb) => ['orders', 'refunds', verb, orderId]));
  }

  const operator: Operator = {
    async look() {
      let taken = 0;
      for (const line of await list('orders', 'list', '--waiting', '--limit', '500')) taken += await lookAtOrder(line);
      for (const request of await list('orders', 'refunds')) taken += await lookAtRequest(request);
      return taken;
    },
    sitDown(seed) {
      dice = diceOf(seed ^ 0x09e7);
      isSitting = true;
      sitting = (async () => {
        while (isSitting) {
          await operator.look();
          await delay(everyMs);
        }
      })();
    },
    async stop() {
      isSitting = false;
      await sitting;
    },
  };
  return operator;
}
