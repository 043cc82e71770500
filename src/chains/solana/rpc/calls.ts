import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import { RpcError } from '../../../lib/net/json-rpc.ts';
import { nodeError } from '../../family/nodes/node-error.ts';
import type { SolanaConnection } from './connections.ts';
import {
  type Account,
  accountSchema,
  addressSchema,
  foundTransactionSchema,
  inContext,
  type SignatureStatus,
  type Simulation,
  signatureSchema,
  simulationSchema,
  statusSchema,
  u64Schema,
} from './schemas.ts';

/**
 * The calls of a node that the family makes. Each throws upstream-error or provider-unavailable
 * unless it says otherwise.
 */

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface View {
  readonly commitment: Commitment;
  /** The node must have seen this slot: an answer from before it is refused. */
  readonly minContextSlot?: bigint;
}

const accountsPerCall = 100;
const statusesPerCall = 256;

/** One call whose answer is as the schema says. */
export async function read<Schema extends z.ZodType>(
  connection: SolanaConnection,
  {
    method,
    params,
    schema,
  }: { readonly method: string; readonly params: readonly unknown[]; readonly schema: Schema },
): Promise<z.infer<Schema>> {
  try {
    return parse(schema, { method, value: await connection.rpc.request(method, params) });
  } catch (error) {
    throw nodeError(error, connection.network.name);
  }
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  { method, value }: { method: string; value: unknown },
): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ServiceError('upstream-error', {
    message: `The node answered ${method} in a form that is not known: retry later.`,
    cause: parsed.error,
  });
}

/**
 * Accounts in the order asked, undefined where there is none, and the oldest slot that the answers
 * are of.
 */
export async function readAccounts(
  connection: SolanaConnection,
  addresses: readonly string[],
  view: View,
): Promise<{ readonly slot: bigint; readonly accounts: readonly (Account | undefined)[] }> {
  const chunks = chunk(addresses, accountsPerCall);
  const answers = await Promise.all(
    chunks.map((some) =>
      read(connection, {
        method: 'getMultipleAccounts',
        params: [some, { encoding: 'base64', ...viewConfig(view) }],
        schema: inContext(z.array(accountSchema.nullable()).length(some.length)),
      }),
    ),
  );
  const slots = answers.map(({ context }) => context.slot);
  return {
    slot: slots.reduce((least, slot) => (slot < least ? slot : least), slots[0] ?? 0n),
    accounts: answers.flatMap(({ value }) => value.map((account) => account ?? undefined)),
  };
}

export async function readSlot(
  connection: SolanaConnection,
  commitment: Commitment,
): Promise<bigint> {
  return read(connection, { method: 'getSlot', params: [{ commitment }], schema: u64Schema });
}

export async function readBlockHeight(
  connection: SolanaConnection,
  commitment: Commitment,
): Promise<bigint> {
  return read(connection, {
    method: 'getBlockHeight',
    params: [{ commitment }],
    schema: u64Schema,
  });
}

export async function readLatestBlockhash(
  connection: SolanaConnection,
  commitment: Commitment,
): Promise<{
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  readonly slot: bigint;
}> {
  const { context, value } = await read(connection, {
    method: 'getLatestBlockhash',
    params: [{ commitment }],
    schema: inContext(z.object({ blockhash: addressSchema, lastValidBlockHeight: u64Schema })),
  });
  return { ...value, slot: context.slot };
}

/** What an account of so many bytes must hold to stay. */
export async function readRent(connection: SolanaConnection, bytes: number): Promise<bigint> {
  return read(connection, {
    method: 'getMinimumBalanceForRentExemption',
    params: [bytes],
    schema: u64Schema,
  });
}

/**
 * In the order asked; null: the node knows of none.
 * @param input.history looks beyond the last minutes too
 */
export async function readStatuses(
  connection: SolanaConnection,
  { signatures, history }: { readonly signatures: readonly string[]; readonly history: boolean },
): Promise<SignatureStatus[]> {
  const answers = await Promise.all(
    chunk(signatures, statusesPerCall).map((some) =>
      read(connection, {
        method: 'getSignatureStatuses',
        params: [some, { searchTransactionHistory: history }],
        schema: inContext(z.array(statusSchema).length(some.length)),
      }),
    ),
  );
  return answers.flatMap(({ value }) => value);
}

/** A transaction that a block has; null where the node knows of none. */
export async function readTransaction(
  connection: SolanaConnection,
  signature: string,
  commitment: 'confirmed' | 'finalized',
) {
  const value = await requestAnyVersion(connection, 'getTransaction', {
    of: signature,
    config: { encoding: 'json', commitment },
  }).catch((error: unknown) => {
    throw nodeError(error, connection.network.name);
  });
  return parse(foundTransactionSchema, { method: 'getTransaction', value });
}

/**
 * One call that answers transactions, whatever version somebody gave them: a node leaves out none
 * that its caller did not ask for, but refuses the call. What is read of them stands at the same
 * place in each version.
 */
export async function requestAnyVersion(
  { rpc }: SolanaConnection,
  method: 'getBlock' | 'getTransaction',
  { of, config }: { readonly of: string | number; readonly config: Record<string, unknown> },
): Promise<unknown> {
  const request = (maxSupportedTransactionVersion: number) =>
    rpc.request(method, [of, { ...config, maxSupportedTransactionVersion }]);
  try {
    return await request(0);
  } catch (error) {
    // Agave: rpc-client-api/src/custom_error.rs, of an `Option<u8>`
    if (!(error instanceof RpcError) || error.code !== -32015) throw error;
    return request(255);
  }
}

/**
 * Priority fees per compute unit, in millionths of a lamport, that were enough in recent blocks for
 * these accounts.
 */
export async function readPriorityFees(
  connection: SolanaConnection,
  writable: readonly string[],
): Promise<readonly bigint[]> {
  const fees = await read(connection, {
    method: 'getRecentPrioritizationFees',
    params: [writable.slice(0, 128)],
    schema: z.array(z.object({ prioritizationFee: u64Schema })),
  });
  return fees.map(({ prioritizationFee }) => prioritizationFee);
}

/** Runs a transaction without sending it. @param wire base64 */
export async function simulate(
  connection: SolanaConnection,
  wire: string,
  input: View & {
    readonly verifies?: boolean;
    readonly replacesBlockhash?: boolean;
    readonly accounts?: readonly string[];
  },
): Promise<Simulation> {
  const { value } = await read(connection, {
    method: 'simulateTransaction',
    params: [
      wire,
      {
        encoding: 'base64',
        sigVerify: input.verifies ?? false,
        replaceRecentBlockhash: input.replacesBlockhash ?? false,
        ...(input.accounts && { accounts: { addresses: input.accounts, encoding: 'base64' } }),
        ...viewConfig(input),
      },
    ],
    schema: inContext(simulationSchema),
  });
  return value;
}

/**
 * Sends a signed transaction; what becomes of it is not known by the answer.
 * @param wire base64 @throws RpcError the node refused it @throws RpcTransportError it may have
 * been sent
 */
export async function send(
  connection: SolanaConnection,
  wire: string,
  { checks }: { readonly checks: boolean },
): Promise<string> {
  const value = await connection.rpc.request('sendTransaction', [
    wire,
    { encoding: 'base64', skipPreflight: !checks, preflightCommitment: 'processed', maxRetries: 0 },
  ]);
  return parse(signatureSchema, { method: 'sendTransaction', value });
}

/** Whether the node says that a slot has no block, or none yet; see {@link blockAbsence}. */
export type BlockAbsence = 'skipped' | 'not-yet' | 'cleaned-up';

/**
 * What the error of a node's `getBlock` says of the block; undefined when it says something else.
 */
export function blockAbsence(error: unknown): BlockAbsence | undefined {
  if (!(error instanceof RpcError)) return undefined;
  // Agave: rpc-client-api/src/custom_error.rs
  if (error.code === -32007 || error.code === -32009) return 'skipped';
  if (error.code === -32004 || error.code === -32014) return 'not-yet';
  return error.code === -32001 || error.code === -32011 ? 'cleaned-up' : undefined;
}

function viewConfig({ commitment, minContextSlot }: View) {
  return {
    commitment,
    ...(minContextSlot !== undefined && { minContextSlot: Number(minContextSlot) }),
  };
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
