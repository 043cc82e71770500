import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { Tally } from './happened.ts';
import type { CommandAnswer } from './operator-child.ts';
import type { Part } from './part.ts';

const answerMs = 30_000;
/**
 * So many in a hundred decisions meet the death of the program, and with them whatever else it does
 * at that moment.
 */
const diesPercent = 6;

/** A command line of the service, in a program of its own. */
export interface CommandLine {
  readonly url: string;
  readonly program: Pick<Part, 'kill'>;
}

/**
 * Where decisions are typed: some twice, some by two at once, some into a program that dies
 * meanwhile.
 */
export interface Desk {
  /** Undefined: the program died under it. One that has not started again yet is waited for. */
  command(...args: readonly string[]): Promise<CommandAnswer | undefined>;
  /** What a listing command shows; nothing when it has no answer. */
  list(...args: readonly string[]): Promise<any[]>;
  /** @returns how often it was taken */
  give(...args: readonly string[]): Promise<number>;
  /**
   * The first of the decisions; in every other case it, or another one of them, comes a second
   * time.
   * @returns how many were taken
   */
  decide(decisions: readonly (readonly string[])[]): Promise<number>;
  /** So many decisions had no answer until now: each of them may have been taken. */
  unanswered(): number;
}

/** @param lines by the database that they work on: payouts are the vault's */
export function openDesk({
  lines,
  tally,
  dice,
}: {
  readonly lines: Readonly<Record<'main' | 'vault', CommandLine>>;
  readonly tally: Tally;
  readonly dice: () => Dice;
}): Desk {
  const isOfVault = ([command]: readonly string[]) => command === 'payouts';
  const lineOf = (args: readonly string[]) => (isOfVault(args) ? lines.vault : lines.main);
  let unanswered = 0;
  const notesOf = (args: readonly string[]) => (isOfVault(args) ? [] : ['--note', 'fault test']);

  const desk: Desk = {
    async command(...args) {
      for (const endAt = Date.now() + answerMs; ; await delay(200)) {
        try {
          const answer = await fetch(lineOf(args).url, {
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
    },
    async list(...args) {
      const answer = await desk.command(...args, '--json');
      return answer?.code === 0 ? JSON.parse(answer.output) : [];
    },
    async give(...args) {
      const killed = dice().percent(diesPercent)
        ? delay(dice().between(0, 60)).then(() => lineOf(args).program.kill())
        : undefined;
      const answer = await desk.command(...args, ...notesOf(args));
      await killed;
      if (answer === undefined) unanswered += 1;
      tally.add(
        answer === undefined
          ? 'a decision got no answer'
          : answer.code === 0
            ? 'a decision was taken'
            : 'a decision was refused',
      );
      return answer?.code === 0 ? 1 : 0;
    },
    async decide([first, ...others]) {
      const other = others.length === 0 ? first! : dice().pick(others);
      const how = dice().between(0, 6);
      if (how > 2) return desk.give(...first!);
      if (how === 0) {
        const taken = await desk.give(...first!);
        tally.add('a decision was taken twice');
        return taken + (await desk.give(...first!));
      }
      const second = how === 1 ? first! : other;
      tally.add(
        second.join() === first!.join()
          ? 'the same decision was asked for by two at once'
          : 'two decisions were asked for at once',
      );
      const taken = await Promise.all([desk.give(...first!), desk.give(...second)]);
      return taken[0]! + taken[1]!;
    },
    unanswered: () => unanswered,
  };
  return desk;
}
