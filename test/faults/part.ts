import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceProcess, startProcess } from '../harness/processes.ts';

/** A program that is killed and started again, many times. */
export interface Part {
  readonly name: string;
  readonly kills: number;
  /**
   * SIGKILL, wherever it is in its work; back when it is gone. `pauseMs` later it is started again.
   */
  kill(input?: {
    readonly pauseMs?: number;
    readonly whileAway?: () => Promise<void>;
  }): Promise<void>;
  /**
   * Starts it again when it has ended by itself.
   * @throws Error with its last words when it does so again and again
   */
  revive(): void;
  stop(): Promise<void>;
  output(): string;
}

const endsMax = 60;

export function startPart(input: {
  readonly name: string;
  readonly program: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}): Part {
  let isWanted = true;
  let kills = 0;
  let ends = 0;
  let past = '';
  let child = start();
  let turn: Promise<unknown> = Promise.resolve();

  function start(): ServiceProcess {
    const started = startProcess(input);
    const keep = () => {
      past = (past + started.output()).slice(-400_000);
      if (!isWanted || child !== started) return;
      // It ended by itself, as when its database was away at its start: whatever runs programs
      // starts it again.
      ends += 1;
      if (ends < endsMax) setTimeout(() => isWanted && child === started && (child = start()), 200);
    };
    void started.ended.then(keep, keep);
    return started;
  }

  return {
    name: input.name,
    get kills() {
      return kills;
    },
    kill({ pauseMs = 0, whileAway } = {}) {
      const work = turn.then(async () => {
        if (!isWanted) return;
        kills += 1;
        const victim = child;
        isWanted = false;
        await victim.stop('SIGKILL');
        try {
          await whileAway?.();
          if (pauseMs > 0) await delay(pauseMs);
        } finally {
          isWanted = true;
          child = start();
        }
      });
      turn = work.catch(() => undefined);
      return work;
    },
    revive() {
      if (ends >= endsMax)
        throw new Error(`${input.name} ended by itself ${ends} times:\n${past.slice(-4_000)}`);
    },
    async stop() {
      await turn;
      isWanted = false;
      await child.stop('SIGKILL');
    },
    output: () => past + child.output(),
  };
}
