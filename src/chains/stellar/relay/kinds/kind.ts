import type { xdr } from '@stellar/stellar-sdk/base';
import type { JsonObject } from '../../../../lib/json/json.ts';
import { formatAmount } from '../../../../lib/money/amount.ts';
import type { Db } from '../../../../store/types.ts';
import type { LateEnd, LateNetwork, LateTransaction } from '../../../family/late/network.ts';
import type { OperationError } from '../../../family.ts';
import { explorerLinkOf, type StellarNetwork } from '../../config/networks.ts';
import { isTransaction, type LedgerEntry } from '../../rpc/calls.ts';
import type { StellarConnection } from '../../rpc/connections.ts';
import type { DoneTransaction } from '../../rpc/schemas.ts';
import { freeChannels, type LeaseInput, leaseChannel } from '../channels.ts';
import type { Channel } from '../keys.ts';

/** What the kinds of transactions of the relay share. */

export interface KindDeps {
  readonly db: Db;
  readonly network: StellarNetwork;
  readonly channels: readonly Channel[];
  /** Whether an account has nothing to pay with, as it was seen last. */
  readonly isEmpty?: ((address: string) => boolean) | undefined;
}

export type BuildAnswer = Awaited<ReturnType<LateNetwork['build']>>;

/** As the relay of intents asks, of operations of one kind. */
export interface Kind {
  build(
    connection: StellarConnection,
    input: { readonly operation: JsonObject; readonly operationId: string },
  ): Promise<BuildAnswer>;
  complete(operation: JsonObject, built: Uint8Array, signature: Uint8Array): LateTransaction;
  identify(operation: JsonObject, raw: Uint8Array): string;
  look(connection: StellarConnection, sent: LateTransaction): ReturnType<LateNetwork['look']>;
}

/** Ledgers in which a transaction may land: a minute. */
export const ledgersMax = 12;
/** Bid beside the fee of the resources, whatever a node says others bid. */
const inclusionFeeMin = 100n;
export const inclusionFeeMax = 100_000n;

export function bidOf(asked: bigint): bigint {
  if (asked > inclusionFeeMax) return inclusionFeeMax;
  return asked < inclusionFeeMin ? inclusionFeeMin : asked;
}

interface Leased {
  readonly channel: string;
  readonly lease: LeaseInput;
}

/** Builds with an account of the service, which is given back unless something was built. */
export async function withChannel(
  { db, network, channels, isEmpty = () => false }: KindDeps,
  { operationId, wallet }: Pick<LeaseInput, 'operationId' | 'wallet'>,
  build: (leased: Leased) => Promise<BuildAnswer>,
): Promise<BuildAnswer> {
  const addresses = channels.map(({ address }) => address).filter((address) => !isEmpty(address));
  const lease = { chain: network.name, addresses, operationId, wallet };
  const channel = await leaseChannel(db, lease);
  if (channel === undefined) return 'later';
  let isBuilt = false;
  try {
    const answer = await build({ channel, lease });
    isBuilt = typeof answer === 'object' && 'bytes' in answer;
    return answer;
  } finally {
    if (!isBuilt) await freeChannels(db, network.name, [operationId]);
  }
}

/** @throws Error for an account of another process */
export function keyOf({ channels }: KindDeps, channel: string): Channel {
  const key = channels.find(({ address }) => address === channel);
  if (!key) throw new Error(`No key of ${channel} is known here.`);
  return key;
}

export function encode(transaction: { toXdr(): string }): Uint8Array {
  return new Uint8Array(Buffer.from(transaction.toXdr(), 'base64'));
}

export function tooDear(fee: bigint, costMax: bigint) {
  return refuse(
    'build_failed',
    `It would cost ${formatAmount(fee, 7)} XLM now, above the ${formatAmount(costMax, 7)} XLM that were estimated for it.`,
  );
}

export function refuse(
  reason: OperationError['reason'],
  message: string,
): { readonly refused: OperationError } {
  return { refused: { reason, message } };
}

export function sequenceOf(entry: LedgerEntry | undefined, address: string): bigint {
  if (entry?.data.type !== 'account')
    throw new Error(`The account ${address}, which pays fees, does not exist: fund it.`);
  return entry.data.account.seqNum;
}

/** `onChain` of a transaction, whether a ledger has it or not. */
export function onChainOf(network: StellarNetwork, txId: string): JsonObject {
  const link = explorerLinkOf(network, txId);
  return { txId, explorerLink: link };
}

interface LandedInput {
  readonly txId: string;
  readonly found: DoneTransaction;
  readonly maxFee: bigint;
}

/** @throws Error where the node contradicts what was signed */
export function landed(
  network: StellarNetwork,
  { txId, found, maxFee }: LandedInput,
): Pick<LateEnd, 'onChain' | 'costMinor' | 'fees'> {
  if (!isTransaction(network, found, txId))
    throw new Error(`The node answers another transaction where ${txId} was asked for.`);
  const { feeCharged: costMinor } = found.resultXdr;
  // What cannot be is not written down as spent.
  if (costMinor < 0n || costMinor > maxFee)
    throw new Error(`The node says that ${txId} cost more than was signed for.`);
  const fees = { actual: { amountStroops: costMinor.toString(), token: network.native.symbol } };
  return { onChain: { ...onChainOf(network, txId), ledger: found.ledger }, costMinor, fees };
}

/** Every result of an operation has its kind in one field of its own. */
export function resultName(tr: xdr.OperationResultTr): string {
  const value = (tr as unknown as Readonly<Record<string, { readonly type?: string } | undefined>>)[
    `${tr.type}Result`
  ];
  return value?.type ?? tr.type;
}
