import type { RequestCtx } from '../../context.ts';
import { hashForProject } from '../../providers/custody/project-secret.ts';
import type { Identity } from '../wallets/index.ts';
import type { CodeRecord } from './store.ts';

type Bound = Pick<CodeRecord, 'id' | 'projectId' | 'walletId' | 'identityHash' | 'deviceKey'>;

/** Stands for an e-mail address or a number of one project, without saying which. */
export function hashIdentity(ctx: RequestCtx, identity: Identity): Promise<Buffer> {
  return hashForProject(ctx, {
    projectId: ctx.caller.projectId,
    purpose: 'signer-identity',
    parts: [identity.type, identity.value],
  });
}

/**
 * A million codes are tried in a second, so the hash is keyed; it is bound to its row, so that it
 * opens no other.
 */
export function hashCode(
  ctx: RequestCtx,
  row: Bound & Pick<CodeRecord, 'expiresAt'>,
  code: string,
): Promise<Buffer> {
  return hashForProject(ctx, {
    projectId: row.projectId,
    purpose: 'signer-code',
    parts: [...boundParts(row, row.expiresAt), code],
  });
}

/** Who can write to the table must not be able to open a session for a device of his own. */
export function proveSession(ctx: RequestCtx, row: Bound, sessionExpiresAt: Date): Promise<Buffer> {
  return hashForProject(ctx, {
    projectId: row.projectId,
    purpose: 'signer-session',
    parts: boundParts(row, sessionExpiresAt),
  });
}

function boundParts(row: Bound, at: Date): string[] {
  return [
    row.id,
    row.walletId,
    row.identityHash.toString('hex'),
    row.deviceKey.toString('hex'),
    at.toISOString(),
  ];
}
