import { createHash } from 'node:crypto';
import type { Caller, Ctx } from '../../context.ts';
import { machineClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatUserLocator } from '../../lib/locator/locator.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { Answer } from '../routes/route.ts';
import { createSealedAnswers, refuseErased } from './sealed-answers.ts';

/**
 * What a handler gets of a POST with an idempotency key: the means to make the repeat of a crashed
 * call harmless.
 */
export interface Idempotency {
  /**
   * SHA-256 (hex) over end user, method, path and the header's value: unique within the project.
   */
  readonly scope: string;
  /** Keyed hash (hex) of the body, whatever its spacing and order of fields. */
  readonly bodyHash: string;
  /**
   * Id for the object that the call creates. A call that takes over from a crashed one gets the
   * same.
   */
  readonly objectId: string;
  /**
   * Stores the answer in the handler's own transaction, so that the change and its answer are
   * durable together. Without it the server stores the answer after the handler has ended.
   * @throws conflict when the call took so long that another one has taken it over
   */
  complete(tx: Tx, answer: Answer): Promise<void>;
}

/** The key is used already: this is the answer to give. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

export interface IdempotentCall extends Idempotency {
  /** Ends the claim: stores the answer, or frees the key where the answer may differ next time. */
  settle(answer: StoredAnswer): Promise<void>;
}

export interface IdempotencyInput {
  readonly caller: Caller;
  readonly method: string;
  /** The path with its parameters decoded, so that two spellings of it are one. */
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
}

type IdempotencyCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>;

/** The call that an answer belongs to. */
export interface AnsweredCall {
  readonly projectId: string;
  readonly scope: string;
  /** The header's value. */
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
  /** Of the end user who calls. */
  readonly userLocator: string | undefined;
}

/** How answers and request hashes are kept, so that neither lies readable in the database. */
export interface StoredAnswers {
  /** Hash (64 hexadecimal digits) of a request body, under a key that is not in the database. */
  hashBody(text: string, call: Pick<AnsweredCall, 'projectId'>): string | Promise<string>;
  /** The body of an answer that the handler did not store itself by `complete`. */
  seal(body: string, call: AnsweredCall): string | Promise<string>;
  /** The body that the handler gave to `complete`. */
  sealCompleted(body: string, call: AnsweredCall): string | Promise<string>;
  /** What was stored as it is to be answered. */
  open(stored: string, call: AnsweredCall): Promise<string>;
  /**
   * Keyed hashes of the people whom the call and its answer name, where erasing one of them has to
   * find it.
   */
  personsIn?(call: AnsweredCall, body: string): Promise<readonly Buffer[]>;
}

const keptMs = 30 * 24 * 60 * 60 * 1_000;
/**
 * Longer than any handler runs. After it a repeat takes a call over whose process must have died.
 */
export const idempotencyLeaseMs = 60_000;
const notStored = new Set([401, 403, 429]);
const readAttemptsMax = 3;
const pruneBatchSize = 1_000;
const pruneBatchesMax = 50;

/** @throws validation-error when the header is not 1 to 255 printable ASCII characters */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(header))
    throw new ServiceError('validation-error', {
      message: 'The header x-idempotency-key has 1 to 255 printable ASCII characters.',
    });
  return header;
}

/**
 * Claims an idempotency key for this call, in one statement, or gives the stored answer of the
 * first call.
 * @throws idempotency-key-in-progress, idempotency-key-reused
 */
export async function claimIdempotencyKey(
  ctx: IdempotencyCtx,
  input: IdempotencyInput,
  answers: StoredAnswers = createSealedAnswers(ctx),
): Promise<IdempotentCall | StoredAnswer> {
  const { path, key, body, caller } = input;
  const { projectId } = caller;
  const scope = scopeOf(input);
  const userLocator = caller.user && formatUserLocator(caller.user);
  const answered: AnsweredCall = { projectId, scope, key, path, body, userLocator };
  const identity = {
    scope,
    projectId,
    bodyHash: await answers.hashBody(JSON.stringify(sortFields(body)) ?? '', answered),
  };
  const claim = ctx.ids.randomUuid();
  const row = await claimRow(ctx, { ...identity, claim, objectId: ctx.ids.uuid() });
  if (row.claim === claim)
    return createCall(ctx, { ...identity, claim, objectId: row.object_id }, { answers, answered });
  if (row.body_hash.toString('hex') !== identity.bodyHash)
    throw new ServiceError('idempotency-key-reused');
  if (row.status === null)
    throw new ServiceError('idempotency-key-in-progress', { headers: { 'retry-after': '1' } });
  if (row.body === null) return refuseErased();
  return {
    status: row.status,
    body: row.body === '' ? '' : await answers.open(row.body, answered),
  };
}

/** Deletes what is past its 30 days: at most 50,000 rows, in small batches. */
export async function pruneIdempotencyKeys(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < pruneBatchesMax; batch++) {
    const { rowCount } = await ctx.store.query({
      text: `delete from idempotency_keys where (project_id, scope) in
             (select project_id, scope from idempotency_keys where expires_at < $1 order by expires_at limit ${pruneBatchSize})`,
      values: [ctx.clock.now()],
    });
    deleted += rowCount;
    if (rowCount < pruneBatchSize) break;
  }
  return deleted;
}

function scopeOf({ caller, method, path, key }: IdempotencyInput): string {
  const user = caller.user ? [caller.user.kind, caller.user.value] : null;
  return sha256(JSON.stringify([user, method, path, key]));
}

interface ClaimedRow {
  claim: string;
  object_id: string;
  body_hash: Buffer;
  status: number | null;
  body: string | null;
}

interface ClaimInput {
  readonly projectId: string;
  readonly scope: string;
  readonly bodyHash: string;
  readonly claim: string;
  readonly objectId: string;
}

/**
 * Ours when `claim` comes back; else the row of another call. A crashed call's id survives, an
 * expired row's does not.
 */
async function claimRow(ctx: IdempotencyCtx, input: ClaimInput): Promise<ClaimedRow> {
  for (let attempt = 1; attempt <= readAttemptsMax; attempt++) {
    const now = ctx.clock.now().getTime();
    // A call that is under way stays so, however much time is made to pass meanwhile.
    const machineNow = machineClock(ctx.clock).now().getTime();
    const { rows } = await ctx.store.query<ClaimedRow>({
      name: 'idempotency-claim',
      text: `with claimed as (
          insert into idempotency_keys as kept (project_id, scope, body_hash, object_id, claim, lease_until, expires_at)
          values ($1, $2, $3, $4, $5, $7, $8)
          on conflict (project_id, scope) do update set
            body_hash = excluded.body_hash, claim = excluded.claim, lease_until = excluded.lease_until, expires_at = excluded.expires_at,
            object_id = case when kept.expires_at <= $6 then excluded.object_id else kept.object_id end, status = null, body = null
          where (kept.expires_at <= $6 and (kept.status is not null or kept.lease_until <= $9))
             or (kept.status is null and kept.lease_until <= $9 and kept.body_hash = excluded.body_hash)
          returning claim, object_id, body_hash, status, body
        )
        select * from claimed
        union all
        select claim, object_id, body_hash, status, body from idempotency_keys
        where project_id = $1 and scope = $2 and not exists (select 1 from claimed)`,
      values: [
        input.projectId,
        Buffer.from(input.scope, 'hex'),
        Buffer.from(input.bodyHash, 'hex'),
        input.objectId,
        input.claim,
        new Date(now),
        new Date(machineNow + idempotencyLeaseMs),
        new Date(now + keptMs),
        new Date(machineNow),
      ],
    });
    // None: the other call's row was committed after this statement's snapshot, or deleted in
    // between. Look again.
    if (rows[0]) return rows[0];
  }
  throw new ServiceError('idempotency-key-in-progress', { headers: { 'retry-after': '1' } });
}

function createCall(
  ctx: IdempotencyCtx,
  call: ClaimInput,
  { answers, answered }: { readonly answers: StoredAnswers; readonly answered: AnsweredCall },
): IdempotentCall {
  let isCompleted = false;
  const store = async (
    db: Db,
    how: 'seal' | 'sealCompleted',
    { status, body }: StoredAnswer,
  ): Promise<boolean> => {
    const sealed = body === '' ? '' : await answers[how](body, answered);
    return storeAnswer(db, call, {
      status,
      body: sealed,
      persons: await answers.personsIn?.(answered, body),
    });
  };
  return {
    scope: call.scope,
    bodyHash: call.bodyHash,
    objectId: call.objectId,
    async complete(tx, answer) {
      const isStored = await store(tx, 'sealCompleted', {
        status: answer.status,
        body: JSON.stringify(answer.body) ?? '',
      });
      if (!isStored)
        throw new ServiceError('conflict', {
          message:
            'The call took too long and was taken over by a repeat of it: repeat it once more with the same idempotency key.',
        });
      tx.afterCommit(() => {
        isCompleted = true;
      });
    },
    async settle(answer) {
      if (isCompleted) return;
      if (answer.status >= 500 || notStored.has(answer.status)) await releaseClaim(ctx.store, call);
      else await store(ctx.store, 'seal', answer);
    },
  };
}

/** False when another call has taken the claim over. */
async function storeAnswer(
  db: Db,
  call: ClaimInput,
  answer: StoredAnswer & { readonly persons?: readonly Buffer[] },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'idempotency-store',
    text: `update idempotency_keys set status = $4, body = $5, persons = $6
      where project_id = $1 and scope = $2 and claim = $3 and status is null`,
    values: [
      call.projectId,
      Buffer.from(call.scope, 'hex'),
      call.claim,
      answer.status,
      answer.body,
      answer.persons?.length ? answer.persons : null,
    ],
  });
  return rowCount > 0;
}

/**
 * The row stays for the id of the object that a failed call may have begun; its lease is over, so a
 * repeat takes it over.
 */
async function releaseClaim(db: Db, call: ClaimInput): Promise<void> {
  await db.query({
    name: 'idempotency-release',
    text: 'update idempotency_keys set lease_until = to_timestamp(0) where project_id = $1 and scope = $2 and claim = $3 and status is null',
    values: [call.projectId, Buffer.from(call.scope, 'hex'), call.claim],
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The same value with the fields of each object in one order. Depth is bounded by the body parser.
 */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sortFields(field)]),
  );
}
