import { createHash } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { SealError } from '../../../lib/sealing/seal.ts';
import type { StepEvidence } from '../../../runner/types.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { openUserKey, selectUserById } from '../../users/index.ts';
import type { CheckoutRecord } from '../types.ts';

/**
 * Pictures show names and addresses: they are sealed with the key of the user whose checkout it is,
 * each for its own line of the step log, and can be opened by nobody once that key is gone.
 */

/** Where a picture belongs, and what opens it. */
interface PictureRow {
  readonly nr: number;
  readonly picture: Buffer;
  readonly checkoutId: string;
  readonly projectId: string;
  readonly userId: string;
  readonly sealedKey: Buffer;
}
type KeyCtx = Pick<Ctx, 'config'>;

const rowColumns = `s.nr, s.picture, s.checkout_id as "checkoutId", c.project_id as "projectId", c.user_id as "userId", u.sealed_key as "sealedKey"
  from agent_checkout_steps s join agent_checkouts c on c.id = s.checkout_id join users u on u.id = c.user_id`;

const contextOf = ({
  projectId,
  checkoutId,
  nr,
}: Pick<PictureRow, 'projectId' | 'checkoutId' | 'nr'>) => ({
  purpose: 'agent-checkout-picture',
  projectId,
  id: checkoutId,
  version: nr,
});

/**
 * Appends a JPEG to the step log of a locked checkout. One that is there already, sent again
 * because an answer was lost, is there once.
 */
export async function insertPicture(
  ctx: KeyCtx,
  tx: Tx,
  record: Pick<CheckoutRecord, 'id' | 'projectId' | 'userId'>,
  { evidence, jpeg }: { readonly evidence: StepEvidence; readonly jpeg: Buffer },
): Promise<void> {
  const { id: checkoutId, projectId, userId } = record;
  const same = await tx.query<PictureRow>({
    name: 'agent-steps-same-picture',
    text: `select ${rowColumns}
           where s.checkout_id = $1 and s.step = $2 and s.at = $3 and s.evidence = $4::jsonb and s.picture is not null limit 100`,
    values: [checkoutId, evidence.step, evidence.at, JSON.stringify(evidence)],
  });
  if (same.rows.some((row) => openPicture(ctx, row)?.equals(jpeg))) return;
  const last = await tx.query<{ nr: number }>({
    name: 'agent-steps-last-nr',
    text: 'select coalesce(max(nr), 0) as nr from agent_checkout_steps where checkout_id = $1',
    values: [checkoutId],
  });
  const nr = last.rows[0]!.nr + 1;
  const { sealedKey } = (await selectUserById(tx, userId))!;
  const sealed = openUserKey(ctx, { id: userId, projectId, sealedKey }).seal(
    jpeg,
    contextOf({ projectId, checkoutId, nr }),
  );
  await tx.query({
    name: 'agent-steps-insert-picture',
    text: 'insert into agent_checkout_steps (checkout_id, nr, step, evidence, picture, at) values ($1, $2, $3, $4::jsonb, $5, $6)',
    values: [checkoutId, nr, evidence.step, JSON.stringify(evidence), sealed, evidence.at],
  });
}

/** The JPEG of a line of the step log; undefined where there is none (any more). */
export async function readStepPicture(
  ctx: Pick<Ctx, 'config' | 'store'>,
  key: { readonly checkoutId: string; readonly nr: number },
): Promise<Buffer | undefined> {
  const { rows } = await ctx.store.query<PictureRow>({
    name: 'agent-steps-picture',
    text: `select ${rowColumns} where s.checkout_id = $1 and s.nr = $2 and s.picture is not null`,
    values: [key.checkoutId, key.nr],
  });
  return rows[0] && openPicture(ctx, rows[0]);
}

/**
 * SHA-256 (hex) of the step log's last JPEG: who keeps the picture can show that it is the one of
 * the purchase.
 */
export async function hashLastPicture(
  ctx: KeyCtx,
  db: Db,
  checkoutId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<PictureRow>({
    name: 'agent-steps-last-picture',
    text: `select ${rowColumns} where s.checkout_id = $1 and s.picture is not null order by s.nr desc limit 1`,
    values: [checkoutId],
  });
  const jpeg = rows[0] && openPicture(ctx, rows[0]);
  return jpeg && createHash('sha256').update(jpeg).digest('hex');
}

function openPicture(ctx: KeyCtx, row: PictureRow): Buffer | undefined {
  const { userId: id, projectId, sealedKey } = row;
  try {
    return openUserKey(ctx, { id, projectId, sealedKey }).open(row.picture, contextOf(row));
  } catch (error) {
    // From before pictures were sealed: of no use, and no reason for a purchase to have no receipt.
    if (error instanceof SealError && error.reason === 'malformed') return undefined;
    throw error;
  }
}
