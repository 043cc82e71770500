import { hostname, userInfo } from 'node:os';
import type { Ctx } from '../../context.ts';
import { machineClock } from '../../lib/clock.ts';
import { insertOperatorCommand, type OperatorCommand } from './store.ts';

type OperationsCtx = Pick<Ctx, 'store' | 'clock' | 'ids'>;
/** Keyed hash of a word: equal ones alike, and nobody without the key can try words. */
type HashWord = (word: string) => string;

/** A command that is running. */
export interface Operation {
  end(outcome: 'done' | 'failed'): Promise<void>;
}

/** Options whose values are words of this program or names of things, never of people. */
const plainOptions = new Set([
  '--algorithm',
  '--chain',
  '--issuer',
  '--kind',
  '--limit',
  '--max-age',
  '--project',
  '--scopes',
  '--typ',
]);
const plainWord = /^[a-z][a-z0-9-]{0,40}$/;
const plainValue = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{1,9}|\d{1,6}[smhd])$/;
const commandLengthMax = 1_000;

/**
 * Records that somebody runs a command, before it does anything: what cannot be recorded is not
 * done. Before the migration that makes the table there is nothing to record in.
 */
export async function beginOperation(
  ctx: OperationsCtx,
  words: readonly string[],
  hash: HashWord,
): Promise<Operation> {
  const run = {
    runId: ctx.ids.uuid(),
    osUser: userInfo().username,
    host: hostname(),
    command: tellWords(hash, words),
  };
  const record = (outcome: OperatorCommand['outcome']) =>
    insertOperatorCommand(ctx.store, { ...run, outcome, at: machineClock(ctx.clock).now() }).catch(
      (error: unknown) => {
        if ((error as { code?: string }).code !== undefinedTable) throw error;
      },
    );
  await record('begun');
  return { end: record };
}

const undefinedTable = '42P01';

/** Words that may name people or open something are hashed: the same one is seen to be the same. */
function tellWords(hash: HashWord, words: readonly string[]): string {
  const told = words.map((word, index) => {
    const [, option, value] = /^(--[a-z-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (option !== undefined)
      return value === undefined ? option : `${option}=${tellValue(value, option)}`;
    const before = words[index - 1] ?? '';
    return before.startsWith('--')
      ? tellValue(word, before)
      : plainWord.test(word)
        ? word
        : tellValue(word, '');
  });
  return told.join(' ').slice(0, commandLengthMax);

  function tellValue(value: string, option: string): string {
    return plainOptions.has(option) || plainValue.test(value) ? value : `#${hash(value)}`;
  }
}
