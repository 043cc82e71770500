import type { KeyObject } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readError } from '../http/error-answer.ts';
import { machineClock } from '../lib/clock.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Secret } from '../lib/secret.ts';
import type { AnyInternalOperation, VaultPeer } from './internal-operation.ts';
import { internalContentType, internalHeaders, signAnswer, verifyRequest } from './internal-requests.ts';
import type { VaultCtx } from './vault.ts';

export interface InternalServerOptions {
  readonly operations: readonly AnyInternalOperation[];
  /** Public keys of the processes that may ask. */
  readonly peers: ReadonlyMap<VaultPeer, KeyObject>;
  /** Ed25519 seed of the vault: signs its answers. */
  readonly signingSeed: Secret<Uint8Array>;
}

/** A push of the directory is the largest request. */
const bodyLimitBytes = 4 * 1_024 * 1_024;
const noncesPrunedMax = 10_000;

/**
 * Adds `POST /internal/v1/<operation>` to a server that does not listen yet. Every answer to a genuine request is signed;
 * a request that is not genuine gets 401 and no reason, and the reason is in the log.
 */
export function addInternalRoutes(server: FastifyInstance, ctx: VaultCtx, options: InternalServerOptions): void {
  server.addContentTypeParser(internalContentType, { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
  for (const operation of options.operations) {
    server.route({
      method: 'POST',
      url: `/internal/v1/${operation.name}`,
      bodyLimit: bodyLimitBytes,
      handler: (request, reply) => serve(ctx, options, { operation, request, reply }),
    });
  }
}

async function serve(
  ctx: VaultCtx,
  options: InternalServerOptions,
  call: { readonly operation: AnyInternalOperation; readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const { operation, request, reply } = call;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verdict = verifyRequest({
    peers: options.peers,
    headers: request.headers,
    request: { method: 'POST', path: `/internal/v1/${operation.name}`, body },
    now: machineClock(ctx.clock).now(),
  });
  if (!verdict.ok) return refuse(ctx, call, verdict.why);
  if (!(await isNew(ctx, verdict))) return refuse(ctx, call, 'its nonce was used before');

  const answer = await run(ctx, { operation, peer: verdict.peer as VaultPeer, body, requestId: request.id });
  const bytes = Buffer.from(JSON.stringify(answer.value));
  return reply
    .code(answer.status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      [internalHeaders.signature]: signAnswer(options.signingSeed, { status: answer.status, body: bytes, nonce: verdict.nonce }),
    })
    .send(bytes);
}

async function run(
  ctx: VaultCtx,
  input: { readonly operation: AnyInternalOperation; readonly peer: VaultPeer; readonly body: Buffer; readonly requestId: string },
): Promise<{ readonly status: number; readonly value: unknown }> {
  const { operation, peer } = input;
  try {
    if (!operation.peers.includes(peer))
      throw new ServiceError('forbidden', { message: `The process "${peer}" may not ask the vault for ${operation.name}.` });
    const read = operation.input.safeParse(JSON.parse(input.body.toString('utf8')));
    if (!read.success) throw new ServiceError('validation-error', { message: `The input of ${operation.name} does not fit.` });
    const value = await operation.run({ ...ctx, peer }, read.data as never);
    return { status: 200, value: value ?? {} };
  } catch (thrown) {
    const error = readError(thrown, 'P');
    if (error.status >= 500)
      ctx.log.error(
        { requestId: input.requestId, operation: operation.name, peer, code: error.code, err: error.cause ?? error },
        'request failed',
      );
    return { status: error.status, value: { code: error.code, message: error.message, details: error.details } };
  }
}

function refuse(
  ctx: VaultCtx,
  call: { operation: AnyInternalOperation; request: FastifyRequest; reply: FastifyReply },
  why: string,
): FastifyReply {
  ctx.log.warn({ requestId: call.request.id, operation: call.operation.name, why }, 'an internal request was refused');
  call.request.refusedWith = 'unauthorized';
  return call.reply.code(401).send({ error: true, message: 'The request is not signed as it must be.' });
}

/** Remembers the nonce until its time window is over; the database decides between two that arrive at once. */
async function isNew(
  ctx: VaultCtx,
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
export async function pruneNonces(ctx: Pick<VaultCtx, 'store' | 'clock'>): Promise<number> {
  const { rowCount } = await ctx.store.query({
    text: `delete from internal_nonces where (peer, nonce) in
             (select peer, nonce from internal_nonces where expires_at < $1 order by expires_at limit ${noncesPrunedMax})`,
    values: [machineClock(ctx.clock).now()],
  });
  return rowCount;
}
