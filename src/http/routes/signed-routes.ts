import type { KeyObject } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { machineClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import {
  internalContentType,
  internalHeaders,
  signAnswer,
  verifyRequest,
} from '../../lib/net/signed-requests.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import { readError } from '../answers/error-answer.ts';

/** One thing that another process of ours may ask: `POST <prefix><name>`, JSON in, JSON out. */
export interface SignedOperation {
  /** Words, dots and hyphens, e.g. `payment-methods.get`. */
  readonly name: string;
  readonly bodyLimitBytes: number;
  /**
   * What it answers is sent as JSON.
   * @throws ServiceError what the asking process gets as itself
   */
  readonly run: (call: SignedCall) => Promise<unknown>;
  /**
   * Whether a call and its answer say that there is nothing: such are made all day long, and logged
   * at debug.
   */
  readonly isIdle?: (answer: unknown, input: unknown) => boolean;
}

export interface SignedCall {
  /** Who asks; its signature was checked. */
  readonly peer: string;
  /** The parsed body; see {@link readSignedInput}. */
  readonly input: unknown;
  readonly requestId: string;
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface SignedRoutesOptions {
  /** E.g. `/internal/v1/`. */
  readonly prefix: string;
  readonly operations: readonly SignedOperation[];
  /** Public keys of the processes that may ask, by name. */
  readonly peers: ReadonlyMap<string, KeyObject>;
  /** Ed25519 seed that signs the answers. */
  readonly signingSeed: Secret<Uint8Array>;
  /** JSON of an answer; `JSON.stringify` when absent. */
  readonly write?: (value: unknown) => string;
  /** How bodies are sealed on their way; readable when absent. */
  readonly envelope?: {
    /** @throws Error when the body is not sealed to us, or for another operation */
    readonly open: (operation: string, body: Buffer) => Promise<string>;
    readonly seal: (operation: string, text: string) => Promise<Buffer>;
  };
}

type SignedCtx = Pick<Ctx, 'store' | 'clock' | 'log'>;
interface Exchange {
  readonly operation: SignedOperation;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const noncesPrunedMax = 10_000;

/**
 * Adds the operations to a server that does not listen yet. Every answer to a genuine request is
 * signed; a request that is not genuine gets 401 and no reason, and the reason is in the log. Used
 * nonces are in the table `internal_nonces` of the process's own database.
 */
export function addSignedRoutes(
  server: FastifyInstance,
  ctx: SignedCtx,
  options: SignedRoutesOptions,
): void {
  server.addContentTypeParser(internalContentType, { parseAs: 'buffer' }, (_, bytes, done) =>
    done(null, bytes),
  );
  for (const operation of options.operations) {
    server.route({
      method: 'POST',
      url: `${options.prefix}${operation.name}`,
      bodyLimit: operation.bodyLimitBytes,
      handler: (request, reply) => serve(ctx, options, { operation, request, reply }),
    });
  }
}

/** @throws validation-error, which names the operation and no value */
export function readSignedInput<Schema extends z.ZodType>(
  operation: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const read = schema.safeParse(input);
  if (!read.success)
    throw new ServiceError('validation-error', {
      message: `The input of ${operation} does not fit.`,
      cause: read.error,
    });
  return read.data;
}

async function serve(
  ctx: SignedCtx,
  options: SignedRoutesOptions,
  exchange: Exchange,
): Promise<FastifyReply> {
  const { operation, request, reply } = exchange;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verdict = verifyRequest({
    peers: options.peers,
    headers: request.headers,
    request: { method: 'POST', path: `${options.prefix}${operation.name}`, body },
    now: machineClock(ctx.clock).now(),
  });
  if (!verdict.ok) return refuse(ctx, exchange, verdict.why);
  if (!(await isNew(ctx, verdict))) return refuse(ctx, exchange, 'its nonce was used before');

  const answer = await run(ctx, options, { ...exchange, peer: verdict.peer, body });
  const { envelope } = options;
  const bytes = envelope
    ? await envelope.seal(operation.name, answer.text)
    : Buffer.from(answer.text);
  return reply
    .code(answer.status)
    .headers({
      'content-type': envelope ? 'application/octet-stream' : 'application/json; charset=utf-8',
      [internalHeaders.signature]: signAnswer(options.signingSeed, {
        status: answer.status,
        body: bytes,
        nonce: verdict.nonce,
      }),
    })
    .send(bytes);
}

async function run(
  ctx: SignedCtx,
  options: SignedRoutesOptions,
  call: Exchange & { readonly peer: string; readonly body: Buffer },
): Promise<{ readonly status: number; readonly text: string }> {
  const { operation, peer, request } = call;
  const write = options.write ?? JSON.stringify;
  try {
    const input = await readBody(options, call);
    const value = await operation.run({
      peer,
      input,
      requestId: request.id,
      signal: signalOf(call.reply),
    });
    request.isIdle = operation.isIdle?.(value, input) ?? false;
    return { status: 200, text: write(value ?? {}) };
  } catch (thrown) {
    const error = readError(thrown, 'P');
    if (error.status >= 500)
      ctx.log.error(
        {
          requestId: request.id,
          operation: operation.name,
          peer,
          code: error.code,
          err: error.cause ?? error,
        },
        'request failed',
      );
    return {
      status: error.status,
      text: write({ code: error.code, message: error.message, details: error.details }),
    };
  }
}

async function readBody(
  { envelope }: SignedRoutesOptions,
  call: { readonly operation: SignedOperation; readonly body: Buffer },
): Promise<unknown> {
  try {
    return JSON.parse(
      envelope ? await envelope.open(call.operation.name, call.body) : call.body.toString('utf8'),
    );
  } catch (cause) {
    throw new ServiceError('invalid-json', { cause });
  }
}

function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

function refuse(
  ctx: SignedCtx,
  { operation, request, reply }: Exchange,
  why: string,
): FastifyReply {
  ctx.log.warn(
    { requestId: request.id, operation: operation.name, why },
    'an internal request was refused',
  );
  request.refusedWith = 'unauthorized';
  return reply.code(401).send({ error: true, message: 'The request is not signed as it must be.' });
}

/**
 * Remembers the nonce until its time window is over; the database decides between two that arrive
 * at once.
 */
async function isNew(
  ctx: SignedCtx,
  request: { readonly peer: string; readonly nonce: string; readonly expiresAt: Date },
): Promise<boolean> {
  const { rowCount } = await ctx.store.query({
    name: 'internal-nonce-insert',
    text: 'insert into internal_nonces (peer, nonce, expires_at) values ($1, $2, $3) on conflict do nothing',
    values: [request.peer, request.nonce, request.expiresAt],
  });
  return rowCount > 0;
}

/** Forgets nonces whose requests would be refused for their time. */
export async function pruneNonces(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  const { rowCount } = await ctx.store.query({
    text: `delete from internal_nonces where (peer, nonce) in
             (select peer, nonce from internal_nonces where expires_at < $1 order by expires_at limit ${noncesPrunedMax})`,
    values: [machineClock(ctx.clock).now()],
  });
  return rowCount;
}
