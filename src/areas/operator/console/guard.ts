import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type {
  PublicAnswer,
  PublicRequest,
  PublicRoute,
} from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { listProjects, type Project } from '../../projects/index.ts';
import { roleIn } from '../operators/operators.ts';
import { placeOf } from '../operators/passkeys.ts';
import { findSession, type Session } from '../operators/sessions.ts';
import type { Operator } from '../operators/store.ts';

/**
 * A route of the console. Who is signed in sees of the projects that he has a role in, and of no
 * other.
 */
export interface ConsoleCall {
  readonly session: Session;
  readonly params: Readonly<Record<string, string>>;
  /**
   * Projects that the question is about: the one that was named, or all that the operator may look
   * at.
   */
  readonly projects: readonly Project[];
}

const bodyLimitBytes = 64 * 1024;

/**
 * Answers whoever is signed in. It changes nothing: what changes something is signed, and done
 * elsewhere.
 */
export function sessionRoute<Query>(
  path: string,
  query: z.ZodType<Query>,
  answer: (ctx: Ctx, call: ConsoleCall & { readonly query: Query }) => Promise<PublicAnswer>,
): PublicRoute {
  return {
    method: 'GET',
    path: `/api${path}`,
    handler: async (ctx, request) => {
      const session = await requireSession(ctx, request);
      const asked = readWith(query, Object.fromEntries(request.query));
      const projects = await projectsFor(
        ctx,
        session.operator,
        request.query.get('project') ?? undefined,
      );
      return answer(ctx, { session, params: request.params, projects, query: asked });
    },
  };
}

/** The same with an answer in JSON. */
export const readRoute = <Query>(
  path: string,
  query: z.ZodType<Query>,
  answer: (ctx: Ctx, call: ConsoleCall & { readonly query: Query }) => Promise<unknown>,
): PublicRoute =>
  sessionRoute(path, query, async (ctx, call) => json(200, await answer(ctx, call)));

/** An id in a path; what is none is found nowhere. */
export const idIn = (text: string | undefined): string | undefined => z.uuid().safeParse(text).data;

/** A POST of the console's own page; `session` is there where the route asks for one. */
export function writeRoute<Body>(
  path: string,
  schema: z.ZodType<Body>,
  answer: (
    ctx: Ctx,
    call: { readonly body: Body; readonly request: PublicRequest },
  ) => Promise<PublicAnswer>,
): PublicRoute {
  return {
    method: 'POST',
    path: `/api${path}`,
    bodyLimitBytes,
    handler: async (ctx, request) => {
      requireOwnPage(ctx, request);
      return answer(ctx, { body: readWith(schema, readJson(request.body)), request });
    },
  };
}

/**
 * No other page may post, whatever cookies the browser sends with it: pages of others have another
 * origin, and forms cannot send JSON.
 * @throws forbidden, unsupported-media-type
 */
function requireOwnPage(ctx: Ctx, { headers }: PublicRequest): void {
  const site = headers['sec-fetch-site'];
  if (
    headers.origin !== placeOf(ctx.config).origin ||
    (site !== undefined && site !== 'same-origin')
  )
    throw new ServiceError('forbidden', {
      message: `This is for the page ${placeOf(ctx.config).origin}/console alone.`,
    });
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw new ServiceError('unsupported-media-type');
}

/** @throws not-authorized */
export async function requireSession(ctx: Ctx, request: PublicRequest): Promise<Session> {
  const token = readCookie(ctx, request);
  const session = token === undefined ? undefined : await findSession(ctx, token);
  if (!session)
    throw new ServiceError('not-authorized', {
      message: 'Sign in: there is no session, or it has ended.',
    });
  return session;
}

/** @throws forbidden for a project that the operator may not look at, whether it is there or not */
async function projectsFor(
  ctx: Ctx,
  operator: Operator,
  named: string | undefined,
): Promise<readonly Project[]> {
  const projects = (await listProjects(ctx)).filter(({ id }) => roleIn(operator, id) !== undefined);
  if (named === undefined) return projects;
  const project = projects.find(({ id }) => id === named);
  if (!project)
    throw new ServiceError('forbidden', { message: 'You have no role in this project.' });
  return [project];
}

const isSecure = (ctx: Pick<Ctx, 'config'>) => ctx.config.console!.url.startsWith('https:');
// Browsers take the prefix from the host itself and over TLS only: no neighbour sets it.
const cookieName = (ctx: Pick<Ctx, 'config'>) =>
  isSecure(ctx) ? '__Host-purser-console' : 'purser-console';

function readCookie(ctx: Ctx, { headers }: PublicRequest): string | undefined {
  const name = cookieName(ctx);
  const found = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const value = found.find(([key]) => key === name)?.[1];
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** @param token empty: forget it */
export function sessionCookie(
  ctx: Pick<Ctx, 'config'>,
  token: string,
  maxAgeSeconds: number,
): string {
  const secure = isSecure(ctx) ? '; Secure' : '';
  return `${cookieName(ctx)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): PublicAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  };
}

/** @throws validation-error naming what is wrong */
export function readWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.map(String).join('.') || 'request'}: ${issue.message}`,
  );
  throw new ServiceError('validation-error', { message: problems.join('; ') });
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ServiceError('invalid-json');
  }
}
