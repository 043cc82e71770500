import { CommandError } from '../lib/command.ts';

/** The most that may pass in one go. */
const advanceMaxMs = 400 * 86_400_000;
const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;
const pattern = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;

/**
 * Milliseconds of `3d`, `90m` or `1d12h`.
 * @throws CommandError nothing of the kind, none, or more than 400 days
 */
export function readLength(text: string): number {
  if (text.startsWith('-'))
    throw new CommandError(
      'Time only goes forwards: npm start -- --reset starts empty, at the time of this machine.',
    );
  const match = pattern.exec(text);
  if (!match || text === '')
    throw new CommandError(
      `"${text}" is no length of time: write 30s, 90m, 12h, 3d, or several at once from days to seconds, as 1d12h.`,
    );
  const lengthMs = units.reduce(
    (sum, [, unitMs], index) => sum + Number(match[index + 1] ?? 0) * unitMs,
    0,
  );
  if (lengthMs === 0) throw new CommandError('No time at all would pass: name at least 1s.');
  if (lengthMs > advanceMaxMs)
    throw new CommandError('At most 400 days can pass at once: advance the clock several times.');
  return lengthMs;
}

/** The same in words of the command: `1d12h`; `0s` for less than a second. */
export function describeLength(lengthMs: number): string {
  let restMs = lengthMs;
  const words = units.map(([unit, unitMs]) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return words.join('') || '0s';
}
