import type { components, operations } from './openapi.ts';
import type { operations as vaultOperations } from './vault-openapi.ts';

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type JsonBody<Operation> = Operation extends {
  requestBody?: { content: { 'application/json': infer B } };
}
  ? B
  : never;
type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)];
type JsonAnswer<Operation> = Operation extends { responses: infer R }
  ? Success<R> extends infer One
    ? One extends { content: { 'application/json': infer A } }
      ? A
      : never
    : never
  : never;

/** What is sent to an operation. */
export type Body<Id extends keyof operations> = JsonBody<operations[Id]>;
/** Its parameters in the query; those that count, such as `limit`, may be numbers. */
export type Query<Id extends keyof operations> = operations[Id] extends {
  parameters: { query?: infer Q };
}
  ? Counted<NonNullable<Q>>
  : never;
type Counted<Q> = {
  [Name in keyof Q]: Name extends 'limit' | 'page' | 'perPage' ? Q[Name] | number : Q[Name];
};
/** What it answers. */
export type Answer<Id extends keyof operations> = JsonAnswer<operations[Id]>;
export type VaultBody<Id extends keyof vaultOperations> = JsonBody<vaultOperations[Id]>;
export type VaultAnswer<Id extends keyof vaultOperations> = JsonAnswer<vaultOperations[Id]>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Default: a new one for each call, the same over its retries. Give your own to repeat a call
   * after a restart.
   */
  readonly idempotencyKey?: string;
  /**
   * Of one order: with it a client key reads, changes and pays that order. In place of the user's
   * JWT.
   */
  readonly clientSecret?: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Default: JSON. */
  readonly as?: 'blob';
  /** Default: the service. */
  readonly host?: 'vault';
}

/** Makes a call. @throws PurserError */
export type Send = <A>(
  method: Method,
  path: string,
  parts: Parts,
  call?: CallOptions,
) => Promise<A>;

/**
 * Makes a call whose answer is the first page of a list. `items` names the list in it, `next` the
 * parameter that asks for more.
 */
export type SendPages = <A, Items extends string>(
  method: Method,
  path: string,
  parts: Parts,
  items: Items,
  next: 'cursor' | 'after' | 'page',
  call?: CallOptions,
) => Paged<A, Item<A, Items>>;

type Item<A, Items extends string> = Items extends keyof A ? ElementOf<A[Items]> : ElementOf<A>;
type ElementOf<List> = List extends readonly (infer E)[] ? E : never;

/**
 * `await` gives the first page as answered, `for await` every item of this page and of those after
 * it.
 */
export interface Paged<Page, One> extends Promise<Page>, AsyncIterable<One> {}
