import { z } from 'zod';
import type { Json } from '../../../lib/json.ts';

/** What the operations ask a node of a cluster, in the terms that they need. */

export interface ChainAccount {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
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
  readonly slot: bigint;
  readonly err: Json;
  readonly logs: readonly string[];
  /** What the fee payer had less afterwards: fee, and rent of accounts that were made. */
  readonly feePayerPaid: bigint;
  /** What was signed. */
  readonly wire: Uint8Array;
  readonly at: Date | undefined;
}

export interface SignatureStatus {
  readonly slot: bigint;
  readonly err: Json;
  readonly level: 'processed' | 'confirmed' | 'finalized';
}

/** A client of a node, as {@link ../rpc/rpc.ts} makes it: amounts that JavaScript would round are decimal strings. */
export interface NodeRpc {
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
}

type Commitment = 'processed' | 'confirmed' | 'finalized';

const accountsPerCallMax = 100;
const amount = z.union([z.int(), z.string().regex(/^\d+$/)]).transform((value) => BigInt(value));
const json = z.json() as unknown as z.ZodType<Json>;
const logs = z.array(z.string()).nullish();
const account = z
  .object({ lamports: amount, owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) })
  .nullable()
  .transform((found): ChainAccount | undefined =>
    found === null || found.lamports === 0n
      ? undefined
      : { lamports: found.lamports, owner: found.owner, data: new Uint8Array(Buffer.from(found.data[0], 'base64')) },
  );
const inContext = <Value extends z.ZodType>(value: Value) => z.object({ value });
const accountsSchema = inContext(z.array(account));
const simulatedSchema = inContext(z.object({ err: json, logs, unitsConsumed: amount.nullish(), accounts: z.array(account).nullish() }));
const statusesSchema = inContext(
  z.array(z.object({ slot: amount, err: json, confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish() }).nullable()),
);
const landedSchema = z
  .object({
    slot: amount,
    blockTime: z.int().nullish(),
    transaction: z.tuple([z.string(), z.literal('base64')]),
    meta: z.object({ err: json, logMessages: logs, preBalances: z.array(amount), postBalances: z.array(amount) }).nullable(),
  })
  .nullable();
const blockhashSchema = inContext(z.object({ blockhash: z.string() }));
const pricesSchema = z.array(z.object({ prioritizationFee: amount }));

export async function readAccounts(
  rpc: NodeRpc,
  addresses: readonly string[],
  commitment: Commitment = 'confirmed',
): Promise<(ChainAccount | undefined)[]> {
  const found: (ChainAccount | undefined)[] = [];
  for (let start = 0; start < addresses.length; start += accountsPerCallMax) {
    const part = addresses.slice(start, start + accountsPerCallMax);
    const { value } = accountsSchema.parse(await rpc.request('getMultipleAccounts', [part, { commitment, encoding: 'base64' }]));
    found.push(...part.map((_, index) => value[index]));
  }
  return found;
}

export interface SimulateInput {
  readonly wire: Uint8Array;
  /** Accounts to answer as they would be afterwards. */
  readonly addresses: readonly string[];
  /** True: whatever lifetime it names. */
  readonly anyLifetime: boolean;
}

/** Runs a transaction whose signatures may be missing, and changes nothing. */
export async function simulate(rpc: NodeRpc, { wire, addresses, anyLifetime }: SimulateInput): Promise<Simulated> {
  const { value } = simulatedSchema.parse(
    await rpc.request('simulateTransaction', [
      toBase64(wire),
      {
        encoding: 'base64',
        commitment: 'confirmed',
        sigVerify: false,
        replaceRecentBlockhash: anyLifetime,
        ...(addresses.length === 0 ? {} : { accounts: { addresses, encoding: 'base64' } }),
      },
    ]),
  );
  return {
    err: value.err,
    logs: value.logs ?? [],
    units: value.unitsConsumed ?? 0n,
    accounts: addresses.map((_, index) => value.accounts?.[index]),
  };
}

/** Hands signed bytes to the cluster; the node's own check is left out, since only the chain's answer counts. */
export async function send(rpc: NodeRpc, wire: Uint8Array): Promise<void> {
  await rpc.request('sendTransaction', [toBase64(wire), { encoding: 'base64', skipPreflight: true, maxRetries: 0 }]);
}

export async function readStatuses(rpc: NodeRpc, signatures: readonly string[]): Promise<(SignatureStatus | undefined)[]> {
  if (signatures.length === 0) return [];
  const { value } = statusesSchema.parse(await rpc.request('getSignatureStatuses', [signatures, { searchTransactionHistory: true }]));
  return signatures.map((_, index) => {
    const status = value[index];
    return status ? { slot: status.slot, err: status.err, level: status.confirmationStatus ?? 'processed' } : undefined;
  });
}

export async function readLanded(rpc: NodeRpc, signature: string): Promise<LandedTransaction | undefined> {
  const found = landedSchema.parse(
    await rpc.request('getTransaction', [signature, { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 }]),
  );
  if (!found?.meta) return undefined;
  const { meta, transaction, slot, blockTime } = found;
  return {
    slot,
    err: meta.err,
    logs: meta.logMessages ?? [],
    feePayerPaid: (meta.preBalances[0] ?? 0n) - (meta.postBalances[0] ?? 0n),
    wire: new Uint8Array(Buffer.from(transaction[0], 'base64')),
    at: typeof blockTime === 'number' ? new Date(blockTime * 1000) : undefined,
  };
}

/** The least that an account of so many bytes holds. */
export async function readRent(rpc: NodeRpc, bytes: number): Promise<bigint> {
  return amount.parse(await rpc.request('getMinimumBalanceForRentExemption', [bytes]));
}

export async function readBlockhash(rpc: NodeRpc): Promise<string> {
  return blockhashSchema.parse(await rpc.request('getLatestBlockhash', [{ commitment: 'confirmed' }])).value.blockhash;
}

/** What units of computation cost in recent blocks that wrote to these accounts, in millionths of a lamport. */
export async function readRecentPrices(rpc: NodeRpc, addresses: readonly string[]): Promise<bigint[]> {
  return pricesSchema
    .parse(await rpc.request('getRecentPrioritizationFees', [addresses]))
    .map(({ prioritizationFee }) => prioritizationFee);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
