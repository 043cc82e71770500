import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sendCall } from '../harness/http.ts';
import { findFreePort } from '../harness/processes.ts';
import { type Part, startPart } from './part.ts';
import type { ReceiverArguments, TakenEvent } from './receiver-child.ts';

export interface FaultReceiver {
  readonly part: Part;
  /** All that was taken, in that order. */
  taken(): TakenEvent[];
  stop(): Promise<void>;
}

/** Registers an endpoint and runs its receiver. */
export async function startReceiver(input: {
  readonly folder: string;
  readonly program: string;
  readonly apiUrl: string;
  readonly serverKey: string;
}): Promise<FaultReceiver> {
  const port = await findFreePort();
  const file = join(input.folder, 'received.jsonl');
  const secret = await register(input, `http://127.0.0.1:${port}/`);
  const args: ReceiverArguments = { port, file, secret };
  const part = startPart({
    name: 'receiver',
    program: input.program,
    args: [JSON.stringify(args)],
    env: {},
  });
  return {
    part,
    taken: () =>
      (existsSync(file) ? readFileSync(file, 'utf8') : '')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as TakenEvent])),
    stop: () => part.stop(),
  };
}

/** Once the API is there. */
async function register(
  { apiUrl, serverKey }: { readonly apiUrl: string; readonly serverKey: string },
  url: string,
): Promise<string> {
  for (const endAt = Date.now() + 60_000; ; await delay(200)) {
    const answer = await sendCall(`${apiUrl}/unstable/webhooks/endpoints`, 'POST', {
      key: serverKey,
      body: { url },
    }).catch(() => undefined);
    if (answer?.status === 201) return answer.body.secret;
    if (Date.now() > endAt) throw new Error(`no endpoint: ${answer?.text ?? 'no answer'}`);
  }
}
