import { createHash } from 'node:crypto';
import type { TestApi } from '../../../../test/harness/http.ts';
import { internalPublicKey, readInternalPublicKey } from '../../../lib/net/signed-requests.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { RunStep, UserActionRequest } from '../../../runner/types.ts';
import { addPicture, addProgress, askUser, endRun, recordStep } from '../runs/run-ports.ts';
import { claimRun } from '../runs/runs.ts';
import type { RunHold } from '../runs/runs-store.ts';

const seed = new Secret<Uint8Array>(createHash('sha256').update('live seed of the tests').digest());
/** As the API is configured. */
export const runnerLive = { seed };
/** As a runner is. */
export const livePeers = new Map([
  ['api', readInternalPublicKey(internalPublicKey(seed.reveal()))],
]);

const path = '/unstable/agent-checkouts';
const target = { kind: 'direct_url', url: 'https://shop.example/p/1' };
const constraints = { maxCost: { amount: '50', currency: 'USD' } };

/** A checkout of a user, with a runner's side of it. */
export interface TestRun {
  readonly id: string;
  readonly hold: RunHold;
  /** The view that its user gets. */
  read(): Promise<{ status: string; browser?: { embedUrl: string; permissions: string[] } }>;
  call(method: string, below?: string, body?: unknown): ReturnType<TestApi['call']>;
  /** Path and token of the live page, as they came in the view. */
  link(): Promise<{ path: string; token: string }>;
  progress(title: string): Promise<void>;
  ask(request: UserActionRequest): Promise<string>;
  answer(actionId: string, values: object): Promise<void>;
  step(step: RunStep, jpeg?: Buffer): Promise<void>;
  end(outcome?: 'succeeded' | 'failed'): Promise<void>;
}

/** Creates a checkout and claims it, as a runner at `liveOrigin` does. */
export async function startTestRun(
  api: TestApi,
  input: { readonly user: string; readonly liveOrigin?: string },
): Promise<TestRun> {
  const call: TestRun['call'] = async (method, below = '', body) =>
    api.call(method, `${path}${below}`, {
      key: api.clientKey,
      jwt: await api.userJwt(input.user),
      ...(body !== undefined && { body }),
    });
  const id = (await call('POST', '', { target, constraints })).body.id as string;
  const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
  const claimed = await claimRun(api.ctx, {
    runner: 'runner-1',
    leaseMs: 60_000,
    liveOrigin: input.liveOrigin,
    surroundings,
  });
  const hold = claimed!.hold;
  const { ctx } = api;
  const read = async () => (await call('GET', `/${id}`)).body;
  const now = () => ctx.clock.now().toISOString();
  return {
    id,
    hold,
    read,
    call,
    async link() {
      const url = new URL((await read()).browser.embedUrl, api.baseUrl);
      return { path: url.pathname, token: url.hash.slice(1) };
    },
    progress: async (title) => void (await addProgress(ctx, hold, { title })),
    async ask(request) {
      const asked = await askUser(ctx, hold, request);
      if ('stop' in asked) throw new Error(asked.stop);
      return asked.done.actionId;
    },
    answer: async (actionId, values) =>
      void (await call('POST', `/${id}/actions/${actionId}`, { action: 'submit', values })),
    async step(step, jpeg) {
      const evidence = {
        step,
        at: now(),
        url: 'https://shop.example/cart',
        detail: { title: `At ${step}` },
      };
      await (jpeg ? addPicture(ctx, hold, { evidence, jpeg }) : recordStep(ctx, hold, evidence));
    },
    async end(outcome = 'failed') {
      const total = { amountMinor: 4_200n, currency: 'USD' };
      await endRun(
        ctx,
        hold,
        outcome === 'succeeded'
          ? {
              outcome,
              total,
              merchantOrderId: 'A-1001',
              confirmationUrl: 'https://shop.example/thanks',
              confirmationText: 'Thank you!',
            }
          : { outcome, reason: 'automation_failed', message: 'The shop is closed.', placed: 'no' },
      );
    },
  };
}
