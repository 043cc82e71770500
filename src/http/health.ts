import { readdir } from 'node:fs/promises';
import { migrationsFolder } from '../config/folders.ts';
import type { Ctx } from '../context.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Each check by name: `ok`, or what is wrong in words that may be public. */
  readonly checks: Readonly<Record<string, string>>;
}

const checkTimeoutMs = 2_000;
/** It asks for no key: however many ask, the database is asked once in so long. */
const readyForMs = 1_000;

/** {@link checkReadiness}, shared by all who ask at about the same time. */
export function createReadinessCheck(
  ctx: Parameters<typeof checkReadiness>[0],
  folder?: string,
): () => Promise<Readiness> {
  let latest: Promise<Readiness> | undefined;
  let latestAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latestAtMs > readyForMs)
      [latest, latestAtMs] = [checkReadiness(ctx, folder), nowMs];
    return latest;
  };
}

/**
 * Ready when the database answers in time and has every migration this code knows. Chains that
 * nobody reads are told and do not count: requests can be served all the same, and taking the API
 * away would help nobody.
 */
export async function checkReadiness(
  ctx: Pick<Ctx, 'store' | 'log' | 'chains'>,
  folder = migrationsFolder(),
): Promise<Readiness> {
  const known = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  const applied = await readApplied(ctx);
  if (!applied)
    return { ready: false, checks: { database: 'not reachable', migrations: 'unknown' } };
  const missing = known.filter((name) => !applied.has(name));
  const migrations = missing.length === 0 ? 'ok' : `${missing.length} not applied`;
  return {
    ready: missing.length === 0,
    checks: {
      database: 'ok',
      migrations,
      ...(missing.length === 0 ? { chains: await checkChains(ctx) } : {}),
    },
  };
}

async function checkChains(ctx: Pick<Ctx, 'log' | 'chains'>): Promise<string> {
  try {
    const statuses = (
      await Promise.all(ctx.chains.families.map((family) => family.watchStatus()))
    ).flat();
    const stalled = statuses
      .filter((status) => status.stalled)
      .map((status) => `${status.chain} silent for ${Math.floor(status.silentMs / 1_000)} s`);
    return stalled.length === 0 ? 'ok' : stalled.join(', ');
  } catch (error) {
    ctx.log.warn({ err: error }, 'the status of the chain watchers cannot be read');
    return 'unknown';
  }
}

async function readApplied(
  ctx: Pick<Ctx, 'store' | 'log'>,
): Promise<ReadonlySet<string> | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${checkTimeoutMs} ms`)),
      checkTimeoutMs,
    );
  });
  try {
    const { rows } = await Promise.race([
      ctx.store.query<{ name: string }>({ text: 'select name from schema_migrations' }),
      late,
    ]);
    return new Set(rows.map((row) => row.name));
  } catch (error) {
    ctx.log.warn({ err: error }, 'not ready: the database does not answer');
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
