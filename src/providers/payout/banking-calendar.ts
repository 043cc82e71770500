/**
 * On which days banks settle, and what time it is there. Dates are `YYYY-MM-DD` of the calendar's
 * own zone, times are `HH:MM` of its wall clock.
 */

export type CalendarName = 'us-federal-reserve' | 'target' | 'colombia' | 'every-day';

/**
 * One holiday: a fixed date, the n-th weekday of a month (-1: the last), or days from Easter
 * Sunday.
 */
type HolidayRule =
  | { readonly name: string; readonly month: number; readonly day: number }
  | {
      readonly name: string;
      readonly month: number;
      readonly weekday: number;
      readonly nth: number;
    }
  | { readonly name: string; readonly easterPlus: number };

interface Calendar {
  readonly zone: string;
  readonly weekendsClosed: boolean;
  readonly holidays: readonly (HolidayRule & {
    /**
     * `sunday`: kept on Monday when it falls on a Sunday. `always`: kept on the next Monday unless
     * it is one.
     */
    readonly movesToMonday?: 'sunday' | 'always';
    /** First year in which it is kept. */
    readonly since?: number;
  })[];
}

const monday = 1;
const thursday = 4;

const calendars: Readonly<Record<CalendarName, Calendar>> = {
  // Holiday schedule of the Federal Reserve Banks. A holiday on a Saturday does not close them on
  // Friday.
  'us-federal-reserve': {
    zone: 'America/New_York',
    weekendsClosed: true,
    holidays: [
      { name: 'New Year’s Day', month: 1, day: 1, movesToMonday: 'sunday' },
      { name: 'Martin Luther King Jr. Day', month: 1, weekday: monday, nth: 3 },
      { name: 'Washington’s Birthday', month: 2, weekday: monday, nth: 3 },
      { name: 'Memorial Day', month: 5, weekday: monday, nth: -1 },
      { name: 'Juneteenth', month: 6, day: 19, movesToMonday: 'sunday', since: 2022 },
      { name: 'Independence Day', month: 7, day: 4, movesToMonday: 'sunday' },
      { name: 'Labor Day', month: 9, weekday: monday, nth: 1 },
      { name: 'Columbus Day', month: 10, weekday: monday, nth: 2 },
      { name: 'Veterans Day', month: 11, day: 11, movesToMonday: 'sunday' },
      { name: 'Thanksgiving Day', month: 11, weekday: thursday, nth: 4 },
      { name: 'Christmas Day', month: 12, day: 25, movesToMonday: 'sunday' },
    ],
  },
  // Closing days of the European settlement system; they do not move.
  target: {
    zone: 'Europe/Berlin',
    weekendsClosed: true,
    holidays: [
      { name: 'New Year’s Day', month: 1, day: 1 },
      { name: 'Good Friday', easterPlus: -2 },
      { name: 'Easter Monday', easterPlus: 1 },
      { name: 'Labour Day', month: 5, day: 1 },
      { name: 'Christmas Day', month: 12, day: 25 },
      { name: 'Second Christmas Day', month: 12, day: 26 },
    ],
  },
  // Law 51 of 1983.
  colombia: {
    zone: 'America/Bogota',
    weekendsClosed: true,
    holidays: [
      { name: 'New Year’s Day', month: 1, day: 1 },
      { name: 'Epiphany', month: 1, day: 6, movesToMonday: 'always' },
      { name: 'Saint Joseph', month: 3, day: 19, movesToMonday: 'always' },
      { name: 'Maundy Thursday', easterPlus: -3 },
      { name: 'Good Friday', easterPlus: -2 },
      { name: 'Labour Day', month: 5, day: 1 },
      { name: 'Ascension', easterPlus: 43 },
      { name: 'Corpus Christi', easterPlus: 64 },
      { name: 'Sacred Heart', easterPlus: 71 },
      { name: 'Saints Peter and Paul', month: 6, day: 29, movesToMonday: 'always' },
      { name: 'Independence Day', month: 7, day: 20 },
      { name: 'Battle of Boyacá', month: 8, day: 7 },
      { name: 'Assumption', month: 8, day: 15, movesToMonday: 'always' },
      { name: 'Day of Ethnic Diversity', month: 10, day: 12, movesToMonday: 'always' },
      { name: 'All Saints', month: 11, day: 1, movesToMonday: 'always' },
      { name: 'Independence of Cartagena', month: 11, day: 11, movesToMonday: 'always' },
      { name: 'Immaculate Conception', month: 12, day: 8 },
      { name: 'Christmas Day', month: 12, day: 25 },
    ],
  },
  'every-day': { zone: 'UTC', weekendsClosed: false, holidays: [] },
};

const dayMs = 86_400_000;
/** No calendar is closed for longer than this; a search beyond it is a bug. */
const closedDaysMax = 15;

const holidayCache = new Map<string, ReadonlyMap<string, string>>();

/** The days of a year on which the calendar is closed beside its weekends: date → name. */
export function holidaysOf(calendar: CalendarName, year: number): ReadonlyMap<string, string> {
  const key = `${calendar} ${year}`;
  const known = holidayCache.get(key);
  if (known) return known;
  const kept = calendars[calendar].holidays
    .filter((holiday) => year >= (holiday.since ?? 0))
    .map(
      (holiday) =>
        [moveHoliday(placeHoliday(holiday, year), holiday.movesToMonday), holiday.name] as const,
    );
  const holidays = new Map(kept.toSorted(([a], [b]) => a.localeCompare(b)));
  holidayCache.set(key, holidays);
  return holidays;
}

/** True when banks of the calendar settle on that date. */
export function isBankingDay(calendar: CalendarName, date: string): boolean {
  const weekday = weekdayOf(date);
  if (calendars[calendar].weekendsClosed && (weekday === 0 || weekday === 6)) return false;
  return !holidaysOf(calendar, Number(date.slice(0, 4))).has(date);
}

/**
 * The n-th banking day after a date; with 0 the date itself, or the next banking day where it is
 * none.
 */
export function addBankingDays(calendar: CalendarName, date: string, count: number): string {
  let day = nextBankingDay(calendar, date);
  for (let left = count; left > 0; left--) day = nextBankingDay(calendar, addDays(day, 1));
  return day;
}

/** A date some calendar days later (or, below zero, earlier). */
export function addDays(date: string, count: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/** Date and wall-clock time of an instant where the calendar is kept. */
export function localTimeOf(
  calendar: CalendarName,
  at: Date,
): { readonly date: string; readonly time: string } {
  const parts = new Map(
    formatterOf(calendars[calendar].zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}

/**
 * The instant of a wall-clock time; one that the clocks skip in spring is the instant they jump to.
 */
export function instantOf(calendar: CalendarName, date: string, time: string): Date {
  const asUtcMs = Date.parse(`${date}T${time}:00Z`);
  // The zone's offset at the guess and at the corrected guess differ only around a change of the
  // clocks.
  const first = asUtcMs - offsetMs(calendar, asUtcMs);
  return new Date(asUtcMs - offsetMs(calendar, first));
}

function nextBankingDay(calendar: CalendarName, date: string): string {
  let day = date;
  for (let tries = 0; tries <= closedDaysMax; tries++, day = addDays(day, 1))
    if (isBankingDay(calendar, day)) return day;
  throw new Error(`calendar ${calendar}: no banking day within ${closedDaysMax} days of ${date}`);
}

function placeHoliday(rule: HolidayRule, year: number): string {
  if ('easterPlus' in rule) return addDays(easterOf(year), rule.easterPlus);
  if ('day' in rule) return dateOf(year, rule.month, rule.day);
  const first = dateOf(year, rule.month, 1);
  const firstMatch = addDays(first, (rule.weekday - weekdayOf(first) + 7) % 7);
  if (rule.nth > 0) return addDays(firstMatch, (rule.nth - 1) * 7);
  const fifth = addDays(firstMatch, 28);
  return fifth.slice(0, 7) === first.slice(0, 7) ? fifth : addDays(firstMatch, 21);
}

function moveHoliday(date: string, rule: 'sunday' | 'always' | undefined): string {
  const weekday = weekdayOf(date);
  if (rule === undefined || weekday === monday || (rule === 'sunday' && weekday !== 0)) return date;
  return addDays(date, (8 - weekday) % 7);
}

/** Easter Sunday of the Gregorian calendar (the method of Meeus, Jones and Butcher). */
function easterOf(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const total = h + l - 7 * m + 114;
  return dateOf(year, Math.floor(total / 31), (total % 31) + 1);
}

function dateOf(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** 0 is Sunday. */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

function offsetMs(calendar: CalendarName, atMs: number): number {
  const { date, time } = localTimeOf(calendar, new Date(atMs));
  return Date.parse(`${date}T${time}:00Z`) - Math.floor(atMs / 60_000) * 60_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formatters.set(zone, made);
  return made;
}
