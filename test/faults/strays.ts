import type { Hex } from 'viem';
import type { OutsideBooks } from './books.ts';
import { type AskedDeposit, giver, tokenTransfer } from './chain.ts';
import { diceOf } from './dice.ts';
import type { StrayPlan } from './plan.ts';
import { sum } from './sums.ts';
import type { FaultWorld } from './world.ts';

/** A deposit that fits no order, from an address that has nothing else to do with the service. */
export interface Stray {
  /** Lower case. */
  readonly sender: string;
  readonly token: 'usdc' | 'usdxm';
  readonly amountMinor: bigint;
  /** The order that it was meant for. */
  readonly orderId: string;
  /** Smallest units on the chain, without what a reorganisation has taken for good. */
  sentMinor: bigint;
}

/** All of them, in every round of a world. */
export interface Strays {
  add(stray: Stray): void;
  all(): readonly Stray[];
  meantFor(sender: string): string | undefined;
}

export function createStrays(): Strays {
  const all: Stray[] = [];
  return {
    add: (stray) => void all.push(stray),
    all: () => all,
    meantFor: (sender) => all.find((stray) => stray.sender === sender.toLowerCase())?.orderId,
  };
}

/** Sends it. Back once a block has it. */
export async function sendStray(
  world: FaultWorld,
  input: {
    readonly plan: Exclude<StrayPlan, 'none'>;
    readonly seed: number;
    readonly orderId: string;
    readonly asked: AskedDeposit;
    readonly isGivenUp: boolean;
  },
): Promise<Stray> {
  const { plan, seed, orderId, asked, isGivenUp } = input;
  const { recipient, amountMinor } = asked;
  const token = plan === 'another token' ? 'usdc' : 'usdxm';
  const address = world.tokens[token];
  const stray: Stray = { sender: addressOf(seed), token, amountMinor, orderId, sentMinor: 0n };
  world.strays.add(stray);
  await world.crowd.send(giver, { to: address, data: tokenTransfer(stray.sender, amountMinor) });
  const data: Hex = `${tokenTransfer(recipient, amountMinor)}${memoOf(plan, asked, seed)}`;
  // Before it is known that it was sent: a reorganisation may come between.
  stray.sentMinor += amountMinor;
  const onGone = () => void (stray.sentMinor -= amountMinor);
  await world.crowd.send(stray.sender, { to: address, data }, { isGivenUp, onGone });
  return stray;
}

function memoOf(plan: StrayPlan, { memo }: AskedDeposit, seed: number): string {
  if (plan === 'no memo') return '';
  return plan === 'unknown memo' ? hexOf(seed ^ 0x3e30, 32) : memo.slice(2);
}

const addressOf = (seed: number) => `0x${hexOf(seed ^ 0x57a1, 20)}`;

function hexOf(seed: number, bytes: number): string {
  const dice = diceOf(seed);
  return Array.from({ length: bytes }, () =>
    dice.between(0, 255).toString(16).padStart(2, '0'),
  ).join('');
}

/** What the chain, and the service, know of a stray. */
export interface StrayFacts {
  readonly stray: Stray;
  readonly cameMinor: bigint;
  readonly wentBackMinor: bigint;
  readonly known: readonly KnownStray[];
}

interface KnownStray {
  /** The order that has it now. */
  readonly order: string | null;
  readonly use: 'pays' | 'extra' | 'held';
  readonly reason: string | null;
  readonly resolution: string | null;
  readonly counts: boolean;
  /** Of its refunds, in the order of their making. */
  readonly refunds: readonly string[];
}

export async function readStray(
  world: FaultWorld,
  books: OutsideBooks,
  stray: Stray,
): Promise<StrayFacts> {
  const { sender } = stray;
  const token = world.tokens[stray.token];
  const of = (from: string, to: string) =>
    sum(
      books.chain
        .filter((one) => one.token === token && one.from === from && one.to === to)
        .map(({ amountMinor }) => amountMinor),
    );
  const { rows: known } = await world.ctx.store.query<KnownStray>({
    text: `select d.order_id::text as order, o.use, o.reason, d.resolution, o.counts,
        array(select r.status from order_refunds r where r.deposit_id = d.id order by r.created_at) as refunds
      from deposits d join order_deposits o on o.deposit_id = d.id where lower(d.sender) = $1`,
    values: [sender],
  });
  return {
    stray,
    cameMinor: of(sender, books.treasury),
    wentBackMinor: of(books.treasury, sender),
    known,
  };
}

/**
 * It has one end: it pays an order, went back whole, belongs to the operator, or waits and says
 * why.
 */
export function judgeStray({ stray, cameMinor, wentBackMinor, known }: StrayFacts): string[] {
  const problems: string[] = [];
  if (cameMinor !== stray.sentMinor)
    problems.push(`${stray.sentMinor} were sent astray, and the chain has ${cameMinor}`);
  const counting = known.filter(({ counts }) => counts);
  if (counting.length !== (cameMinor > 0n ? 1 : 0))
    problems.push(`a deposit that went astray counts ${counting.length} times`);
  const [one] = counting;
  if (!one || one.order !== null) return problems;
  const isBack = one.refunds.length > 0 && one.refunds.every((status) => status === 'final');
  if (wentBackMinor !== (isBack ? cameMinor : 0n))
    problems.push(
      `of ${cameMinor} that went astray ${wentBackMinor} went back, and the service says ${one.refunds.join() || 'nothing'}`,
    );
  if (one.use === 'held' && one.reason === null)
    problems.push('a deposit that went astray waits, and does not say why');
  if (one.use === 'held' && one.refunds.length > 0)
    problems.push('a deposit that went astray waits, and goes back');
  return problems;
}

/** What strays still owe nobody knows whom. */
export function waitingMinor(strays: readonly StrayFacts[], token: Stray['token']): bigint {
  return sum(
    strays
      .filter(
        ({ stray, known }) =>
          stray.token === token && known.some(({ use, counts }) => use === 'held' && counts),
      )
      .map(({ cameMinor }) => cameMinor),
  );
}
