import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { StoredAnswers } from '../../http/answers/idempotency.ts';
import { ServiceError } from '../../lib/errors.ts';
import { decrypt, encrypt } from '../keys/aead.ts';
import { openRecord, sealRecord } from '../keys/sealed-record.ts';
import {
  readUserKey,
  type UserKey,
  type UserKeyColumns,
  userKeyColumns,
} from '../keys/user-keys.ts';
import type { Vault, VaultCtx } from '../vault.ts';

/**
 * The answers that are kept for repeats of a call. Those that show a person's account are sealed
 * with that person's key, so they end with it; refusals are sealed with a key of the vault, since a
 * caller may have put a number anywhere.
 */
const personalSchema = z.object({
  projectId: z.string(),
  userKeyId: z.string(),
  sealed: z.string(),
});
const type = 'stored-answer';
const associated = Buffer.from('purser-vault-answer-1');

/** The body to give to `idempotency.complete` in place of the real one. */
export function sealAnswerOf(
  ctx: VaultCtx,
  key: UserKey,
  body: unknown,
): Promise<z.output<typeof personalSchema>> {
  return ctx.vault.userKeys.use(key, (dataKey) => ({
    projectId: key.projectId,
    userKeyId: key.id,
    sealed: sealRecord(dataKey, body, contextOf(key)).toString('base64'),
  }));
}

/** How the HTTP server of the vault keeps answers and request hashes. */
export function createStoredAnswers(ctx: Pick<Ctx, 'store'>, vault: Vault): StoredAnswers {
  const answersKey = vault.keys.answers;
  return {
    hashBody: (text) =>
      withBytesOf(text, (bytes) =>
        createHmac('sha256', vault.keys.lookup.reveal())
          .update('request-body')
          .update(bytes)
          .digest('hex'),
      ),
    seal: (body) =>
      withBytesOf(
        body,
        (bytes) => `sealed:${encrypt(answersKey.reveal(), bytes, associated).toString('base64')}`,
      ),
    // What `complete` gets of a handler here is sealed with the user's key already.
    sealCompleted: (body) => body,
    async open(text) {
      if (text.startsWith('sealed:'))
        return decrypt(
          answersKey.reveal(),
          Buffer.from(text.slice(7), 'base64'),
          associated,
        ).toString('utf8');
      const stored = personalSchema.parse(JSON.parse(text));
      const { rows } = await ctx.store.query<UserKeyColumns>({
        name: 'user-key-of-answer',
        text: `select ${userKeyColumns} from user_keys k where k.id = $1 and k.project_id = $2 and k.destroyed_at is null`,
        values: [stored.userKeyId, stored.projectId],
      });
      if (!rows[0])
        throw new ServiceError('payment-method-not-found', {
          message: 'The user of this call was erased, and its answer with them.',
        });
      const key = readUserKey(rows[0]);
      return vault.userKeys.use(key, (dataKey) =>
        JSON.stringify(openRecord(dataKey, Buffer.from(stored.sealed, 'base64'), contextOf(key))),
      );
    },
  };
}

/** Bytes of a text that may hold a number, overwritten after use. */
function withBytesOf<Result>(text: string, use: (bytes: Buffer) => Result): Result {
  const bytes = Buffer.from(text);
  try {
    return use(bytes);
  } finally {
    bytes.fill(0);
  }
}

function contextOf(key: UserKey) {
  return { tenant: key.projectId, type, id: key.id, version: 1, part: 'answer' };
}
