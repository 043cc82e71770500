import { hash, xdr } from '@stellar/stellar-sdk/base';
import {
  archivedKeys,
  describeFailure,
  type HostOutcome,
  type LedgerInfo,
  networkSettings,
  runHostFunction,
} from '../host/host.ts';
import {
  durabilityOf,
  type Footprint,
  type LedgerView,
  ledgerKey,
  type Storage,
} from '../host/storage.ts';
import { type AccountId, accountAddress } from '../ledger/accounts.ts';
import { assetContract } from '../token/index.ts';
import { fail, inner } from './results.ts';

export interface SorobanInput {
  readonly storage: Storage;
  readonly ledger: LedgerView;
  readonly info: LedgerInfo;
  readonly source: AccountId;
  readonly data: xdr.SorobanTransactionData;
}

export interface SorobanEnd {
  readonly result: xdr.OperationResult;
  readonly outcome?: HostOutcome;
}

const Tr = xdr.OperationResultTr;

export function footprintOf({
  ext,
  resources,
}: xdr.SorobanTransactionData): Footprint & { readonly restores: readonly string[] } {
  const readWrite = resources.footprint.readWrite.map(ledgerKey);
  const restores =
    ext.type === 'resourceExt'
      ? ext.resourceExt.archivedSorobanEntries.map((index) => readWrite[index] ?? '')
      : [];
  return { readOnly: resources.footprint.readOnly.map(ledgerKey), readWrite, restores };
}

/** @throws OperationFailure; the reason in words is in `notes` */
export function invokeHost(
  { hostFunction, auth }: xdr.InvokeHostFunctionOp,
  input: SorobanInput,
  notes: string[],
): SorobanEnd {
  const result = xdr.InvokeHostFunctionResult;
  const footprint = footprintOf(input.data);
  const archived = archivedKeys({ ledger: input.ledger, footprint, sequence: input.info.sequence });
  if (archived.length > 0) {
    notes.push('an entry of the footprint is archived: restore it, or name it as to be restored');
    throw fail(Tr.invokeHostFunction(result.invokeHostFunctionEntryArchived()));
  }
  const outcome = runHostFunction({
    ledger: input.ledger,
    info: input.info,
    call: hostFunction,
    source: accountAddress(input.source),
    auth,
    footprint,
    instructionsMax: Math.min(input.data.resources.instructions, networkSettings.instructionsMax),
    assetContract,
  });
  notes.push(...outcome.diagnostics);
  if (outcome.failure || !outcome.result) {
    if (outcome.failure) notes.push(describeFailure(outcome.failure));
    const isOver = outcome.failure?.error.type === 'sceBudget';
    const why = isOver
      ? result.invokeHostFunctionResourceLimitExceeded()
      : result.invokeHostFunctionTrapped();
    throw fail(Tr.invokeHostFunction(why));
  }
  apply(input.storage, outcome);
  const image = new xdr.InvokeHostFunctionSuccessPreImage({
    returnValue: outcome.result,
    events: [...outcome.events],
  });
  return {
    result: inner(Tr.invokeHostFunction(result.invokeHostFunctionSuccess(hash(image.toXdr())))),
    outcome,
  };
}

function apply(storage: Storage, { changes }: HostOutcome): void {
  for (const { key, after } of changes) {
    const parsed = xdr.LedgerKey.fromXdr(key, 'base64');
    if (after) storage.put(parsed, after.entry.data, after.liveUntil, after.entry.ext);
    else storage.delete(parsed);
  }
}

export function extendFootprint(
  { extendTo }: xdr.ExtendFootprintTtlOp,
  { storage, data }: SorobanInput,
): SorobanEnd {
  const result = xdr.ExtendFootprintTtlResult;
  if (extendTo >= networkSettings.ttl.max || data.resources.footprint.readWrite.length > 0)
    throw fail(Tr.extendFootprintTtl(result.extendFootprintTtlMalformed()));
  for (const key of data.resources.footprint.readOnly)
    if (durabilityOf(key) !== 'classic' && storage.peek(key) === 'live')
      storage.extend(key, extendTo, extendTo);
  return { result: inner(Tr.extendFootprintTtl(result.extendFootprintTtlSuccess())) };
}

export function restoreFootprint({ storage, data }: SorobanInput): SorobanEnd {
  const result = xdr.RestoreFootprintResult;
  const { readOnly, readWrite } = data.resources.footprint;
  if (readOnly.length > 0 || readWrite.some((key) => durabilityOf(key) !== 'persistent'))
    throw fail(Tr.restoreFootprint(result.restoreFootprintMalformed()));
  // To read an archived entry without a footprint is to restore it.
  for (const key of readWrite) storage.get(key);
  return { result: inner(Tr.restoreFootprint(result.restoreFootprintSuccess())) };
}
