import { z } from 'zod';
import { type Executed, executedSchema } from '../operation/outcome.ts';
import { type AptosNode, refusedByNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';

/**
 * The node's history is not the one that was read before, or has holes: nothing of it is recorded.
 */
export class BrokenHistoryError extends Error {
  override readonly name = 'BrokenHistoryError';
}

/** The last version that was read, and which transaction it was. */
export interface LastVersion {
  readonly version: bigint;
  readonly hash: string;
}

/** A transaction of somebody; those of the network itself are passed over. */
export interface SeenTransaction extends Executed {
  readonly version: bigint;
  readonly timestampUs: bigint;
}

export interface VersionsRead {
  readonly transactions: readonly SeenTransaction[];
  /** Where to go on; of the input when there was nothing new. */
  readonly last: LastVersion;
  /** The newest version that the node told of. */
  readonly head: bigint;
}

const u64 = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const entrySchema = z.object({
  version: u64,
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  type: z.string(),
  timestamp: u64.optional(),
});
const userSchema = executedSchema.extend({ timestamp: u64 });

/** What a node gives at once, whatever it is asked for. */
export const versionsMax = 100;

/**
 * Reads on behind `last`, which is read again: a node with another history, or behind what was
 * read, shows itself by its hash. Versions have no holes, and none is ever replaced.
 * @param limit new versions, below {@link versionsMax} @throws BrokenHistoryError, upstream-error,
 * provider-unavailable
 */
export async function readVersions(
  node: AptosNode,
  last: LastVersion,
  limit: number,
): Promise<VersionsRead> {
  const count = Math.min(limit, versionsMax - 1) + 1;
  const { value, ledger } = await node
    .get(
      `/transactions?start=${last.version}&limit=${count}`,
      z.array(z.unknown()).max(versionsMax),
    )
    .catch((error: unknown) => {
      throw explain(error, node, last);
    });
  const entries = value.map((one) => readAs(entrySchema, one));
  if (entries[0]?.hash !== last.hash)
    throw new BrokenHistoryError(
      `Version ${last.version} was ${last.hash}, and the node has ${entries[0]?.hash ?? 'nothing'} there.`,
    );
  for (const [index, { version }] of entries.entries())
    if (version !== last.version + BigInt(index))
      throw new BrokenHistoryError(
        `The node tells version ${version} where ${last.version + BigInt(index)} stands.`,
      );
  const transactions = value.slice(1).flatMap((one, index): SeenTransaction[] => {
    const { type, version } = entries[index + 1]!;
    if (type !== 'user_transaction') return [];
    const { timestamp: timestampUs, ...executed } = readAs(userSchema, one);
    return [{ ...executed, version, timestampUs }];
  });
  const { version, hash } = entries.at(-1)!;
  return { transactions, last: { version, hash }, head: ledger.version };
}

/** Where to begin: at a version, or at the node's newest. @throws as {@link readVersions} */
export async function readPlace(node: AptosNode, at?: bigint): Promise<LastVersion> {
  const known = at ?? (await node.get('', z.object({ ledger_version: u64 }))).value.ledger_version;
  const { value } = await node
    .get(`/transactions/by_version/${known}`, entrySchema)
    .catch((error: unknown) => {
      throw explain(error, node, { version: known });
    });
  if (value.version !== known)
    throw new BrokenHistoryError(
      `The node tells version ${value.version} when it is asked for ${known}.`,
    );
  return { version: value.version, hash: value.hash };
}

function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, success, error } = schema.safeParse(value);
  if (!success)
    throw new BrokenHistoryError(
      `A transaction has another form: ${z.prettifyError(error).slice(0, 300)}`,
    );
  return data;
}

/** A version that is not there: pruned, or the node is behind. */
function explain(
  error: unknown,
  node: AptosNode,
  { version }: Pick<LastVersion, 'version'>,
): Error {
  if (!(error instanceof RestRefusal)) return refusedByNode(error, node.network);
  const why =
    error.status === 410
      ? 'it keeps no more history of that time'
      : `its newest is ${error.ledger.version}`;
  return new BrokenHistoryError(`The node does not have version ${version}: ${why}.`);
}
