import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import { RpcTransportError } from '../../../lib/net/json-rpc.ts';
import { nodeError } from '../../family/nodes/node-error.ts';
import { type AptosNetwork, networkIds } from '../config/networks.ts';
import {
  type AptosRest,
  createAptosRest,
  type Ledger,
  type RestAnswer,
  RestRefusal,
} from './rest.ts';

/** A node that was asked which network it serves, and says the same with every answer. */
export interface AptosNode {
  readonly network: AptosNetwork;
  /** @throws RestRefusal, upstream-error, provider-unavailable */
  get<T>(path: string, schema: z.ZodType<T>): Promise<Answer<T>>;
  post<T>(path: string, body: Uint8Array | object, schema: z.ZodType<T>): Promise<Answer<T>>;
}

export interface Answer<T> {
  readonly value: T;
  readonly ledger: Ledger;
}

export interface NodeInput {
  readonly network: AptosNetwork;
  readonly url: string;
  /** Name of the setting that an operator corrects. */
  readonly setting: string;
  readonly timeoutMs: number;
}

/** @throws upstream-error another network, provider-unavailable */
export async function connectNode(input: NodeInput): Promise<AptosNode> {
  const node = createNode(input, createAptosRest(input));
  await node.get('', z.object({ chain_id: z.int() })).catch((error: unknown) => {
    throw refusedByNode(error, input.network);
  });
  return node;
}

function createNode({ network, setting }: NodeInput, rest: AptosRest): AptosNode {
  function requireNetwork({ chainId }: Ledger): void {
    if (chainId !== network.networkId) throw wrongNetwork(network, chainId, setting);
  }
  async function read<T>(asked: Promise<RestAnswer>, schema: z.ZodType<T>): Promise<Answer<T>> {
    const { body, ledger } = await asked.catch((error: unknown) => {
      if (!(error instanceof RestRefusal)) throw nodeError(error, network.name);
      requireNetwork(error.ledger);
      throw error;
    });
    requireNetwork(ledger);
    const { data, success } = schema.safeParse(body);
    if (!success)
      throw nodeError(
        new RpcTransportError('malformed', 'The answer has another form.'),
        network.name,
      );
    return { value: data, ledger };
  }
  return {
    network,
    get: (path, schema) => read(rest.get(path), schema),
    post: (path, body, schema) => read(rest.post(path, body), schema),
  };
}

function wrongNetwork(
  { name, kind }: AptosNetwork,
  chainId: number,
  setting: string,
): ServiceError {
  const served =
    Object.entries(networkIds).find(([, id]) => id === chainId)?.[0] ?? `the network ${chainId}`;
  return new ServiceError('upstream-error', {
    message: `The node of "${name}" serves ${served} instead of ${kind}: its operator corrects ${setting}.`,
  });
}

/**
 * What a caller may read of a refusal that should not have been: the node's own words go to the
 * log.
 */
export function refusedByNode(error: unknown, network: AptosNetwork): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('upstream-error', {
    message: `The node of "${network.name}" answered wrongly: retry later.`,
    cause: error,
  });
}
