import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK } from 'jose';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import {
  type IssuerRules,
  issuerAgeMaxDefaultSeconds,
  issuerRulesSchema,
  issuerTypesDefault,
} from './issuer-rules.ts';
import { type ProjectsCtx, requireProject } from './projects.ts';
import {
  deleteIssuer,
  type IssuerAlgorithm,
  insertIssuer,
  issuerAlgorithms,
  type ListedIssuer,
  listIssuerRows,
  selectIssuerProject,
  type TrustedIssuer,
} from './store.ts';

export interface AddTrustedIssuerInput {
  readonly projectId: string;
  readonly issuer: string;
  /** The service's own domain when absent. */
  readonly audiences?: readonly string[];
  readonly algorithm: IssuerAlgorithm;
  /** Exactly one of `jwksUrl` and `jwks`. */
  readonly jwksUrl?: string;
  readonly jwks?: unknown;
  /**
   * What is absent: the project's first issuer names users as they are and vouches for e-mail,
   * later ones have a namespace.
   */
  readonly rules?: Partial<IssuerRules>;
}

const textLengthMax = 500;
const audiencesMax = 20;
const keysMax = 20;
const issuersMax = 50;

/**
 * Trusts an issuer of end-user JWTs for a project.
 * @throws validation-error unknown project, wrong algorithm, address or key set, issuer there
 * already
 */
export async function addTrustedIssuer(
  ctx: ProjectsCtx,
  input: AddTrustedIssuerInput,
): Promise<TrustedIssuer> {
  await requireProject(ctx, input.projectId);
  if (!issuerAlgorithms.includes(input.algorithm))
    throw refuse(`The algorithm is one of ${issuerAlgorithms.join(', ')}.`);
  if ((input.jwksUrl === undefined) === (input.jwks === undefined))
    throw refuse('Give either the address of a key set (JWKS) or the key set itself.');
  const audiences = input.audiences ?? [ctx.config.serviceDomain];
  if (audiences.length === 0 || audiences.length > audiencesMax)
    throw refuse(`Name 1 to ${audiencesMax} audiences.`);
  for (const text of [input.issuer, ...audiences]) {
    if (text.length === 0 || text.length > textLengthMax || /\p{C}/u.test(text))
      throw refuse(`Issuer and audiences have 1 to ${textLengthMax} printable characters.`);
  }
  const others = await listTrustedIssuers(ctx, input);
  if (others.length >= issuersMax) throw refuse(`A project trusts at most ${issuersMax} issuers.`);
  const issuer: TrustedIssuer = {
    id: ctx.ids.uuid(),
    projectId: input.projectId,
    issuer: input.issuer,
    audiences: [...new Set(audiences)],
    algorithm: input.algorithm,
    jwksUrl: input.jwksUrl === undefined ? undefined : readJwksUrl(ctx, input.jwksUrl),
    jwks: input.jwks === undefined ? undefined : await readJwks(input.jwks, input.algorithm),
    rules: readRules(input, others),
    createdAt: ctx.clock.now(),
  };
  if (!(await insertIssuer(ctx.store, issuer)))
    throw refuse(`The project trusts the issuer ${input.issuer} already: remove it first.`);
  return issuer;
}

/** Also those whose row was changed: the operator is to see and remove them. */
export function listTrustedIssuers(
  ctx: Pick<ProjectsCtx, 'store'>,
  input: { readonly projectId: string },
): Promise<ListedIssuer[]> {
  return listIssuerRows(ctx.store, { projectId: input.projectId, limit: issuersMax });
}

/**
 * Its users' tokens are refused from the next call on.
 * @param onRemoved in the transaction that removes it, as its last statement
 * @throws validation-error no such issuer, or none of the project that is named
 */
export async function removeTrustedIssuer(
  ctx: Pick<ProjectsCtx, 'store'>,
  input: { readonly id: string; readonly projectId?: string },
  onRemoved?: (tx: Tx, issuer: string) => Promise<void>,
): Promise<void> {
  requireUuid(input.id);
  await ctx.store.transaction(async (tx) => {
    const removed = await deleteIssuer(tx, input);
    if (!removed) throw unknownIssuer(input.id);
    await onRemoved?.(tx, removed.issuer);
  });
}

/** Who trusts it. @throws validation-error no such issuer */
export async function projectOfIssuer(
  ctx: Pick<ProjectsCtx, 'store'>,
  id: string,
): Promise<string> {
  requireUuid(id);
  const projectId = await selectIssuerProject(ctx.store, id);
  if (projectId === undefined) throw unknownIssuer(id);
  return projectId;
}

function requireUuid(id: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw unknownIssuer(id);
}

const unknownIssuer = (id: string) =>
  refuse(`There is no trusted issuer "${id}": see \`purser issuers list\`.`);

/** One `sub` of two issuers is two people, unless the operator says that they are the same. */
function readRules(
  { projectId, issuer, rules }: AddTrustedIssuerInput,
  others: readonly TrustedIssuer[],
): IssuerRules {
  // Tokens of the instance itself are none of another company.
  const isFirst =
    issuer === projectId ||
    others.every((other) => other.issuer === projectId || other.rules.namespace !== '');
  const namespace = rules?.namespace ?? (isFirst ? '' : defaultNamespace(issuer));
  const parsed = issuerRulesSchema.safeParse({
    namespace,
    vouchesForEmail: rules?.vouchesForEmail ?? namespace === '',
    types: rules?.types ?? issuerTypesDefault,
    ageMaxSeconds: rules?.ageMaxSeconds ?? issuerAgeMaxDefaultSeconds,
  });
  if (!parsed.success) throw refuse(parsed.error.issues[0]!.message);
  if (namespace !== '' && others.some((other) => other.rules.namespace === namespace))
    throw refuse(
      `The users of another issuer are in the namespace "${namespace}" already: give this one another.`,
    );
  return parsed.data;
}

function defaultNamespace(issuer: string): string {
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : issuer;
  return host.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 64);
}

/**
 * Plain http only for a server on this machine, and only in development: whoever changes the answer
 * can sign in as anybody.
 */
function readJwksUrl(ctx: ProjectsCtx, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isAllowed =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && isLocal && ctx.config.environment === 'development');
  if (!url || !isAllowed || url.username !== '' || text.length > textLengthMax)
    throw refuse(
      'The address of the key set is an https address (in development also http on this machine).',
    );
  return url.href;
}

async function readJwks(value: unknown, algorithm: IssuerAlgorithm): Promise<JSONWebKeySet> {
  const keys = (value as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > keysMax)
    throw refuse(`A key set is an object {"keys": […]} with 1 to ${keysMax} keys.`);
  const jwks: JSONWebKeySet = {
    keys: await Promise.all(keys.map((key: JWK) => readPublicJwk(key, algorithm))),
  };
  createLocalJWKSet(jwks);
  return jwks;
}

async function readPublicJwk(key: JWK, algorithm: IssuerAlgorithm): Promise<JWK> {
  if (typeof key !== 'object' || key === null || 'd' in key || 'k' in key)
    throw refuse(
      'A key set holds public keys only: one of its keys is private or symmetric, so it was exposed and should be replaced.',
    );
  const usable =
    algorithm === 'RS256'
      ? key.kty === 'RSA'
      : algorithm === 'ES256'
        ? key.kty === 'EC' && key.crv === 'P-256'
        : key.kty === 'OKP' && key.crv === 'Ed25519';
  if (usable)
    await importJWK(key, algorithm).catch((cause: unknown) =>
      Promise.reject(
        new ServiceError('validation-error', {
          message: 'A key of the key set cannot be read.',
          cause,
        }),
      ),
    );
  return key;
}

function refuse(message: string): ServiceError {
  return new ServiceError('validation-error', { message });
}
