import type { z } from 'zod';
import type { Ctx, RequestCtx } from '../../context.ts';
import type { ErrorCode } from '../../lib/errors.ts';

/**
 * Which error body a route answers (supplement, section 17). `W`, `U`, `P`, `O` share one shape,
 * `A` has its own.
 */
export type ErrorFamily = 'W' | 'U' | 'P' | 'O' | 'A';

export interface RouteAuth {
  /** Kinds of keys that reach the route. */
  readonly keys: 'server' | 'client' | 'both';
  /** A client key needs a valid user JWT here. Server keys never carry one. */
  readonly user: 'required' | 'optional' | 'none';
  /** Any one of these scopes suffices. */
  readonly scopes: readonly string[];
  /** As `scopes`, for server keys only: where a client key is bound to its user instead. */
  readonly serverScopes?: readonly string[];
}

type Schema = z.ZodType;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

/** An answer: status and body. The body must fit the schema of that status. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of a body, as it comes. The response declares its content type. */
  readonly stream?: AnswerStream;
  /** Sent instead of a body. The response declares its content type. */
  readonly bytes?: Buffer;
}

/**
 * Chunks of an answer, each made when the one before is on its way. The signal says that the caller
 * has gone or that the server stops: the stream then ends by itself, or is cut off.
 */
export type AnswerStream = (signal: AbortSignal) => AsyncIterable<string>;

/** One endpoint: its shape once, as type, validator and documentation. */
export interface RouteSpec<
  Params extends Schema | undefined,
  Query extends Schema | undefined,
  Body extends Schema | undefined,
  Headers extends Schema | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Below `{base_url}`, with `:name` parameters, e.g. `/2025-06-09/wallets/:walletLocator`.
   * Parameters arrive percent-decoded once.
   */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly family: ErrorFamily;
  readonly auth: RouteAuth;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Request headers that the handler reads, by lower-case name. */
  readonly headers?: Headers;
  /** Body limit in bytes; 1 MiB when absent. */
  readonly bodyLimitBytes?: number;
  /**
   * Statuses that a repeated POST with the same idempotency key answers with another one: create
   * wallet has {201: 200}.
   */
  readonly replayedStatus?: Readonly<Record<number, number>>;
  /** More than the summary, for the documentation. Markdown. */
  readonly description?: string;
  readonly responses: Readonly<
    Record<
      number,
      {
        readonly description: string;
        readonly schema?: Schema;
        /** Content type of a stream that may come instead. */
        readonly streams?: 'text/event-stream';
        /** Content type of the bytes that come instead. */
        readonly bytes?: 'image/jpeg';
      }
    >
  >;
  /**
   * What is said to a method that this path has on another host: where to send it. The body is not
   * read.
   */
  readonly elsewhere?: Readonly<Record<string, (ctx: Pick<Ctx, 'config'>) => string>>;
  /**
   * Codes this route may refuse with, beyond the general ones; for the documentation and the test
   * per status.
   */
  readonly errors: readonly ErrorCode[];
  readonly handler: (
    ctx: RequestCtx,
    input: { params: Out<Params>; query: Out<Query>; body: Out<Body>; headers: Out<Headers> },
  ) => Promise<Answer>;
}

export type AnyRoute = RouteSpec<
  Schema | undefined,
  Schema | undefined,
  Schema | undefined,
  Schema | undefined
>;

/** Declares an endpoint with inferred input types. */
export function route<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Headers extends Schema | undefined = undefined,
>(spec: RouteSpec<Params, Query, Body, Headers>): AnyRoute {
  return spec as unknown as AnyRoute;
}
