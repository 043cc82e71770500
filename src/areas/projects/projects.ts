import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { findProject, insertProject, listProjectRows, type Project } from './store.ts';

export type ProjectsCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>;

const nameLengthMax = 120;
const projectsShownMax = 1_000;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws validation-error empty, long or unprintable name */
export async function createProject(
  ctx: ProjectsCtx,
  input: { readonly name: string },
): Promise<Project> {
  const name = input.name.trim();
  if (name.length === 0 || name.length > nameLengthMax || /\p{C}/u.test(name)) {
    throw new ServiceError('validation-error', {
      message: `The name of a project has 1 to ${nameLengthMax} printable characters.`,
    });
  }
  const project: Project = { id: ctx.ids.randomUuid(), name, createdAt: ctx.clock.now() };
  await insertProject(ctx.store, project);
  return project;
}

/** The oldest 1,000 projects. */
export function listProjects(ctx: ProjectsCtx): Promise<Project[]> {
  return listProjectRows(ctx.store, projectsShownMax);
}

/** @throws validation-error no such project */
export async function requireProject(ctx: Pick<Ctx, 'store'>, id: string): Promise<Project> {
  const project = uuidPattern.test(id) ? await findProject(ctx.store, id) : undefined;
  if (!project)
    throw new ServiceError('validation-error', {
      message: `There is no project "${id}": see \`purser projects list\`.`,
    });
  return project;
}
