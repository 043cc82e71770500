import { createHash } from 'node:crypto';
import {
  type RunnerGateway,
  startRunnerGateway,
} from '../../src/areas/agent-checkouts/gateway/server.ts';
import type { Ctx } from '../../src/context.ts';
import { machineClock } from '../../src/lib/clock.ts';
import {
  internalHeaders,
  internalPublicKey,
  readInternalPublicKey,
  signRequest,
  verifyAnswer,
} from '../../src/lib/net/signed-requests.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';
import { openLinkAnswer, sealLinkRequest } from '../../src/runner/link/envelope.ts';
import {
  type LinkAnswer,
  type LinkOperation,
  linkOperations,
  linkPrefix,
  runnerPeer,
  toWire,
} from '../../src/runner/link/wire.ts';

const seedOf = (name: string) =>
  new Secret<Uint8Array>(
    new Uint8Array(createHash('sha256').update(`gateway tests: ${name}`).digest()),
  );
/** `worker` signs the gateway's answers, `runner` what is asked; the gateway does not know `stranger`. */
export const gatewaySeeds = {
  worker: seedOf('worker'),
  runner: seedOf('runner'),
  stranger: seedOf('stranger'),
};
export const workerPublicKey = internalPublicKey(gatewaySeeds.worker.reveal());

export interface TestGateway extends RunnerGateway {
  readonly origin: string;
  /**
   * Asks as a runner does; an answer that is not signed or does not fit throws, a refusal throws
   * with `code`.
   */
  ask<Name extends LinkOperation>(operation: Name, input: object): Promise<LinkAnswer<Name>>;
  /**
   * The bare exchange: the body as it goes over the wire, the answer as it was meant. `headers`
   * replace the signed ones.
   */
  send(
    operation: LinkOperation,
    body: Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; text: string; signed: boolean }>;
  /** As a runner seals it. */
  seal(operation: LinkOperation, text: string): Promise<Buffer>;
  /** Headers of a signed request. */
  sign(
    operation: string,
    body: Uint8Array,
    by?: { readonly name?: string; readonly seed?: Secret<Uint8Array> },
  ): Record<string, string>;
}

/** The worker's gateway for runners on a port of its own. */
export async function startTestGateway(ctx: Ctx): Promise<TestGateway> {
  const gateway = await startRunnerGateway(ctx, {
    host: '127.0.0.1',
    port: 0,
    signingSeed: gatewaySeeds.worker,
    runnerPublicKey: internalPublicKey(gatewaySeeds.runner.reveal()),
  });
  const origin = `http://127.0.0.1:${gateway.port}`;
  const sign: TestGateway['sign'] = (
    operation,
    body,
    { name = runnerPeer, seed = gatewaySeeds.runner } = {},
  ) => {
    const request = { method: 'POST', path: `${linkPrefix}${operation}`, body };
    return { ...signRequest({ name, seed }, request, machineClock(ctx.clock).now()).headers };
  };
  const send: TestGateway['send'] = async (operation, body, headers = sign(operation, body)) => {
    const response = await fetch(`${origin}${linkPrefix}${operation}`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const signed = verifyAnswer(readInternalPublicKey(workerPublicKey), {
      status: response.status,
      body: bytes,
      nonce: headers[internalHeaders.nonce] ?? '',
      signature: response.headers.get(internalHeaders.signature),
    });
    const text = signed
      ? await openLinkAnswer(gatewaySeeds.runner, operation, bytes)
      : bytes.toString();
    return { status: response.status, text, signed };
  };
  const seal: TestGateway['seal'] = (operation, text) =>
    sealLinkRequest(workerPublicKey, operation, text);
  return {
    ...gateway,
    origin,
    seal,
    sign,
    send,
    async ask(operation, input) {
      const { status, text, signed } = await send(operation, await seal(operation, toWire(input)));
      if (!signed) throw new Error(`An answer with status ${status} is not signed: ${text}`);
      if (status !== 200) throw Object.assign(new Error(text), JSON.parse(text) as object);
      return linkOperations[operation].answer.parse(JSON.parse(text)) as LinkAnswer<
        typeof operation
      >;
    },
  };
}
