import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import {
  parseUserLocator,
  parseWalletLocator,
  type UserLocator,
} from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import { createSealer, type SealContext, type Sealer } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { hashForProject } from '../../providers/custody/project-secret.ts';
import type { Db } from '../../store/types.ts';
import type { AnsweredCall, StoredAnswers } from './idempotency.ts';

type AnswersCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>;

/**
 * So many people of one call are kept for erasure; a call that names more is a list, which no call
 * with a key answers.
 */
const personsMax = 100;
const emailPattern = /^[^\s@:]+@[^\s@:]+$/;
const phonePattern = /^\+[1-9]\d{6,14}$/;

/**
 * How the main side keeps the answers of calls with an idempotency key. An answer is sealed under
 * the project's secret and the header's value, which only the caller has: neither a database nor a
 * backup of it with all our keys shows one. Beside it lie keyed hashes of the people whom the call
 * or its answer names, by which erasing one of them finds it.
 */
export function createSealedAnswers(ctx: AnswersCtx): StoredAnswers {
  const sealerOf = async ({ projectId, scope, key }: AnsweredCall): Promise<Sealer> => {
    const sealing = await hashForProject(ctx, {
      projectId,
      purpose: 'stored-answer',
      parts: [scope, key],
    });
    return createSealer([{ id: 'answer', key: new Secret<Uint8Array>(sealing) }]);
  };
  const seal: StoredAnswers['seal'] = async (body, call) =>
    (await sealerOf(call)).seal(Buffer.from(body), contextOf(call)).toString('base64');
  return {
    // Keyed: whoever has the database could else try all cards and codes against the hash of a body
    // that held one.
    hashBody: async (text, { projectId }) =>
      (await hashForProject(ctx, { projectId, purpose: 'request-body', parts: [text] })).toString(
        'hex',
      ),
    seal,
    sealCompleted: seal,
    open: async (stored, call) =>
      (await sealerOf(call)).open(Buffer.from(stored, 'base64'), contextOf(call)).toString('utf8'),
    async personsIn(call, body) {
      const persons = [
        ...personsOf([
          call.userLocator,
          ...call.path.split('/').map(decodeURIComponent),
          call.body,
          body === '' ? undefined : JSON.parse(body),
        ]),
      ];
      return Promise.all(
        persons.slice(0, personsMax).map((locator) => hashPerson(ctx, call.projectId, locator)),
      );
    },
  };
}

/**
 * Forgets the answers of all calls that name one of these people, as user, owner, recipient or
 * otherwise: a repeat of such a call is then refused, and does nothing. @returns how many were
 * forgotten
 */
export async function eraseAnswers(
  ctx: AnswersCtx,
  db: Db,
  { projectId, locators }: { readonly projectId: string; readonly locators: readonly string[] },
): Promise<number> {
  const hashes = await Promise.all(
    [...personsOf([...locators])].map((locator) => hashPerson(ctx, projectId, locator)),
  );
  const { rowCount } = await db.query({
    text: `update idempotency_keys set body = null, persons = null
      where project_id = $1 and status is not null and persons && $2::bytea[]`,
    values: [projectId, hashes],
  });
  return rowCount;
}

/** @throws user-not-found: the answer was forgotten with a person */
export function refuseErased(): never {
  throw new ServiceError('user-not-found', {
    message: 'A user whom this call names was erased, and its answer with them.',
  });
}

function hashPerson(ctx: AnswersCtx, projectId: string, locator: string): Promise<Buffer> {
  return hashForProject(ctx, { projectId, purpose: 'person-of-answer', parts: [locator] });
}

function contextOf({ projectId, scope }: AnsweredCall): SealContext {
  return { purpose: 'stored-answer', projectId, id: scope, version: 1 };
}

/**
 * Every user locator, user of a wallet locator, e-mail address and phone number in these values,
 * each in one spelling.
 */
function personsOf(values: readonly unknown[]): Set<string> {
  const persons = new Set<string>();
  const below: unknown[] = [...values];
  while (below.length > 0) {
    const value = below.pop();
    if (typeof value === 'string') for (const person of personOf(value)) persons.add(person);
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) below.push(item);
  }
  return persons;
}

function personOf(text: string): readonly string[] {
  if (text.length > 512) return [];
  if (emailPattern.test(text)) return locatorIn(`email:${text}`);
  if (phonePattern.test(text)) return locatorIn(`phoneNumber:${text}`);
  return /^(?:email|userId|phoneNumber|twitter|x):/.test(text) ? locatorIn(text) : [];
}

/** As user and as user of a wallet: an id may end like a wallet locator. */
function locatorIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const read of [() => ownerIn(text), () => parseUserLocator(text)])
    try {
      const user = read();
      if (user) found.push(locatorKeyOf(user));
    } catch {
      // What cannot be read names nobody.
    }
  return found;
}

function ownerIn(text: string): UserLocator | undefined {
  const wallet = parseWalletLocator(text);
  return wallet.by === 'user' ? wallet.user : undefined;
}
