import { readFileSync } from 'node:fs';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
  readCommas,
  readDuration,
} from '../../lib/command.ts';
import { commandLineActor, performRule } from '../operations/index.ts';
import {
  type DevelopmentKey,
  ensureDevelopmentIssuer,
  signDevelopmentToken,
} from './development-issuer.ts';
import { createProject, listProjects, type ProjectsCtx, requireProject } from './projects.ts';
import { issuerRemove } from './rules.ts';
import { type IssuerAlgorithm, issuerAlgorithms } from './store.ts';
import { addTrustedIssuer, listTrustedIssuers, projectOfIssuer } from './trusted-issuers.ts';

export const projectsUsage = `purser projects list                every project
purser projects create --name N     a new project
Options: [--json]`;

export const issuersUsage = `purser issuers list                 who may vouch for a project's end users
purser issuers add --issuer I       trust an issuer: I is the exact "iss" claim of its JWTs
    --algorithm ${issuerAlgorithms.join('|')}   the one algorithm that is accepted
    --jwks-url U | --jwks-file F    where its public keys are
    [--audience a,b]                the "aud" claim; the service's own domain by default
    [--namespace N]                 its users are userId:N|<sub>; by default empty for the first issuer, then its host.
                                    --namespace "" makes one sub of two issuers one person
    [--vouches-for-email yes|no]    whether "email_verified" counts; by default yes without a namespace
    [--types jwt,at+jwt]            accepted "typ" headers
    [--age-max 30d]                 a session ends so long after "iat", whatever "exp" says
purser issuers remove <id>          trust it no more
    [--note "…"]                    why; it stands in the audit log
Options: [--project <id>] [--json]`;

export const tokenUsage = `purser token --user alice           a JWT of the end user alice, in development only
    [--email a@b.c]                 with a verified e-mail address
    [--ttl 12h]                     how long it holds; 12h by default
Options: [--project <id>] [--json]`;

/** Serves `purser projects …`. @throws CommandError, ServiceError */
export async function projectsCommand(
  ctx: ProjectsCtx,
  { argv, print }: Omit<CommandInput, 'projectOf'>,
): Promise<void> {
  const {
    values,
    positionals: [verb],
  } = parseCommand(argv, { texts: ['name'] });
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) return print(projectsUsage);
  if (verb === 'list') {
    const projects = await listProjects(ctx);
    return show(
      projects,
      projects.length === 0
        ? 'No projects.'
        : formatTable(
            ['ID', 'NAME', 'CREATED'],
            projects.map((project) => [project.id, project.name, project.createdAt.toISOString()]),
          ),
    );
  }
  if (verb !== 'create')
    throw new CommandError(`Unknown command "projects ${verb}".\n\n${projectsUsage}`);
  if (values.name === undefined)
    throw new CommandError('Give the project a name: --name "My shop".');
  const project = await createProject(ctx, { name: values.name });
  return show(
    project,
    `${project.id}\n\nNext: purser keys create --kind server --project ${project.id}`,
  );
}

/** Serves `purser issuers …`. @throws CommandError, ServiceError */
export async function issuersCommand(
  ctx: ProjectsCtx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb, id],
  } = parseCommand(argv, {
    texts: [
      'project',
      'issuer',
      'algorithm',
      'jwks-url',
      'jwks-file',
      'audience',
      'namespace',
      'vouches-for-email',
      'types',
      'age-max',
      'note',
    ],
  });
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) return print(issuersUsage);
  switch (verb) {
    case 'list': {
      const issuers = await listTrustedIssuers(ctx, { projectId: await projectOf(values.project) });
      const rows = issuers.map((issuer) => [
        issuer.id,
        issuer.issuer,
        issuer.algorithm,
        issuer.audiences.join(', '),
        issuer.rules.namespace === '' ? 'userId:<sub>' : `userId:${issuer.rules.namespace}|<sub>`,
        issuer.jwksUrl ?? 'static keys',
        issuer.sealProblem ? 'CHANGED behind the service: vouches for nobody, remove it' : '',
      ]);
      return show(
        issuers,
        rows.length === 0
          ? 'No trusted issuers.'
          : formatTable(['ID', 'ISSUER', 'ALGORITHM', 'AUDIENCES', 'USERS', 'KEYS', ''], rows),
      );
    }
    case 'add': {
      if (values.issuer === undefined || values.algorithm === undefined)
        throw new CommandError(`An issuer needs --issuer and --algorithm.\n\n${issuersUsage}`);
      const issuer = await addTrustedIssuer(ctx, {
        projectId: await projectOf(values.project),
        issuer: values.issuer,
        algorithm: values.algorithm as IssuerAlgorithm,
        audiences: readCommas(values.audience),
        jwksUrl: values['jwks-url'],
        jwks: values['jwks-file'] === undefined ? undefined : readJsonFile(values['jwks-file']),
        rules: {
          namespace: values.namespace,
          vouchesForEmail: readYesNo('--vouches-for-email', values['vouches-for-email']),
          types: readCommas(values.types),
          ageMaxSeconds:
            values['age-max'] === undefined
              ? undefined
              : Math.floor(readDuration(values['age-max']) / 1_000),
        },
      });
      const { namespace } = issuer.rules;
      return show(
        issuer,
        [
          `JWTs of ${issuer.issuer} for ${issuer.audiences.join(' or ')} are accepted. Its id is ${issuer.id}.`,
          `Its users are userId:${namespace === '' ? '' : `${namespace}|`}<sub>.`,
        ].join('\n'),
      );
    }
    case 'remove': {
      if (id === undefined)
        throw new CommandError(
          'Name the issuer by its id: purser issuers remove <id>. The ids are in purser issuers list.',
        );
      await performRule(ctx, issuerRemove, {
        actor: commandLineActor(),
        projectId: await projectOfIssuer(ctx, id),
        params: { issuerId: id },
        reason: values.note ?? 'asked at the command line',
      });
      return show({ id }, `${id} is trusted no more.`);
    }
    default:
      throw new CommandError(`Unknown command "issuers ${verb}".\n\n${issuersUsage}`);
  }
}

/**
 * Serves `purser token …`. `key` is absent outside development.
 * @throws CommandError, ServiceError
 */
export async function tokenCommand(
  ctx: ProjectsCtx,
  { argv, print, projectOf, key }: CommandInput & { readonly key: DevelopmentKey | undefined },
): Promise<void> {
  const { values } = parseCommand(argv, { texts: ['project', 'user', 'email', 'ttl'] });
  if (values.help) return print(tokenUsage);
  if (values.user === undefined || values.user === '')
    throw new CommandError(`Name the end user: purser token --user alice.\n\n${tokenUsage}`);
  if (!key)
    throw new CommandError(
      'Tokens are made in development only: elsewhere the identity provider that the project trusts makes them.',
    );
  const ttlMs = readDuration(values.ttl ?? '12h');
  if (ttlMs < 1_000) throw new CommandError('--ttl is at least 1s.');
  const { id: projectId } = await requireProject(ctx, await projectOf(values.project));
  await ensureDevelopmentIssuer(ctx, { projectId, key });
  const token = await signDevelopmentToken(ctx, {
    projectId,
    key,
    user: values.user,
    email: values.email,
    ttlMs,
  });
  print(values.json ? formatJson({ token }) : token);
}

function readYesNo(option: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'yes' && text !== 'no') throw new CommandError(`${option} is yes or no.`);
  return text === 'yes';
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new CommandError(`The file ${path} cannot be read as JSON: ${(cause as Error).message}`);
  }
}
