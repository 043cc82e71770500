import type { Ctx } from '../../../context.ts';
import {
  createSealer,
  type SealContext,
  SealError,
  type Sealer,
} from '../../../lib/sealing/seal.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { Tx } from '../../../store/types.ts';
import { insertSecret, type SealedSecret, selectSecrets } from './endpoint-store.ts';
import { formatSecret, secretBytes } from './sign.ts';

type SecretCtx = Pick<Ctx, 'config' | 'ids' | 'clock'>;

/** An opened secret and when it ends. */
export interface OpenSecret {
  readonly secret: Secret<Uint8Array>;
  readonly expiresAt: Date | null;
}

/** Makes a secret, stores it sealed, and answers it as its owner keeps it: it is shown once. */
export async function issueSecret(
  ctx: SecretCtx,
  tx: Tx,
  input: { readonly endpointId: string; readonly projectId: string; readonly version: number },
): Promise<string> {
  const secret = ctx.ids.bytes(secretBytes);
  const sealed = createSealer(ctx.config.keyEncryptionKeys).seal(secret, contextOf(input));
  await insertSecret(tx, { ...input, sealed, now: ctx.clock.now() });
  return formatSecret(secret);
}

/**
 * Secrets of endpoints, opened, the newest of each first. One that cannot be opened is left out,
 * and the log says so.
 */
export async function openSecrets(
  ctx: Pick<Ctx, 'config' | 'store' | 'log'>,
  endpoints: readonly { readonly id: string; readonly projectId: string }[],
): Promise<Map<string, OpenSecret[]>> {
  const opened = new Map<string, OpenSecret[]>(endpoints.map(({ id }) => [id, []]));
  if (endpoints.length === 0) return opened;
  const sealer = createSealer(ctx.config.keyEncryptionKeys);
  const projects = new Map(endpoints.map(({ id, projectId }) => [id, projectId]));
  for (const row of await selectSecrets(ctx.store, [...projects.keys()])) {
    const secret = openOne(ctx, sealer, { ...row, projectId: projects.get(row.endpointId)! });
    if (secret) opened.get(row.endpointId)!.push(secret);
  }
  return opened;
}

function openOne(
  ctx: Pick<Ctx, 'log'>,
  sealer: Sealer,
  row: SealedSecret & { readonly projectId: string },
): OpenSecret | undefined {
  try {
    const bytes = sealer.open(row.sealed, contextOf(row));
    return { secret: new Secret<Uint8Array>(new Uint8Array(bytes)), expiresAt: row.expiresAt };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    ctx.log.error(
      { err: error, endpointId: row.endpointId },
      'the secret of a webhook endpoint cannot be opened',
    );
    return undefined;
  }
}

/** What a sealed secret is bound to. */
export function contextOf(secret: {
  readonly endpointId: string;
  readonly projectId: string;
  readonly version: number;
}): SealContext {
  return {
    purpose: 'webhook-secret',
    projectId: secret.projectId,
    id: secret.endpointId,
    version: secret.version,
  };
}
