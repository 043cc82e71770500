/** Limits begin anew at midnight of this zone (supplement, section 18). */
const zone = 'America/New_York';
const hourMs = 3_600_000;

const wallClock = new Intl.DateTimeFormat('en-CA', {
  timeZone: zone,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
});

/** A stretch of time over which a limit counts. */
export interface Period {
  /** e.g. `d2026-03-08`, `m2026-03`. */
  readonly key: string;
  readonly endsAt: Date;
}

export type PeriodKind = 'daily' | 'monthly';

/** The day or the month that an instant is in. A day has 23 or 25 hours when the clocks change. */
export function periodOf(kind: PeriodKind, at: Date): Period {
  const { year, month, day } = readWall(at);
  const text = (value: number) => String(value).padStart(2, '0');
  return kind === 'daily'
    ? { key: `d${year}-${text(month)}-${text(day)}`, endsAt: midnightOf(year, month, day + 1) }
    : { key: `m${year}-${text(month)}`, endsAt: midnightOf(year, month + 1, 1) };
}

/** Whole hours until then, rounded up; 0 when it has passed. */
export function hoursUntil(endsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / hourMs));
}

/**
 * Clocks change at two in the morning, so every midnight exists once, four or five hours behind
 * that of UTC.
 */
function midnightOf(year: number, month: number, day: number): Date {
  const utc = Date.UTC(year, month - 1, day);
  const summer = new Date(utc + 4 * hourMs);
  return readWall(summer).hour === 0 ? summer : new Date(utc + 5 * hourMs);
}

function readWall(at: Date): { year: number; month: number; day: number; hour: number } {
  const parts = Object.fromEntries(
    wallClock.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  );
  return { year: parts.year!, month: parts.month!, day: parts.day!, hour: parts.hour! };
}
