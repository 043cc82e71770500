import { setTimeout as delay } from 'node:timers/promises';
import { type CallAnswer, sendCall } from '../harness/http.ts';
import type { FaultWorld } from './world.ts';

/** Whoever uses the service: repeats a call, with the same key, until it has an answer. */
export interface Client {
  call(method: string, path: string, input?: ClientCall): Promise<CallAnswer>;
}

export interface ClientCall {
  readonly body?: unknown;
  readonly to?: 'api' | 'vault';
  /** Idempotency key of a call that makes something. */
  readonly key?: string;
}

const patienceMs = 400_000;
const pauseMs = 250;
const later = new Set(['idempotency-key-in-progress', 'rate-limited', 'conflict']);

export function createClient(world: Pick<FaultWorld, 'apiUrl' | 'vaultUrl' | 'serverKey'>): Client {
  return {
    async call(method, path, { body, to = 'api', key } = {}) {
      const url = `${to === 'api' ? world.apiUrl : world.vaultUrl}${path}`;
      const headers: Record<string, string> = key === undefined ? {} : { 'x-idempotency-key': key };
      let last = 'no answer';
      for (const endAt = Date.now() + patienceMs; Date.now() < endAt; await delay(pauseMs)) {
        const answer = await sendCall(url, method, {
          key: world.serverKey,
          headers,
          ...(body !== undefined && { body }),
        }).catch((error: unknown) => String(error));
        if (
          typeof answer !== 'string' &&
          answer.status < 500 &&
          !later.has(answer.body?.code) &&
          !isGarbled(answer)
        )
          return answer;
        last = typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`;
      }
      throw new Error(`${method} ${path} has no answer after ${patienceMs} ms: ${last}`);
    },
  };
}

/** A gate's wrong JSON has the status of the answer that it replaced. */
function isGarbled({ body }: CallAnswer): boolean {
  return body?.object === 'nothing';
}
