import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerStream } from '../routes/route.ts';

/** Answers of a server that are still being sent. */
export interface OpenStreams {
  add(aborter: AbortController): void;
  remove(aborter: AbortController): void;
  /** Asks all of them to end, and those that come later. */
  endAll(): void;
}

export function createOpenStreams(): OpenStreams {
  const open = new Set<AbortController>();
  let ending = false;
  return {
    add: (aborter) => {
      open.add(aborter);
      if (ending) aborter.abort();
    },
    remove: (aborter) => void open.delete(aborter),
    endAll: () => {
      ending = true;
      for (const aborter of open) aborter.abort();
    },
  };
}

/**
 * Sends an answer as it comes. A caller that reads slowly is waited for; no chunk is made before
 * the one before has left.
 */
export function sendStream(
  streams: OpenStreams,
  answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly contentType: string;
    readonly stream: AnswerStream;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  },
): FastifyReply {
  const { reply, request } = answer;
  const aborter = new AbortController();
  // The time-out is for answers that do not come; this one has begun.
  clearTimeout(request.answerTimer);
  streams.add(aborter);
  const leave = () => {
    streams.remove(aborter);
    aborter.abort();
  };
  // Who has gone already does not go again.
  if (reply.raw.closed) leave();
  else reply.raw.once('close', leave);
  return reply
    .code(answer.status)
    .headers({
      ...answer.headers,
      'content-type': answer.contentType,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    .send(
      Readable.from(answer.stream(aborter.signal), { objectMode: false, highWaterMark: 1_024 }),
    );
}
