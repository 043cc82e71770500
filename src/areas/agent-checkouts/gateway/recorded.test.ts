import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import {
  gatewaySeeds,
  startTestGateway,
  type TestGateway,
  workerPublicKey,
} from '../../../../test/harness/runner-gateway.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createSandboxIssuer } from '../../../providers/card-source/index.ts';
import { createRunLink, type RunLink } from '../../../runner/link/client.ts';
import { runnerPeer } from '../../../runner/link/wire.ts';
import { browserProfileRoutes } from '../../browser-profiles/routes.ts';
import { buyerProfileRoutes } from '../../buyer-profiles/routes.ts';
import { agentCheckoutRoutes } from '../routes.ts';

const path = '/unstable/agent-checkouts';
const origin = 'https://shop.example';
const once = { againMs: 0 };

let api: TestApi;
let gateway: TestGateway;
let proxy: Server;
let link: RunLink;
/** Every body that somebody between runner and worker sees. */
const recorded: Buffer[] = [];
beforeAll(async () => {
  api = await startTestApi({
    routes: [...agentCheckoutRoutes, ...buyerProfileRoutes, ...browserProfileRoutes],
    providers: (base) => ({ cardSource: createSandboxIssuer(base) }),
  });
  gateway = await startTestGateway(api.ctx);
  proxy = createServer((request, response) => {
    void buffer(request).then((sent) => {
      recorded.push(sent);
      const onward = httpRequest(
        `${gateway.origin}${request.url}`,
        { method: request.method!, headers: request.headers },
        (answer) => {
          void buffer(answer).then((said) => {
            recorded.push(said);
            response.writeHead(answer.statusCode!, answer.headers).end(said);
          });
        },
      );
      onward.end(sent);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  link = createRunLink({
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    identity: { name: runnerPeer, seed: gatewaySeeds.runner },
    workerPublicKey,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await gateway?.stop();
  await api?.close();
});

const doneOf = <Done>(answer: { readonly done: Done } | { readonly stop: string }): Done => {
  if ('stop' in answer) throw new Error(answer.stop);
  return answer.done;
};

test('whoever records all that goes between worker and runner has no task, password, code, card or session of a browser', async () => {
  const jwt = await api.userJwt('ann');
  const as = (method: string, below: string, body: unknown) =>
    api.call(method, `${path}${below}`, { key: api.clientKey, jwt, body });
  const made = await as('POST', '', {
    target: { kind: 'direct_url', url: `${origin}/canary-page` },
    constraints: { maxCost: { amount: '50', currency: 'USD' } },
  });
  const terms = {
    runner: 'one',
    leaseMs: 60_000,
    waitMs: 0,
    allowedPrivateOrigins: [],
    paymentFrameOrigins: [],
  };
  const { run } = await link.claim(terms, once);
  expect(run?.task.url).toBe(`${origin}/canary-page`);
  const { hold } = run!;

  const request = {
    kind: 'merchant-login' as const,
    origin,
    needs: ['username' as const, 'password' as const],
  };
  const { actionId } = doneOf(await link.ask({ hold, request }, once));
  const values = { username: 'canary-user', password: 'canary-password' };
  expect(
    (await as('POST', `/${made.body.id}/actions/${actionId}`, { action: 'submit', values })).status,
  ).toBe(202);
  expect(doneOf(await link['take-answer']({ hold, actionId, waitMs: 0 }, once))).toMatchObject({
    values,
  });

  const total = { amountMinor: 4_999n, currency: 'USD' };
  const purchase = doneOf(
    await link.ask({ hold, request: { kind: 'approve-purchase', origin, total, lines: [] } }, once),
  );
  const approved = await as('POST', `/${made.body.id}/actions/${purchase.actionId}`, {
    action: 'submit',
    values: { approved: true },
  });
  expect(approved.status).toBe(202);
  const card = doneOf(await link.card({ hold, total, origin }, once));
  expect(card?.number).toMatch(/^\d{16}$/);
  const state = {
    cookies: [{ name: 'sid', value: 'canary-session', domain: 'shop.example', path: '/' }],
    origins: [],
  };
  doneOf(await link['save-state']({ hold, state }, once));

  const wire = Buffer.concat(recorded).toString('latin1');
  expect(recorded.length).toBeGreaterThanOrEqual(10);
  const canaries = [
    'canary-page',
    'canary-user',
    'canary-password',
    'canary-session',
    card!.number,
    'shop.example',
    'checkoutId',
  ];
  expect(canaries.filter((canary) => wire.includes(canary))).toEqual([]);
});
