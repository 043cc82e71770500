import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { issueKey, listKeys } from '../../src/areas/api-keys/index.ts';
import { createProject, listProjects } from '../../src/areas/projects/index.ts';
import type { Ctx } from '../../src/context.ts';

/**
 * What `npm start` leaves for other programs in `var/dev.json`. It holds keys: readable by its
 * owner only.
 */
const devFileSchema = z.object({
  projectId: z.string(),
  serverKey: z.string(),
  serverKeyId: z.string(),
  clientKey: z.string(),
  clientKeyId: z.string(),
});

export interface DevProject {
  readonly projectId: string;
  readonly serverKey: string;
  readonly serverKeyId: string;
  readonly clientKey: string;
  readonly clientKeyId: string;
}

/**
 * The project and keys of this folder: those of the last start while they are good, else new ones.
 */
export async function ensureDevProject(ctx: Ctx, devFile: string): Promise<DevProject> {
  const known = readDevFile(devFile);
  const [project = await createProject(ctx, { name: 'Development' })] = await listProjects(ctx);
  if (known?.projectId === project.id && (await areActive(ctx, known))) return known;
  const server = await issueKey(ctx, { projectId: project.id, kind: 'server', name: 'npm start' });
  const client = await issueKey(ctx, { projectId: project.id, kind: 'client', name: 'npm start' });
  return {
    projectId: project.id,
    serverKey: server.key,
    serverKeyId: server.id,
    clientKey: client.key,
    clientKeyId: client.id,
  };
}

async function areActive(ctx: Ctx, known: DevProject): Promise<boolean> {
  const now = ctx.clock.now();
  const active = (await listKeys(ctx, { projectId: known.projectId })).filter(
    ({ revokedAt }) => revokedAt === undefined || revokedAt > now,
  );
  return [known.serverKeyId, known.clientKeyId].every((id) => active.some((key) => key.id === id));
}

function readDevFile(path: string): DevProject | undefined {
  try {
    return devFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Missing or damaged: it is written anew.
    return undefined;
  }
}

/** Replaces the file whole, so that a reader never sees half of it. */
export function writeDevFile(path: string, content: object): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
