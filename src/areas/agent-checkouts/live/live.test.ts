import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { verifyRequest } from '../../../lib/net/signed-requests.ts';
import { livePath } from '../../../runner/link/wire.ts';
import type { UserActionRequest } from '../../../runner/types.ts';
import { rowMacsOf } from '../../../store/row-mac.ts';
import { issueKey } from '../../api-keys/index.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { claimAnswer } from '../runs/run-ports.ts';
import { sealedLive } from '../runs/runs-store.ts';
import { liveRoutes, liveStreamRoute } from './live-routes.ts';
import { livePeers, runnerLive, startTestRun, type TestRun } from './test-kit.ts';
import { liveToken, readLiveToken } from './token.ts';

const clock = createManualClock();
const password = 'hunter2-canary';
const login: UserActionRequest = {
  kind: 'merchant-login',
  origin: 'https://shop.example',
  needs: ['username', 'password'],
};
const logged: string[] = [];
const options = {
  routes: agentCheckoutRoutes,
  clock,
  log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  config: { runnerLive },
  server: { publicRoutes: liveRoutes, socketRoutes: [liveStreamRoute] },
};

/** What is looked for may take a while on a busy machine. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

let api: TestApi;
let runner: StandIn;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  api = await startTestApi(options);
  runner = await startStandIn();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  await runner?.close();
  await api?.close();
});

/** The wire of a runner without its browser. */
interface StandIn {
  readonly origin: string;
  readonly watchers: WebSocket[];
  readonly heard: string[];
  close(): Promise<void>;
}

async function startStandIn(): Promise<StandIn> {
  const server = createServer();
  const accepting = new WebSocketServer({ noServer: true });
  const heard: string[] = [];
  const watchers: WebSocket[] = [];
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const signed = { method: 'GET', path: request.url!, body: new Uint8Array() };
    const verdict = verifyRequest({
      peers: livePeers,
      headers: request.headers,
      request: signed,
      now: clock.now(),
    });
    if (!verdict.ok) return void socket.destroy();
    heard.push(request.url!);
    accepting.handleUpgrade(request, socket, head, (watcher) => {
      watchers.push(watcher);
      watcher.on('message', (data) => heard.push(data.toString()));
      watcher.send(
        JSON.stringify({ kind: 'screen', width: 1_280, height: 900, isInputPermitted: true }),
      );
      watcher.send(Buffer.from([0, 1, 2, 3]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    watchers,
    heard,
    close: () =>
      new Promise((resolve) => {
        for (const client of accepting.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
}

interface Page {
  readonly socket: WebSocket;
  readonly told: { kind: string; [field: string]: unknown }[];
  readonly pictures: Buffer[];
  readonly ended: Promise<number>;
  say(message: unknown): void;
  /** The last state. */
  state(): any;
}

async function openPage(path: string, hello?: unknown): Promise<Page> {
  const socket = new WebSocket(
    `${new URL(api.baseUrl).origin.replace('http', 'ws')}${path}/stream`,
  );
  sockets.push(socket);
  const page: Page = {
    socket,
    told: [],
    pictures: [],
    ended: new Promise((resolve) => socket.on('close', resolve)),
    say: (message) => socket.send(JSON.stringify(message)),
    state: () => page.told.findLast(({ kind }) => kind === 'state'),
  };
  socket.on('message', (data: Buffer, isBinary) =>
    isBinary ? page.pictures.push(data) : page.told.push(JSON.parse(data.toString())),
  );
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  if (hello !== undefined) page.say(hello);
  return page;
}

const watch = async (run: TestRun) => {
  const { path, token } = await run.link();
  return openPage(path, { kind: 'hello', token });
};
const runOf = (user: string, liveOrigin = runner.origin) => startTestRun(api, { user, liveOrigin });

describe('the view', () => {
  test('has the address of the live page while the checkout runs, and control while the user may do it there', async () => {
    const queued = await api.call('POST', '/unstable/agent-checkouts', {
      key: api.clientKey,
      jwt: await api.userJwt('quinn'),
      body: {
        target: { kind: 'direct_url', url: 'https://shop.example/p/2' },
        constraints: { maxCost: { amount: '5', currency: 'USD' } },
      },
    });
    expect(queued.body).not.toHaveProperty('browser');
    await api.ctx.store.query({
      text: `delete from agent_checkouts where id = $1`,
      values: [queued.body.id],
    });
    const run = await runOf('ann');
    const { browser } = await run.read();
    expect(browser).toEqual({
      embedUrl: expect.stringMatching(`^/api/live/agent-checkouts/${run.id}#[\\w.-]+$`),
      permissions: ['view'],
    });
    const contact = await run.ask({ kind: 'contact-and-shipping', missing: ['email'] });
    expect((await run.read()).browser!.permissions).toEqual(['view']);
    await run.answer(contact, { email: 'a@example.com' });
    const asked = await run.ask(login);
    expect((await run.read()).browser!.permissions).toEqual(['view', 'control']);
    await run.answer(asked, { username: 'a', password });
    expect((await run.read()).browser).toEqual(browser);
    await run.end();
    expect(await run.read()).not.toHaveProperty('browser');
  });

  test('of the events has no address: whoever has it may look', async () => {
    const run = await runOf('bob');
    const { token } = await run.link();
    const { rows } = await api.ctx.store.query<{ text: string }>({
      text: 'select e::text as text from outbox e',
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(token) || text.includes('embedUrl'))).toEqual(
      [],
    );
    await run.end();
  });
});

describe('the page', () => {
  const get = (path: string) => fetch(`${new URL(api.baseUrl).origin}${path}`);
  const policyOf = (answer: Response) => answer.headers.get('content-security-policy')!;

  test('holds nothing of the checkout, runs nothing but its own script, and may be framed anywhere in development', async () => {
    const run = await runOf('carl');
    const { path, token } = await run.link();
    const answer = await get(path);
    const body = await answer.text();
    expect([answer.status, body.includes(run.id), body.includes(token)]).toEqual([
      200,
      false,
      false,
    ]);
    expect(policyOf(answer)).toMatch(
      /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; connect-src 'self'; img-src blob:;/,
    );
    expect(policyOf(answer)).toMatch(/frame-ancestors \*$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const none = await get('/api/live/agent-checkouts/0199c0de-0000-7000-8000-000000000009');
    expect([none.status, policyOf(none).endsWith("frame-ancestors 'none'")]).toEqual([404, true]);
    expect((await get('/api/live/agent-checkouts/x')).status).toBe(404);
    expect((await get(`${path}/stream`)).status).toBe(426);
    await run.end();
  });

  test('may be framed where the project’s client keys are used, outside of development', async () => {
    const staging = await startTestApi({
      ...options,
      config: { runnerLive, environment: 'staging' },
    });
    await issueKey(staging.ctx, {
      projectId: staging.projectId,
      kind: 'client',
      allowedOrigins: ['https://app.example', 'https://*.example.com', 'http://[::1]:80'],
    });
    const run = await startTestRun(staging, { user: 'dora' });
    const { path } = await run.link();
    const answer = await fetch(`${new URL(staging.baseUrl).origin}${path}`);
    expect(policyOf(answer)).toMatch(
      /frame-ancestors 'self' https:\/\/\*\.example\.com https:\/\/app\.example$/,
    );
    await staging.close();
  });
});

describe('a token', () => {
  test('opens its own checkout and nothing else, and nothing opens without one', async () => {
    const [mine, other] = [await runOf('eve'), await runOf('fay')];
    const [{ path, token }, { token: otherToken }] = [await mine.link(), await other.link()];
    const later = liveToken(api.ctx.config, {
      id: mine.id,
      createdAt: new Date(clock.now().getTime() + 1),
    });
    for (const hello of [
      { kind: 'hello', token: otherToken },
      { kind: 'hello', token: later },
      { kind: 'hello', token: `${token.slice(0, -2)}AA` },
      { kind: 'hello', token: '' },
      { kind: 'hello', token, more: 1 },
      { kind: 'key', key: 'Enter' },
      'hello',
    ]) {
      const page = await openPage(path, hello);
      expect(await page.ended).toBe(4_401);
      expect([page.told, page.pictures]).toEqual([[], []]);
    }
    const none = '/api/live/agent-checkouts/0199c0de-0000-7000-8000-000000000009';
    expect(await (await openPage(none, { kind: 'hello', token })).ended).toBe(4_401);
    const page = await watch(mine);
    await soon(() => page.state()?.status).toBe('running');
    for (const run of [mine, other]) await run.end();
  });

  test('of an old key opens while that key is configured', () => {
    const { keyEncryptionKeys } = api.ctx.config;
    const checkout = { id: '0199c0de-0000-7000-8000-000000000001', createdAt: clock.now() };
    const oldKey = { id: 'old', key: runnerLive.seed };
    const input = { id: checkout.id, token: liveToken({ keyEncryptionKeys: [oldKey] }, checkout) };
    expect(readLiveToken({ keyEncryptionKeys: [...keyEncryptionKeys, oldKey] }, input)).toEqual(
      checkout.createdAt,
    );
    expect(readLiveToken({ keyEncryptionKeys }, input)).toBeUndefined();
  });

  test('lets eight watch, and tells a ninth to come later', async () => {
    const run = await runOf('gus');
    for (let index = 0; index < 8; index++) {
      const page = await watch(run);
      await soon(() => page.state()).toBeDefined();
    }
    expect(await (await watch(run)).ended).toBe(4_503);
    await run.end();
  });
});

describe('whoever watches', { tags: 'slow' }, () => {
  test('sees the picture of the runner, what the run does and what it asks, until it is over', async () => {
    const run = await runOf('hal');
    const page = await watch(run);
    await soon(() => page.pictures.length).toBe(1);
    expect(page.pictures[0]).toEqual(Buffer.from([0, 1, 2, 3]));
    expect(runner.heard).toContain(livePath(run.id));
    expect(page.told).toContainEqual({
      kind: 'screen',
      width: 1_280,
      height: 900,
      isInputPermitted: true,
    });
    await run.progress('Added to the cart');
    await soon(() => page.state().progress.at(-1).title).toBe('Added to the cart');
    await run.ask(login);
    await soon(() => page.state().question?.canTakeOver).toBe(true);
    expect(page.state()).toMatchObject({
      status: 'awaiting_user_action',
      permissions: ['view', 'control'],
    });
    expect(page.state()).not.toHaveProperty('liveOrigin');
    await run.end();
    expect(await page.ended).toBe(1_000);
    expect([page.state().status, page.told.at(-1)]).toEqual(['failed', { kind: 'over' }]);
    await soon(() => runner.watchers.at(-1)!.readyState).toBe(WebSocket.CLOSED);
  });

  test('asks for pictures and reads none of them, is let go before they fill the memory', async () => {
    const run = await runOf('ivy');
    const page = await watch(run);
    await soon(() => page.pictures.length).toBe(1);
    page.socket.pause();
    const sent = runner.watchers.at(-1)!;
    // What a runner sends to one who says that each has been seen.
    for (let count = 0; count < 40; count++) sent.send(Buffer.alloc(1_048_576));
    await soon(() => sent.readyState).toBe(WebSocket.CLOSED);
    await run.end();
  });

  test('sees the picture again when the runner’s connection broke, and when another runner has the run', async () => {
    const second = await startStandIn();
    const run = await runOf('ida');
    const page = await watch(run);
    await soon(() => page.pictures.length).toBe(1);
    runner.watchers.at(-1)!.terminate();
    await soon(() => page.pictures.length).toBe(2);
    expect(page.told.some(({ kind }) => kind === 'no-picture')).toBe(true);
    const { rows } = await api.ctx.store.query<{ fence: string }>({
      text: 'update agent_checkouts set live_origin = $2 where id = $1 returning fence',
      values: [run.id, second.origin],
    });
    // Nobody but a runner's worker says where a run is seen and typed into.
    await soon(() => page.told.filter(({ kind }) => kind === 'no-picture').length).toBe(2);
    expect(second.heard).toEqual([]);
    await api.ctx.store.query({
      text: 'update agent_checkouts set live_mac = $2 where id = $1',
      values: [
        run.id,
        rowMacsOf(api.ctx.store).seal(
          sealedLive({ id: run.id, fence: BigInt(rows[0]!.fence), liveOrigin: second.origin }),
        ),
      ],
    });
    await soon(() => page.pictures.length).toBe(3);
    expect(second.heard).toContain(livePath(run.id));
    await run.end();
    await page.ended;
    await second.close();
  });
});

describe('take-over', () => {
  const typed = (text: string) => runner.heard.filter((message) => message.includes(text)).length;
  const click = { kind: 'mouse', type: 'down', x: 1, y: 2 };

  test('reaches the runner only while a question is open that the user may answer there', {
    tags: 'slow',
  }, async () => {
    const run = await runOf('jan');
    const page = await watch(run);
    await soon(() => page.pictures.length).toBe(1);
    page.say({ kind: 'text', text: 'early' });
    const contact = await run.ask({ kind: 'contact-and-shipping', missing: ['email'] });
    await soon(() => page.state().status).toBe('awaiting_user_action');
    page.say({ kind: 'text', text: 'early' });
    await run.answer(contact, { email: 'a@example.com' });
    const asked = await run.ask(login);
    await soon(() => page.state().permissions.includes('control')).toBe(true);
    page.say({ kind: 'text', text: password });
    page.say(click);
    await soon(() => typed(JSON.stringify(click))).toBe(1);
    expect([typed('early'), typed(password)]).toEqual([0, 1]);
    // Answered in the app: the page has not heard of it yet.
    await run.answer(asked, { username: 'a', password: 'b' });
    page.say({ kind: 'text', text: 'late' });
    page.say({ kind: 'seen' });
    await soon(() => typed('seen')).toBe(1);
    await soon(() => page.state().status).toBe('running');
    expect(typed('late')).toBe(0);
    await run.end();
  });

  test('says that it is done where the user may do it there, and answers no other question', {
    tags: 'slow',
  }, async () => {
    const run = await runOf('joe');
    const [page, second] = [await watch(run), await watch(run)];
    const answerOf = (actionId: string) => claimAnswer(api.ctx, run.hold, actionId);
    const contact = await run.ask({ kind: 'contact-and-shipping', missing: ['email'] });
    await soon(() => page.state().question?.id).toBe(contact);
    page.say({ kind: 'done', actionId: contact });
    page.socket.ping();
    await once(page.socket, 'pong');
    await run.answer(contact, { email: 'a@example.com' });
    expect(await answerOf(contact)).toEqual({
      done: { action: 'submit', values: { email: 'a@example.com' } },
    });

    const asked = await run.ask(login);
    for (const one of [page, second]) await soon(() => one.state().question?.id).toBe(asked);
    page.say({ kind: 'done', actionId: contact });
    for (const one of [page, second]) one.say({ kind: 'done', actionId: asked });
    for (const one of [page, second]) await soon(() => one.state().status).toBe('running');
    expect(await answerOf(asked)).toEqual({ done: { action: 'submit', values: { done: true } } });
    expect(runner.heard.filter((line) => line.includes('"done"'))).toEqual([]);
    await run.end();
  });

  test('what cannot be read ends the connection', async () => {
    const run = await runOf('kim');
    const page = await watch(run);
    await soon(() => page.state()).toBeDefined();
    page.say({ kind: 'goto', url: 'https://shop.example' });
    expect(await page.ended).toBe(1_008);
    await run.end();
  });

  test('no log has what was typed, or the token', async () => {
    const run = await runOf('lea');
    const { path, token } = await run.link();
    await (await openPage(path, { kind: 'hello', token: `${token}x` })).ended;
    await fetch(`${new URL(api.baseUrl).origin}${path}/replay`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await run.end();
    expect(logged.some((line) => line.includes('connection ended'))).toBe(true);
    expect(logged.filter((line) => line.includes(password) || line.includes(token))).toEqual([]);
  });
});

test('an API without a key for runners shows what happens, and no picture', {
  tags: 'slow',
}, async () => {
  const other = await startTestApi({ ...options, config: {} });
  const run = await startTestRun(other, { user: 'mia', liveOrigin: runner.origin });
  const { path, token } = await run.link();
  const socket = new WebSocket(
    `${new URL(other.baseUrl).origin.replace('http', 'ws')}${path}/stream`,
  );
  const told = new Promise<{ kind: string }>((resolve) =>
    socket.on('message', (data: Buffer) => resolve(JSON.parse(data.toString()))),
  );
  socket.on('open', () => socket.send(JSON.stringify({ kind: 'hello', token })));
  expect(await told).toMatchObject({ kind: 'state', status: 'running' });
  await other.close();
});
