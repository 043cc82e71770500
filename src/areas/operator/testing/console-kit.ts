import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import pino from 'pino';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { serveTestApi, startTestApi } from '../../../../test/harness/http.ts';
import type { Config } from '../../../config/config.ts';
import type { Ctx } from '../../../context.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { apiRole, asRole, workerRole } from '../../../store/grants.ts';
import { createStore } from '../../../store/pool.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import { agentCheckoutRoutes } from '../../agent-checkouts/index.ts';
import { commandLineActor, type OperatorRole } from '../../operations/index.ts';
import { performActions } from '../actions/perform.ts';
import { challengeOf } from '../actions/signed.ts';
import { consoleRoutes } from '../console/routes.ts';
import { inviteOperator } from '../operators/operators.ts';
import type { Assertion } from '../operators/passkeys.ts';
import { TestPasskey } from './passkey-kit.ts';

/** For a console in a browser: passkeys are for one address. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const consoleOrigin = 'http://localhost:4999';

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of bodies of every shape.
  readonly body: any;
}

/** Somebody who was invited, has a passkey and is signed in. */
export interface SignedIn {
  readonly id: string;
  readonly passkey: TestPasskey;
  readonly cookie: string;
}

/**
 * The console over HTTP: requests with the rights of the API, actions with those of the worker,
 * what tests do themselves as the owner.
 */
export async function startConsoleWorld({
  config,
  ...options
}: {
  readonly port?: number;
  readonly config?: Partial<Config>;
} = {}) {
  const origin = options.port === undefined ? consoleOrigin : `http://localhost:${options.port}`;
  const consoleUrl = `${origin}/console`;
  const database = await startTestDatabase();
  const clock = createManualClock();
  const alarms: { alarm?: string; why?: string; table?: string }[] = [];
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void alarms.push(JSON.parse(line)) },
  );
  const api = await startTestApi({
    routes: agentCheckoutRoutes,
    database,
    clock,
    log,
    config: { console: { url: consoleUrl }, ...config },
  });
  const { ctx } = api;
  const as = (role: string): Ctx => {
    const rowMacs = createRowMacs(ctx.config.keyEncryptionKeys, log);
    return {
      ...ctx,
      store: createStore({ url: asRole(database.url, role), poolSize: 4, rowMacs }),
    };
  };
  const [apiCtx, workerCtx] = [as(apiRole), as(workerRole)];
  const served = await serveTestApi(ctx, {
    routes: [],
    served: apiCtx,
    server: { consoleRoutes },
    ...options,
  });
  const base = new URL(served.baseUrl).origin;

  async function call(
    method: string,
    path: string,
    options: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const headers = new Headers({
      ...(options.cookie !== undefined && { cookie: options.cookie }),
      ...(method === 'POST' && { origin, 'content-type': 'application/json' }),
      ...options.headers,
    });
    const body = method === 'POST' ? JSON.stringify(options.body ?? {}) : undefined;
    const response = await fetch(`${base}/console${path}`, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    } as ConsoleAnswer;
  }

  /** Opens the link of an invitation, as the page does. */
  async function join(token: string, passkey: TestPasskey, change: { token?: string } = {}) {
    const operatorId = token.split('.')[0]!;
    const registration = JSON.stringify(passkey.register(challengeOf(token)));
    const hmac = createHmac('sha256', change.token ?? token)
      .update(registration)
      .digest('base64url');
    const { body } = await call('POST', '/api/join', { body: { operatorId, registration, hmac } });
    await performActions(workerCtx);
    return call('POST', '/api/join/outcome', { body: { id: body.id ?? randomUUID() } });
  }

  async function signIn(passkey: TestPasskey, options: { cookie?: string } = {}) {
    const { body } = await call('POST', '/api/sign-in/challenge');
    const assertion = passkey.assert(body.challenge);
    return {
      assertion,
      answer: await call('POST', '/api/sign-in', { ...options, body: { assertion } }),
    };
  }

  /** Invited, joined and signed in. */
  async function anOperator(role: OperatorRole, projectId?: string): Promise<SignedIn> {
    const { operator, token } = await inviteOperator(ctx, {
      name: `op ${randomUUID()}`,
      role,
      projectId,
      actor: commandLineActor(),
    });
    const passkey = new TestPasskey(origin);
    await join(token, passkey);
    const { answer } = await signIn(passkey);
    return { id: operator.id, passkey, cookie: answer.headers.get('set-cookie')!.split(';')[0]! };
  }

  /** What an operator would sign. */
  function anAction(who: Pick<SignedIn, 'id'>, over: Record<string, unknown> = {}) {
    return {
      purser: 'operator-action-1',
      console: consoleUrl,
      id: randomUUID(),
      operatorId: who.id,
      projectId: served.projectId,
      action: 'orders.acknowledge',
      params: {},
      reason: 'looked at',
      expiresAt: new Date(clock.now().getTime() + 60_000).toISOString(),
      ...over,
    };
  }

  /**
   * Signs and sends an action, and has the worker look at it.
   * @returns what is answered at once, and what became of it
   */
  async function act(who: SignedIn, over: Record<string, unknown>) {
    const action = anAction(who, over);
    const signed = JSON.stringify(action);
    const asked = await call('POST', '/api/actions', {
      cookie: who.cookie,
      body: { signed, assertion: who.passkey.assert(challengeOf(signed)) },
    });
    if (asked.status !== 202) return { asked, outcome: undefined, id: action.id };
    await performActions(workerCtx);
    return {
      asked,
      outcome: (await call('GET', `/api/actions/${action.id}`, { cookie: who.cookie })).body,
      id: action.id,
    };
  }

  /** Writes a row as somebody does who has the database. */
  async function writeAction(row: {
    id: string;
    operatorId: string;
    signed: string;
    proof: Assertion | Record<string, never>;
  }) {
    await ctx.store.query({
      text: `insert into operator_actions (id, kind, operator_id, signed, proof, created_at) values ($1, 'action', $2, $3, $4, $5)`,
      values: [row.id, row.operatorId, row.signed, JSON.stringify(row.proof), clock.now()],
    });
    await performActions(workerCtx);
    const { rows } = await ctx.store.query<{ status: string; result: { message?: string } }>({
      text: 'select status, result from operator_actions where id = $1',
      values: [row.id],
    });
    return rows[0]!;
  }

  return {
    /** Another project of the same instance, with the routes of agents. */
    api,
    ctx,
    apiCtx,
    workerCtx,
    clock,
    alarms,
    base,
    origin,
    url: database.url,
    projectId: served.projectId,
    call,
    join,
    signIn,
    anOperator,
    anAction,
    act,
    writeAction,
    /** The database as a process sees it that has just started. */
    restarted: () => as(workerRole).store,
    sql: (text: string, ...values: unknown[]) =>
      ctx.store.query<Record<string, unknown>>({ text, values }),
    async close() {
      await served.close();
      await api.close();
      await apiCtx.store.close();
      await workerCtx.store.close();
      await database.close();
    },
  };
}

export type ConsoleWorld = Awaited<ReturnType<typeof startConsoleWorld>>;

/** A link of an invitation that nobody made. */
export const aToken = (operatorId: string) =>
  `${operatorId}.${createHash('sha256').update('guess').digest('base64url')}`;
