import type { AddressInfo } from 'node:net';
import type { Ctx } from '../../../context.ts';
import { closeServer } from '../../../http/close-server.ts';
import {
  addSignedRoutes,
  readSignedInput,
  type SignedOperation,
} from '../../../http/routes/signed-routes.ts';
import { createServer } from '../../../http/server.ts';
import { readInternalPublicKey } from '../../../lib/net/signed-requests.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import { openLinkRequest, sealLinkAnswer } from '../../../runner/link/envelope.ts';
import {
  type LinkAnswer,
  type LinkOperation,
  linkBodyBytesMax,
  linkOperations,
  linkPrefix,
  runnerPeer,
  toWire,
} from '../../../runner/link/wire.ts';
import { createGatewayHandlers } from './operations.ts';
import { storable } from './storable.ts';
import { createAnswerWaiting } from './waiting.ts';

export interface RunnerGatewayOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Ed25519 seed (32 bytes) of the worker: signs its answers, and opens what runners send. */
  readonly signingSeed: Secret<Uint8Array>;
  /** Ed25519 public key (32 bytes) that runners sign with, and that answers are sealed to. */
  readonly runnerPublicKey: Uint8Array;
}

export interface RunnerGateway {
  readonly name: string;
  readonly port: number;
  /** Lets requests under way finish; waits for runs and for users' answers end at once. */
  stop(): Promise<void>;
}

/**
 * Serves what runners may ask of the worker: `POST /runner/v1/<operation>`, sealed and signed both
 * ways, and `/health` and `/ready`. It holds nothing, so that any number of workers may each have
 * one.
 * @throws Error one sentence when the port is taken
 */
export async function startRunnerGateway(
  ctx: Ctx,
  options: RunnerGatewayOptions,
): Promise<RunnerGateway> {
  const server = createServer(ctx, { routes: [], ownRequestIds: true });
  const waiting = createAnswerWaiting(ctx);
  const closing = new AbortController();
  const handlers = createGatewayHandlers(ctx, waiting);
  const names = Object.keys(linkOperations) as LinkOperation[];
  addSignedRoutes(server, ctx, {
    prefix: linkPrefix,
    operations: names.map((name) =>
      serveOperation(name, handlers[name] as Handler, closing.signal),
    ),
    peers: new Map([[runnerPeer, readInternalPublicKey(options.runnerPublicKey)]]),
    signingSeed: options.signingSeed,
    write: toWire,
    envelope: {
      open: (name, body) => openLinkRequest(options.signingSeed, name, body),
      seal: (name, text) => sealLinkAnswer(options.runnerPublicKey, name, text),
    },
  });
  const { host, port } = options;
  await server.listen({ host, port }).catch((cause: NodeJS.ErrnoException) => {
    const reason =
      cause.code === 'EADDRINUSE'
        ? 'is in use by another program: stop that one, or choose another port'
        : `cannot be opened (${cause.code ?? cause.message})`;
    throw new Error(`Port ${port} on ${host} (for runners) ${reason}.`, { cause });
  });
  const opened = (server.server.address() as AddressInfo).port;
  ctx.log.info({ host, port: opened }, 'the gateway for runners is open');
  return {
    name: 'runner gateway',
    port: opened,
    async stop() {
      waiting.stop();
      closing.abort();
      await closeServer(server);
    },
  };
}

/** Answers of what a runner asks again and again that are no line in a log. */
const tellsNothing: { readonly [Name in LinkOperation]?: (answer: LinkAnswer<Name>) => boolean } = {
  claim: ({ run }) => run === null,
  renew: (answer) => 'done' in answer,
  'take-answer': (answer) => 'done' in answer && answer.done === null,
};

type Handler = (input: unknown, signal: AbortSignal) => Promise<unknown>;

function serveOperation(
  name: LinkOperation,
  handle: Handler,
  closing: AbortSignal,
): SignedOperation {
  return {
    name,
    bodyLimitBytes: linkBodyBytesMax(name),
    // A browser's state is sealed as it is: halves of characters are what some pages pack their
    // data into.
    run: ({ input, signal }) =>
      handle(
        readSignedInput(
          name,
          linkOperations[name].input,
          name === 'save-state' ? input : storable(input),
        ),
        AbortSignal.any([signal, closing]),
      ),
    isIdle: (answer) =>
      (tellsNothing[name] as ((answer: unknown) => boolean) | undefined)?.(answer) ?? false,
  };
}
