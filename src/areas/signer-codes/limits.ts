import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { countHere, uncountHere } from '../../store/remembered.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import type { Db } from '../../store/types.ts';

/** So many in a window; the window begins with its first use. */
export interface Limit {
  readonly scope: string;
  readonly max: number;
  readonly windowMs: number;
  /** What there were too many of, as in "Too many … ". */
  readonly of: string;
}

const hourMs = 3_600_000;
export const codesPerSignerHourMax = 5;
export const codesPerWalletHourMax = 20;
/** Guesses at all codes of a signer together: 50 of a million codes are a chance of 1 in 20,000. */
export const triesPerSignerDayMax = 50;

/** What sending one code uses up. */
export function sendingLimits(
  ctx: Pick<Ctx, 'config'>,
  input: { readonly projectId: string; readonly walletId: string; readonly identityHash: Buffer },
): readonly Limit[] {
  const identity = input.identityHash.toString('hex');
  return [
    {
      scope: `codes:signer:${identity}`,
      max: codesPerSignerHourMax,
      windowMs: hourMs,
      of: 'codes for this signer',
    },
    {
      scope: `codes:wallet:${input.walletId}`,
      max: codesPerWalletHourMax,
      windowMs: hourMs,
      of: 'codes for this wallet',
    },
    {
      scope: `codes:project:${input.projectId}`,
      max: ctx.config.signerCodesPerHourMax,
      windowMs: hourMs,
      of: 'codes of this project',
    },
  ];
}

/** What one guess uses up. */
export function guessLimit(identityHash: Buffer): Limit {
  return {
    scope: `tries:signer:${identityHash.toString('hex')}`,
    max: triesPerSignerDayMax,
    windowMs: 24 * hourMs,
    of: 'guesses at codes of this signer',
  };
}

/** Takes one of each limit. In a transaction, so that a refusal takes none. @throws rate-limited */
export async function claimLimits(db: Db, limits: readonly Limit[], now: Date): Promise<void> {
  for (const limit of limits)
    if (!(await takeOne(db, limit, now))) throw await tooMany(db, limit, now);
}

/**
 * Counts in this process what was claimed and committed. Windows that begin with their first use
 * let twice as much through, at most, in a stretch as long as one: more than that was claimed after
 * somebody set the counter back.
 * @throws internal-error, after an alarm
 */
export function requireCounted(db: Db, limits: readonly Limit[], now: Date): void {
  for (const { scope, max, windowMs } of limits) {
    const until = new Date(now.getTime() + windowMs);
    if (countHere(db, { key: `signer-codes:${scope}`, now, until }) > BigInt(2 * max))
      throw rowMacsOf(db).refuse(
        { table: 'signer_code_counters', id: scope },
        'this process alone has counted more than twice what it allows: it was set back',
      );
  }
}

/** Gives back what was taken for something that did not happen. */
export async function returnLimits(db: Db, limits: readonly Limit[]): Promise<void> {
  for (const { scope } of limits) uncountHere(db, { key: `signer-codes:${scope}` });
  await db.query({
    name: 'signer-code-counters-return',
    text: 'update signer_code_counters set taken = greatest(0, taken - 1) where scope = any($1::text[])',
    values: [limits.map(({ scope }) => scope)],
  });
}

async function takeOne(db: Db, { scope, max, windowMs }: Limit, now: Date): Promise<boolean> {
  // A window that seems to begin later than now was opened before the clock was turned back.
  const isOver = 'c.window_start <= $3 or c.window_start > $2';
  const { rowCount } = await db.query({
    name: 'signer-code-counters-take',
    text: `insert into signer_code_counters as c (scope, window_start, taken) values ($1, $2, 1)
      on conflict (scope) do update set
        window_start = case when ${isOver} then excluded.window_start else c.window_start end,
        taken = case when ${isOver} then 1 else c.taken + 1 end
      where ${isOver} or c.taken < $4`,
    values: [scope, now, new Date(now.getTime() - windowMs), max],
  });
  return rowCount === 1;
}

async function tooMany(db: Db, limit: Limit, now: Date): Promise<ServiceError> {
  const { rows } = await db.query<{ window_start: Date }>({
    text: 'select window_start from signer_code_counters where scope = $1',
    values: [limit.scope],
  });
  const leftMs = (rows[0]?.window_start ?? now).getTime() + limit.windowMs - now.getTime();
  const seconds = Math.max(1, Math.ceil(leftMs / 1_000));
  return new ServiceError('rate-limited', {
    message: `Too many ${limit.of}: at most ${limit.max} in ${limit.windowMs / hourMs} h. Retry in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  });
}
