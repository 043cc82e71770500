import type { xdr } from '@stellar/stellar-sdk/base';
import type { HostOutcome } from '../host/host.ts';

/**
 * Each in stroops. The shape is the network's, the numbers are near its own: what comes out is an
 * estimate.
 */
const prices = {
  per10kInstructions: 25n,
  perEntryRead: 1_563n,
  perEntryWritten: 2_500n,
  perKbRead: 447n,
  perKbWritten: 875n,
  perKbOfTransaction: 1_624n,
  perKbOfEvents: 5_000n,
  /** Of a kilobyte that lives for the shortest time of a persistent entry. */
  perKbOfRent: 12_000n,
};
export const baseFee = 100n;

export interface Resources {
  readonly instructions: number;
  readonly entriesRead: number;
  readonly entriesWritten: number;
  readonly readBytes: number;
  readonly writeBytes: number;
}

const kb = (bytes: number, price: bigint) => (BigInt(bytes) * price + 1_023n) / 1_024n;

/** What must be paid whatever happens: declared resources, and the size of the transaction. */
export function resourceFee(resources: Resources, transactionBytes: number): bigint {
  const { instructions, entriesRead, entriesWritten, readBytes, writeBytes } = resources;
  return (
    ((BigInt(instructions) + 9_999n) / 10_000n) * prices.per10kInstructions +
    BigInt(entriesRead) * prices.perEntryRead +
    BigInt(entriesWritten) * prices.perEntryWritten +
    kb(readBytes, prices.perKbRead) +
    kb(writeBytes, prices.perKbWritten) +
    kb(transactionBytes, prices.perKbOfTransaction)
  );
}

export function declaredResources({
  footprint,
  instructions,
  diskReadBytes,
  writeBytes,
}: xdr.SorobanResources): Resources {
  const written = footprint.readWrite.length;
  return {
    instructions,
    entriesRead: footprint.readOnly.length + written,
    entriesWritten: written,
    readBytes: diskReadBytes,
    writeBytes,
  };
}

/** Bytes that an invocation reads and writes, and what it makes live longer. */
export function usageOf(
  { changes, events }: Pick<HostOutcome, 'changes' | 'events'>,
  readBytes: number,
): { readonly readBytes: number; readonly writeBytes: number; readonly refundable: bigint } {
  const written = changes.filter(({ before, after }) => after && before?.entry !== after.entry);
  const size = (bytes: readonly { toXdr(): Uint8Array }[]) =>
    bytes.reduce((sum, one) => sum + one.toXdr().length, 0);
  const writeBytes = size(written.map(({ after }) => after!.entry));
  const rent = changes.reduce((sum, { before, after }) => {
    const longer = (after?.liveUntil ?? 0) - (before?.liveUntil ?? 0);
    return longer > 0 && after ? sum + kb(after.entry.toXdr().length, prices.perKbOfRent) : sum;
  }, 0n);
  return { readBytes, writeBytes, refundable: rent + kb(size(events), prices.perKbOfEvents) };
}
