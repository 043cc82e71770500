import type { Caller, Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { isOriginPattern } from './allow-lists.ts';
import { formatKey, hashSecret } from './key-format.ts';
import { isScopeOf, scopesOf } from './scopes.ts';
import { type ApiKey, endKey, findKey, insertKey, listKeyRows, selectKeyProject } from './store.ts';

export type KeysCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>;

export interface IssueKeyInput {
  readonly projectId: string;
  readonly kind: Caller['keyKind'];
  readonly name?: string;
  /** Every scope of the kind when absent, except in production, where they are named. */
  readonly scopes?: readonly string[];
  /**
   * Exact origins, `https://*.example.com`, or `*`. When absent: any in development, none
   * elsewhere.
   */
  readonly allowedOrigins?: readonly string[];
  readonly allowedAppIds?: readonly string[];
  readonly allowedExtensionIds?: readonly string[];
}

/** A new key. `key` is the only time it is seen in full. */
export interface IssuedKey extends ApiKey {
  readonly key: string;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hintLength = 6;
const secretLength = 32;
const nameLengthMax = 120;
const listEntriesMax = 100;
const entryLengthMax = 253;
const keysShownMax = 1_000;
/** Longest time that a rotated key goes on working: 30 days. */
const overlapMsMax = 30 * 24 * 60 * 60 * 1_000;

/**
 * Makes a key of a project and keeps the hash of its secret part.
 * @throws validation-error unknown project, scope not for this kind, no scopes in production, bad
 * allow list
 */
export async function issueKey(ctx: KeysCtx, input: IssueKeyInput): Promise<IssuedKey> {
  const made = makeKey(ctx, input);
  await requireProject(ctx, input.projectId);
  await insertKey(ctx.store, made.record, made.secretHash);
  return { ...made.record, key: made.key };
}

/**
 * From where browsers use the client keys of a project that are in force: origins, patterns, or
 * `*`.
 */
export async function listClientOrigins(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  projectId: string,
): Promise<readonly string[]> {
  const { rows } = await ctx.store.query<{ origin: string }>({
    name: 'api-keys-client-origins',
    text: `select distinct unnest(allowed_origins) as origin from api_keys
           where project_id = $1 and kind = 'client' and (revoked_at is null or revoked_at > $2) order by origin limit $3`,
    values: [projectId, ctx.clock.now(), listEntriesMax],
  });
  return rows.map(({ origin }) => origin);
}

/** The newest 1,000 keys of a project, revoked ones included. */
export function listKeys(ctx: KeysCtx, input: { readonly projectId: string }): Promise<ApiKey[]> {
  return listKeyRows(ctx.store, { projectId: input.projectId, limit: keysShownMax });
}

/**
 * Ends a key now. Processes that have it cached follow within {@link keyCacheMs}. Revoking twice is
 * no error.
 * @param onEnded in the transaction that ends it, as its last statement
 * @throws validation-error no such key, or none of the project that is named
 */
export async function revokeKey(
  ctx: Pick<KeysCtx, 'store' | 'clock'>,
  input: { readonly id: string; readonly projectId?: string },
  onEnded?: (tx: Tx, before: ApiKey) => Promise<void>,
): Promise<ApiKey> {
  return ctx.store.transaction(async (tx) => {
    const ended = uuidPattern.test(input.id)
      ? await endKey(tx, { id: input.id, at: ctx.clock.now() })
      : undefined;
    if (!ended || (input.projectId !== undefined && ended.before.projectId !== input.projectId))
      throw refuse(`There is no key ${input.id}.`);
    await onEnded?.(tx, ended.before);
    return ended.after;
  });
}

/** Whose key it is. @throws validation-error no such key */
export async function projectOfKey(ctx: Pick<KeysCtx, 'store'>, id: string): Promise<string> {
  const projectId = uuidPattern.test(id) ? await selectKeyProject(ctx.store, id) : undefined;
  if (projectId === undefined) throw refuse(`There is no key ${id}.`);
  return projectId;
}

/**
 * Makes a key with the same settings and ends the old one after `overlapMs`, so that callers can
 * move over in between.
 * @throws validation-error no such key, revoked already, overlap over 30 days
 */
export async function rotateKey(
  ctx: KeysCtx,
  input: { readonly id: string; readonly overlapMs: number },
): Promise<IssuedKey> {
  if (
    !Number.isSafeInteger(input.overlapMs) ||
    input.overlapMs < 0 ||
    input.overlapMs > overlapMsMax
  )
    throw refuse('The overlap is between 0 and 30 days.');
  return ctx.store.transaction(async (tx) => {
    const old = await requireKey(tx, input.id, { lock: true });
    if (old.revokedAt)
      throw refuse(`The key ${old.id} is revoked or rotated already: create a new key.`);
    const made = makeKey(ctx, { ...old, rotatedFrom: old.id });
    await insertKey(tx, made.record, made.secretHash);
    await endKey(tx, { id: old.id, at: new Date(ctx.clock.now().getTime() + input.overlapMs) });
    return { ...made.record, key: made.key };
  });
}

function makeKey(
  ctx: KeysCtx,
  input: IssueKeyInput & { readonly rotatedFrom?: string },
): { record: ApiKey; secretHash: Buffer; key: string } {
  const { environment, keySigning } = ctx.config;
  if (!keySigning.privateKeySeed)
    throw refuse(
      'This process cannot issue keys: set KEY_SIGNING_SEED (or KEY_SIGNING_SEED_FILE) where keys are issued.',
    );
  const openLists = environment === 'development' ? ['*'] : [];
  const secret = randomText(ctx, secretLength);
  const key = formatKey(
    { kind: input.kind, environment, projectId: input.projectId, secret },
    keySigning.privateKeySeed.reveal(),
  );
  const record: ApiKey = {
    id: ctx.ids.uuid(),
    projectId: input.projectId,
    kind: input.kind,
    name: readName(input),
    hint: key.slice(-hintLength),
    scopes: readScopes(environment, input),
    allowedOrigins: readOrigins(input.allowedOrigins ?? openLists),
    allowedAppIds: readList('application identifiers', input.allowedAppIds ?? openLists),
    allowedExtensionIds: readList('extension ids', input.allowedExtensionIds ?? openLists),
    createdAt: ctx.clock.now(),
    rotatedFrom: input.rotatedFrom,
  };
  return { record, secretHash: hashSecret(secret), key };
}

function readName(input: IssueKeyInput): string {
  const name = input.name ?? `${input.kind} key`;
  if (name.length === 0 || name.length > nameLengthMax || /\p{C}/u.test(name))
    throw refuse(`The name of a key has 1 to ${nameLengthMax} printable characters.`);
  return name;
}

function readScopes(environment: string, input: IssueKeyInput): readonly string[] {
  if (!input.scopes && environment === 'production')
    throw refuse(
      'Name the scopes of a production key: only development and staging keys carry all scopes by default.',
    );
  const scopes = [...new Set(input.scopes ?? scopesOf(input.kind))];
  const wrong = scopes.filter((scope) => !isScopeOf(input.kind, scope));
  if (wrong.length > 0)
    throw refuse(
      `A ${input.kind} key cannot carry ${wrong.join(', ')}. It may carry: ${scopesOf(input.kind).join(', ')}.`,
    );
  if (scopes.length === 0) throw refuse('A key needs at least one scope.');
  return scopes;
}

function readOrigins(origins: readonly string[]): readonly string[] {
  const read = readList(
    'origins',
    origins.map((origin) => origin.toLowerCase()),
  );
  const wrong = read.find((origin) => !isOriginPattern(origin));
  if (wrong !== undefined)
    throw refuse(
      `"${wrong}" is no origin: write scheme, host and port only, as in https://shop.example or https://*.shop.example.`,
    );
  return read;
}

function readList(what: string, entries: readonly string[]): readonly string[] {
  const unique = [...new Set(entries)];
  if (unique.length > listEntriesMax)
    throw refuse(`A key allows at most ${listEntriesMax} ${what}.`);
  if (unique.some((entry) => !/^[\x21-\x7e]+$/.test(entry) || entry.length > entryLengthMax))
    throw refuse(
      `The ${what} are printable ASCII without spaces, at most ${entryLengthMax} characters each.`,
    );
  return unique;
}

/**
 * Letters and digits, each equally likely: bytes beyond the last whole multiple of 62 are drawn
 * again.
 */
function randomText(ctx: KeysCtx, length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let text = '';
  while (text.length < length) {
    for (const byte of ctx.ids.bytes(length))
      if (byte < 248 && text.length < length) text += letters[byte % 62];
  }
  return text;
}

async function requireProject(ctx: KeysCtx, projectId: string): Promise<void> {
  const isThere =
    uuidPattern.test(projectId) &&
    (await ctx.store.query({ text: 'select 1 from projects where id = $1', values: [projectId] }))
      .rowCount > 0;
  if (!isThere) throw refuse(`There is no project ${projectId}.`);
}

async function requireKey(
  db: Parameters<typeof findKey>[0],
  id: string,
  options = { lock: false },
): Promise<ApiKey> {
  const key = uuidPattern.test(id) ? await findKey(db, { id, ...options }) : undefined;
  if (!key) throw refuse(`There is no key ${id}.`);
  return key;
}

function refuse(message: string): ServiceError {
  return new ServiceError('validation-error', { message });
}
