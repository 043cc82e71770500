import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller, Ctx, RequestCtx } from '../../context.ts';
import { formatError, readError } from '../answers/error-answer.ts';
import {
  claimIdempotencyKey,
  type IdempotencyInput,
  type IdempotentCall,
  readIdempotencyKey,
  type StoredAnswer,
  type StoredAnswers,
} from '../answers/idempotency.ts';
import { type OpenStreams, sendStream } from '../answers/send-stream.ts';
import { checkTexts, readInput } from '../input.ts';
import type { Answer, AnswerStream, AnyRoute } from './route.ts';

export interface ServeOptions {
  /**
   * Refuses to send an answer that does not fit its schema. For tests and development: it costs
   * time.
   */
  readonly checkAnswers: boolean;
  /** How the answers of idempotent calls are kept; readable when absent. */
  readonly storedAnswers?: StoredAnswers;
  /** Answers that are still being sent. */
  readonly streams: OpenStreams;
}

interface Served extends StoredAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream?: AnswerStream;
  readonly bytes?: Buffer;
}

/** Answers a request whose caller is known: idempotency, input, handler, answer. */
export async function serveRoute(
  ctx: Ctx,
  options: ServeOptions,
  call: { route: AnyRoute; caller: Caller; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { route, caller, request, reply } = call;
  checkTexts('path', request.params);
  checkTexts('query', request.query);
  const base: RequestCtx = {
    ...ctx,
    log: ctx.log.child({ requestId: request.id }),
    caller,
    requestId: request.id,
  };
  const key =
    route.method === 'POST'
      ? readIdempotencyKey(readHeader(request, 'x-idempotency-key'))
      : undefined;
  if (key === undefined) {
    const served = await runHandler(base, options, { route, request });
    if (served.bytes)
      return sendBytes(reply, {
        ...served,
        contentType: route.responses[served.status]?.bytes,
        bytes: served.bytes,
      });
    if (served.stream === undefined) return sendServed(reply, served);
    const contentType = route.responses[served.status]?.streams ?? 'application/octet-stream';
    return sendStream(options.streams, {
      ...served,
      stream: served.stream,
      contentType,
      request,
      reply,
    });
  }

  const identity: IdempotencyInput = {
    caller,
    method: route.method,
    path: fillPath(route.path, request.params as Record<string, string>),
    key,
    body: request.body,
  };
  const claimed = await claimIdempotencyKey(ctx, identity, options.storedAnswers);
  if (!('settle' in claimed)) {
    return sendServed(reply, {
      body: claimed.body,
      status: route.replayedStatus?.[claimed.status] ?? claimed.status,
      headers: { 'idempotency-replayed': 'true' },
    });
  }
  return sendServed(reply, await runOnce(claimed, base, options, { route, request }));
}

/**
 * Runs the handler and settles the claim, also when the request's own time-out has answered
 * already.
 */
async function runOnce(
  call: IdempotentCall,
  ctx: RequestCtx,
  options: ServeOptions,
  input: { route: AnyRoute; request: FastifyRequest },
): Promise<Served> {
  const settle = async (answer: StoredAnswer) => {
    // What the handler did is done: a lost store of its answer must not turn it into an error.
    await call
      .settle(answer)
      .catch((error: unknown) =>
        ctx.log.error({ err: error }, 'the answer of an idempotent call could not be stored'),
      );
  };
  try {
    const served = await runHandler({ ...ctx, idempotency: call }, options, input);
    await settle(served);
    return served;
  } catch (thrown) {
    const error = readError(thrown, input.route.family);
    const { status, body } = formatError(error, input.route.family);
    await settle({ status, body: JSON.stringify(body) });
    throw error;
  }
}

async function runHandler(
  ctx: RequestCtx,
  options: ServeOptions,
  input: { route: AnyRoute; request: FastifyRequest },
): Promise<Served> {
  const { route, request } = input;
  const answer = await route.handler(ctx, {
    params: readInput(route.params, 'path', request.params),
    query: readInput(route.query, 'query', request.query),
    body: readInput(route.body, 'body', request.body),
    headers: readInput(route.headers, 'headers', request.headers),
  } as never);
  const body = answer.body === undefined ? '' : JSON.stringify(answer.body);
  if (options.checkAnswers) checkAnswer(route, answer, body);
  return {
    status: answer.status,
    headers: answer.headers,
    body,
    ...(answer.stream && { stream: answer.stream }),
    ...(answer.bytes && { bytes: answer.bytes }),
  };
}

function sendBytes(
  reply: FastifyReply,
  answer: {
    readonly status: number;
    readonly contentType: string | undefined;
    readonly bytes: Buffer;
  },
): FastifyReply {
  if (reply.sent) return reply;
  return reply
    .code(answer.status)
    .header('content-type', answer.contentType ?? 'application/octet-stream')
    .send(answer.bytes);
}

function sendServed(reply: FastifyReply, served: Served): FastifyReply {
  if (reply.sent) return reply;
  reply.code(served.status);
  if (served.headers) reply.headers(served.headers);
  if (served.body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(served.body);
}

/**
 * The promise of the documentation, kept: an answer that breaks it is a bug, found by whichever
 * test sees it first.
 */
function checkAnswer(route: AnyRoute, answer: Answer, body: string): void {
  const where = `${route.method} ${route.path} answered ${answer.status}`;
  const declared = route.responses[answer.status];
  if (!declared) throw new Error(`${where}, which its route does not declare`);
  if (answer.stream) {
    if (!declared.streams || body !== '')
      throw new Error(
        `${where} with a stream, which its route does not declare, or with a body beside it`,
      );
    return;
  }
  if (answer.bytes) {
    if (!declared.bytes || body !== '')
      throw new Error(
        `${where} with bytes, which its route does not declare, or with a body beside them`,
      );
    return;
  }
  if (!declared.schema) {
    if (body !== '') throw new Error(`${where} with a body, and its route declares none`);
    return;
  }
  const sent: unknown = body === '' ? undefined : JSON.parse(body);
  const result = declared.schema.safeParse(sent);
  if (!result.success)
    throw new Error(`${where} with a body that does not fit its schema: ${result.error.message}`);
  // A failed transaction declares its `error`. Anywhere else existing clients take the field for a
  // failure of the call.
  const declaresError = declared.schema instanceof z.ZodObject && 'error' in declared.schema.shape;
  if (typeof sent === 'object' && sent !== null && 'error' in sent && !declaresError)
    throw new Error(`${where} with an undeclared field "error"`);
}

/**
 * The path with its parameters as decoded; `:` inside a value cannot start a parameter, since each
 * is filled once.
 */
function fillPath(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:([A-Za-z]\w*)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
