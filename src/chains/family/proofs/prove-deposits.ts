import type { Environment } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { compareDecimals } from '../../../lib/money/amount.ts';
import type { Deposits, PostedDeposit, RecordedDeposit } from '../capabilities/deposits.ts';
import type { SeenTransfer } from '../capabilities/entrances.ts';
import type { Network } from '../capabilities/networks.ts';
import type { ResolvedToken } from '../capabilities/tokens.ts';
import type { Connections } from '../nodes/connections.ts';

/** Proofs of deposits on chains whose final history never changes. */

/** What a node is asked about them. */
export interface Witness {
  /** Its newest final height. */
  readHead(): Promise<bigint>;
  /** What is final of a transaction. */
  readDeposits(input: {
    readonly txId: string;
    readonly recipientAddress: string;
  }): Promise<PostedDeposit>;
  /** What an address holds at its newest final height; undefined: nothing that can be told. */
  readHeld(
    address: string,
    token: ResolvedToken,
  ): Promise<{ readonly height: bigint; readonly amountMinor: bigint | undefined }>;
}

export interface ProveInput<Connection> {
  readonly connections: Pick<Connections<Network, Connection>, 'connect' | 'connectSecond'>;
  readonly witnessOf: (connection: Connection) => Witness;
  readonly environment: Environment;
  /** US dollars; absent: no bound. */
  readonly aloneMaxUsd: string | undefined;
  /** Names of the settings, for those who have to wait. */
  readonly settings: { readonly aloneMax: string; readonly second: string };
}

/** In sentences. */
interface Named extends Witness {
  readonly name: string;
  readonly chain: string;
}

const transactionsMax = 100;

/**
 * As `Deposits.proveDeposits`. Every deposit is read anew by its transaction; the recipient's final
 * balance has to carry them all. Without a second node one that lies could do so consistently: then
 * the worth is bounded.
 */
export async function proveDeposits<Connection>(
  { connections, witnessOf, environment, aloneMaxUsd, settings }: ProveInput<Connection>,
  { chain, deposits, worthUsd }: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const second = await connections.connectSecond(chain);
  // The node of a developer is a process of this service.
  if (!second && environment === 'development' && aloneMaxUsd === undefined) return undefined;
  if (
    !second &&
    aloneMaxUsd !== undefined &&
    (worthUsd === undefined || compareDecimals(worthUsd, aloneMaxUsd) > 0)
  )
    return `are worth ${worthUsd ?? 'an unknown number of'} US dollars and only one node tells of them: more than ${aloneMaxUsd} (${settings.aloneMax}) leave only when a second one does (${settings.second})`;
  const witness = witnessOf(second ?? (await connections.connect(chain)));
  return refute({ ...witness, name: second ? 'the second node' : 'the node', chain }, deposits);
}

async function refute(
  witness: Named,
  deposits: readonly RecordedDeposit[],
): Promise<string | undefined> {
  const head = await witness.readHead();
  if (deposits.some((deposit) => deposit.height > head))
    throw new ServiceError('provider-unavailable', {
      message: `${witness.name} of "${witness.chain}" has not seen as final what the first one has: it is asked again.`,
    });
  for (const [txId, own] of byTransaction(deposits)) {
    const { transfers } = await witness.readDeposits({ txId, recipientAddress: own[0]!.recipient });
    const missing = own.find((deposit) => !transfers.some((transfer) => isSame(transfer, deposit)));
    if (missing)
      return `are not proven: ${witness.name} does not have ${missing.amountMinor} of ${missing.token.locator} in the transaction ${txId}, as they were recorded`;
  }
  return refuteBalance(witness, deposits);
}

/**
 * What is gone from the treasury by now has left it honestly only in transfers that its books know:
 * more than it holds never came.
 */
async function refuteBalance(
  { name, readHeld }: Named,
  deposits: readonly RecordedDeposit[],
): Promise<string | undefined> {
  const [{ recipient, token }] = deposits as readonly [RecordedDeposit];
  const { height, amountMinor } = await readHeld(recipient, token);
  const sumMinor = deposits.reduce((sum, deposit) => sum + deposit.amountMinor, 0n);
  if (amountMinor !== undefined && amountMinor >= sumMinor) return undefined;
  return `are not proven: ${name} says that ${recipient} holds ${amountMinor ?? 'nothing that can be told'} of ${token.locator} at the final height ${height}, less than the ${sumMinor} that came`;
}

function byTransaction(deposits: readonly RecordedDeposit[]): Map<string, RecordedDeposit[]> {
  const groups = new Map<string, RecordedDeposit[]>();
  for (const deposit of deposits)
    groups.set(deposit.txId, [...(groups.get(deposit.txId) ?? []), deposit]);
  if (groups.size > transactionsMax)
    throw new ServiceError('upstream-error', {
      message: `More than ${transactionsMax} transactions pay one order: its operator looks at it.`,
    });
  return groups;
}

function isSame(
  transfer: Pick<SeenTransfer, 'id' | 'amountMinor' | 'sender' | 'memo'>,
  deposit: RecordedDeposit,
): boolean {
  return (
    transfer.id === deposit.seenId &&
    transfer.amountMinor === deposit.amountMinor &&
    transfer.memo === deposit.memo &&
    transfer.sender === deposit.sender
  );
}
