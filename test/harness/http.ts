import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import pino, { type Logger } from 'pino';
import { issueKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { addTrustedIssuer, createProject } from '../../src/areas/projects/index.ts';
import type { ChainFamily } from '../../src/chains/family.ts';
import { createChains } from '../../src/chains/registry.ts';
import type { Config } from '../../src/config/config.ts';
import type { Ctx } from '../../src/context.ts';
import { closeServer } from '../../src/http/close-server.ts';
import type { AnyRoute } from '../../src/http/routes/route.ts';
import { createServer, type ServerOptions } from '../../src/http/server.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { systemIds } from '../../src/lib/id.ts';
import type { Providers } from '../../src/providers/registry.ts';
import { testConfig } from './config.ts';
import { startTestDatabase, type TestDatabase } from './database.ts';
import { recordCall, recordEvents } from './recorder.ts';

export interface TestApiOptions {
  readonly routes: readonly AnyRoute[];
  /** Families, or how to make them once the database and configuration are there. */
  readonly families?:
    | readonly ChainFamily[]
    | ((ctx: Omit<Ctx, 'chains'>) => readonly ChainFamily[]);
  /** What the routes need; a provider that is not given throws when it is called. */
  readonly providers?:
    | Partial<Providers>
    | ((ctx: Omit<Ctx, 'chains' | 'providers'>) => Partial<Providers>);
  readonly config?: Partial<Config>;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly server?: Partial<Omit<ServerOptions, 'routes'>>;
  /** A database to use instead of one of its own; it is not closed with the server. */
  readonly database?: TestDatabase;
}

export interface CallOptions {
  /** API key; the server key when absent, none when null. */
  readonly key?: string | null;
  readonly jwt?: string;
  /** Sent as JSON; a string or bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined when the answer has no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of bodies of every shape.
  readonly body: any;
  readonly text: string;
}

export interface TestApi {
  /** Ends in `/api`. */
  readonly baseUrl: string;
  readonly ctx: Ctx;
  readonly server: FastifyInstance;
  readonly projectId: string;
  readonly serverKey: string;
  readonly clientKey: string;
  /** Calls `baseUrl + path`. */
  call(method: string, path: string, options?: CallOptions): Promise<CallAnswer>;
  /**
   * A JWT of the project's trusted issuer; ends in an hour of the API's clock unless `claims` say
   * otherwise.
   */
  userJwt(sub: string, claims?: JWTPayload): Promise<string>;
  close(): Promise<void>;
}

export const testIssuer = 'https://issuer.test';

/**
 * The routes served over HTTP on a port of their own, with a database, a project, a server and a
 * client key.
 */
export async function startTestApi(options: TestApiOptions): Promise<TestApi> {
  const database = options.database ?? (await startTestDatabase());
  const base = {
    config: testConfig(options.config),
    store: database.store,
    clock: options.clock ?? systemClock,
    ids: systemIds,
    log: options.log ?? pino({ level: 'silent' }),
  };
  const providers = {
    ...unusedProviders(),
    ...(typeof options.providers === 'function' ? options.providers(base) : options.providers),
  };
  const families =
    typeof options.families === 'function'
      ? options.families({ ...base, providers })
      : (options.families ?? []);
  const ctx: Ctx = { ...base, providers, chains: createChains(families) };

  const api = await serveTestApi(ctx, options);
  return {
    ...api,
    async close() {
      await api.close();
      if (!options.database) await database.close();
    },
  };
}

/**
 * Serves routes over a context that is there already, with a project of their own. `close` ends the
 * server only.
 */
export async function serveTestApi(
  ctx: Ctx,
  options: Pick<TestApiOptions, 'routes' | 'server'> & {
    readonly port?: number;
    /** What requests work with, e.g. with the rights of the API; `ctx` when absent. */ readonly served?: Ctx;
  },
): Promise<TestApi> {
  const project = await createProject(ctx, { name: 'Test project' });
  const { key: serverKey } = await issueKey(ctx, {
    projectId: project.id,
    kind: 'server',
    scopes: scopesOf('server'),
  });
  const { key: clientKey } = await issueKey(ctx, {
    projectId: project.id,
    kind: 'client',
    scopes: scopesOf('client'),
  });
  const signer = await generateKeyPair('ES256');
  await addTrustedIssuer(ctx, {
    projectId: project.id,
    issuer: testIssuer,
    algorithm: 'ES256',
    jwks: { keys: [{ ...(await exportJWK(signer.publicKey)), kid: 'test-key' }] },
  });

  const server = createServer(options.served ?? ctx, {
    routes: options.routes,
    checkAnswers: true,
    ...options.server,
  });
  await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const { port } = server.server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}${options.server?.basePath ?? '/api'}`;

  return {
    baseUrl,
    ctx,
    server,
    projectId: project.id,
    serverKey,
    clientKey,
    call: (method, path, call = {}) =>
      sendCall(`${baseUrl}${path}`, method, { key: serverKey, ...call }),
    userJwt: (sub, claims = {}) => {
      const nowSeconds = Math.floor(ctx.clock.now().getTime() / 1_000);
      return new SignJWT({
        iss: testIssuer,
        aud: [ctx.config.serviceDomain],
        sub,
        iat: nowSeconds,
        exp: nowSeconds + 3_600,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'test-key' })
        .sign(signer.privateKey);
    },
    async close() {
      await recordEvents(ctx);
      await closeServer(server);
    },
  };
}

/** One HTTP call with a time-out, its answer read as JSON. */
export async function sendCall(
  url: string,
  method: string,
  options: CallOptions,
): Promise<CallAnswer> {
  const { key, jwt, body } = options;
  const headers = new Headers(options.headers);
  if (key) headers.set('x-api-key', key);
  if (jwt !== undefined && !headers.has('authorization'))
    headers.set('authorization', `Bearer ${jwt}`);
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/json');
  const response = await fetch(url, {
    method,
    headers,
    body: encodeBody(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  if (!(body instanceof Uint8Array))
    recordCall({
      method,
      url,
      headers: Object.fromEntries(headers),
      body,
      status: response.status,
      answer,
    });
  return { status: response.status, headers: response.headers, body: answer, text };
}

function encodeBody(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

/** Providers that no test may reach by accident. */
function unusedProviders(): Providers {
  const refuse = (name: string) =>
    new Proxy(
      {},
      {
        get: (_, member) => {
          throw new Error(
            `This test gave no ${name} provider, and ${String(member)} was asked of it.`,
          );
        },
      },
    );
  return {
    custody: refuse('custody') as Providers['custody'],
    pricing: refuse('pricing') as Providers['pricing'],
    messaging: refuse('messaging') as Providers['messaging'],
    screening: refuse('screening') as Providers['screening'],
    vault: refuse('vault') as Providers['vault'],
  };
}
