import { GrpcTypes } from '@mysten/sui/grpc';
import { ServiceError } from '../../../lib/errors.ts';
import type { ObjectRef } from '../operation/program.ts';
import type { SuiConnection } from './connections.ts';
import { nodeError, refusalOf } from './node-error.ts';

/**
 * What every answer of a node is read by. Each throws upstream-error or provider-unavailable unless
 * it says otherwise, and so do the calls that are made of it.
 */

/** What the node answers to a call. */
export async function ask<Answer>(
  { network }: SuiConnection,
  call: { readonly response: Promise<Answer> },
): Promise<Answer> {
  try {
    return await call.response;
  } catch (error) {
    throw nodeError(error, network.name);
  }
}

/** As {@link ask}; undefined: the node has nothing of that name. */
export async function orNothing<Answer>(
  { network }: SuiConnection,
  call: { readonly response: Promise<Answer> },
): Promise<Answer | undefined> {
  return call.response.catch((error: unknown) => {
    if (refusalOf(error)?.code === 'NOT_FOUND') return undefined;
    throw nodeError(error, network.name);
  });
}

/** What a node must not leave out. */
export function need<Value>(
  { network }: SuiConnection,
  value: Value | undefined,
  name: string,
): Value {
  if (value !== undefined) return value;
  throw new ServiceError('upstream-error', {
    message: `The node of "${network.name}" answered without ${name}: retry later.`,
  });
}

/** What nobody has asked for, or what cannot be. @throws upstream-error */
export function refuse({ network }: SuiConnection, what: string): never {
  throw new ServiceError('upstream-error', {
    message: `The node of "${network.name}" answered with ${what}: retry later.`,
  });
}

/** By which an object is named in a transaction. */
export function refOf(
  connection: SuiConnection,
  { objectId, version, digest }: GrpcTypes.Object,
): ObjectRef {
  return {
    objectId: need(connection, objectId, 'the id of an object'),
    version: String(need(connection, version, 'the version of an object')),
    digest: need(connection, digest, 'the digest of an object'),
  };
}

export function dateOf({
  seconds,
  nanos,
}: {
  readonly seconds: bigint;
  readonly nanos: number;
}): Date {
  return new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
}
