import { z } from 'zod';
import type { Json } from '../../../lib/json/json.ts';
import * as calls from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { transactionErrorSchema, u64Schema } from '../rpc/schemas.ts';

/** What the operations ask a node of a cluster, in the terms that they need. */

/** @throws chain-not-supported, provider-unavailable, upstream-error */
export type Connect = (chain: string) => Promise<SolanaConnection>;

export interface ChainAccount {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

export interface Simulated {
  /** As the node writes it; null: it would succeed. */
  readonly err: Json;
  readonly logs: readonly string[];
  readonly units: bigint;
  /** Of the addresses asked for, as they would be; undefined: no account. */
  readonly accounts: readonly (ChainAccount | undefined)[];
}

export interface LandedTransaction {
  readonly err: Json;
  readonly logs: readonly string[];
  /** What the fee payer had less afterwards: fee, and rent of accounts that were made. */
  readonly feePayerPaid: bigint;
  /** What was signed. */
  readonly wire: Uint8Array;
  readonly at: Date | undefined;
}

export interface SignatureStatus {
  readonly err: Json;
  readonly level: calls.Commitment;
}

const landedSchema = z
  .object({
    blockTime: z.int().nullish(),
    transaction: z.tuple([z.base64(), z.literal('base64')]),
    meta: z
      .object({
        err: transactionErrorSchema.nullable(),
        logMessages: z.array(z.string()).nullish(),
        preBalances: z.array(u64Schema),
        postBalances: z.array(u64Schema),
      })
      .nullable(),
  })
  .nullable();

export async function readAccounts(
  connection: SolanaConnection,
  addresses: readonly string[],
  commitment: calls.Commitment = 'confirmed',
): Promise<(ChainAccount | undefined)[]> {
  const { accounts } = await calls.readAccounts(connection, addresses, { commitment });
  return accounts.map(orNone);
}

/** What holds nothing is not there. */
function orNone(account: ChainAccount | null | undefined): ChainAccount | undefined {
  return account && account.lamports > 0n ? account : undefined;
}

export interface SimulateInput {
  readonly wire: Uint8Array;
  /** Accounts to answer as they would be afterwards. */
  readonly addresses: readonly string[];
  /** True: whatever lifetime it names. */
  readonly anyLifetime: boolean;
}

/** Runs a transaction whose signatures may be missing, and changes nothing. */
export async function simulate(
  connection: SolanaConnection,
  { wire, addresses, anyLifetime }: SimulateInput,
): Promise<Simulated> {
  const { err, logs, unitsConsumed, accounts } = await calls.simulate(connection, toBase64(wire), {
    commitment: 'confirmed',
    replacesBlockhash: anyLifetime,
    ...(addresses.length === 0 ? {} : { accounts: addresses }),
  });
  return {
    err: err as Json,
    logs: logs ?? [],
    units: unitsConsumed ?? 0n,
    accounts: addresses.map((_, index) => orNone(accounts?.[index])),
  };
}

/**
 * Hands signed bytes to the cluster; the node's own check is left out, since only the chain's
 * answer counts.
 */
export async function send(connection: SolanaConnection, wire: Uint8Array): Promise<void> {
  await calls.send(connection, toBase64(wire), { checks: false });
}

export async function readStatuses(
  connection: SolanaConnection,
  signatures: readonly string[],
): Promise<(SignatureStatus | undefined)[]> {
  const statuses = await calls.readStatuses(connection, { signatures, history: true });
  return statuses.map((status) =>
    status
      ? { err: status.err as Json, level: status.confirmationStatus ?? 'processed' }
      : undefined,
  );
}

export async function readLanded(
  connection: SolanaConnection,
  signature: string,
): Promise<LandedTransaction | undefined> {
  const found = await calls.read(connection, {
    method: 'getTransaction',
    params: [
      signature,
      { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 },
    ],
    schema: landedSchema,
  });
  if (!found?.meta) return undefined;
  const { meta, transaction, blockTime } = found;
  return {
    err: meta.err as Json,
    logs: meta.logMessages ?? [],
    feePayerPaid: (meta.preBalances[0] ?? 0n) - (meta.postBalances[0] ?? 0n),
    wire: new Uint8Array(Buffer.from(transaction[0], 'base64')),
    at: typeof blockTime === 'number' ? new Date(blockTime * 1000) : undefined,
  };
}

export async function readBlockhash(connection: SolanaConnection): Promise<string> {
  return (await calls.readLatestBlockhash(connection, 'confirmed')).blockhash;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
