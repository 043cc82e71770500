import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { digestOf } from '../ledger/hashes.ts';
import { amountOf, currencyOf, objectDigest, type SuiObject } from '../ledger/objects.ts';
import type { Outcome } from './execute.ts';
import type { Parsed } from './transaction.ts';
import { toMessage } from './transaction-message.ts';

const {
  ChangedObject_InputObjectState: InputState,
  ChangedObject_OutputObjectState: OutputState,
  ChangedObject_IdOperation: IdOperation,
  Owner_OwnerKind: OwnerKind,
} = GrpcTypes;

export const ownerMessage = (address: string): GrpcTypes.Owner => ({
  kind: OwnerKind.ADDRESS,
  address,
});

/** A transaction as it was executed, in the network's message. */
export function executedMessage(
  parsed: Parsed,
  outcome: Outcome,
  place: { readonly epoch: bigint; readonly signatures: readonly Uint8Array[] },
): GrpcTypes.ExecutedTransaction {
  return GrpcTypes.ExecutedTransaction.create({
    digest: parsed.digest,
    transaction: toMessage(parsed.bytes, parsed.digest),
    signatures: place.signatures.map((value) => ({
      bcs: { value },
      signature: { oneofKind: undefined },
    })),
    effects: effectsMessage(parsed, outcome, place.epoch),
    balanceChanges: balanceChanges(outcome),
  });
}

interface Change {
  readonly id: string;
  readonly before: SuiObject | undefined;
  readonly after: SuiObject | undefined;
}

function changesOf({ before, after }: Outcome): Change[] {
  const old = new Map(before.map((object) => [object.id, object]));
  const young = new Map(after.map((object) => [object.id, object]));
  const ids = [...new Set([...old.keys(), ...young.keys()])].sort();
  return ids.map((id) => ({ id, before: old.get(id), after: young.get(id) }));
}

function effectsMessage(
  { digest }: Parsed,
  outcome: Outcome,
  epoch: bigint,
): GrpcTypes.TransactionEffects {
  const changes = changesOf(outcome);
  const dependencies = [
    ...new Set(outcome.before.map(({ previousTransaction }) => previousTransaction)),
  ].sort();
  const value = toBcs({ digest, outcome, epoch, changes, dependencies });
  const changedObjects = changes.map((change) => changeMessage(change, outcome.version));
  return GrpcTypes.TransactionEffects.create({
    bcs: { name: 'TransactionEffects', value },
    digest: digestOf('TransactionEffects', value),
    version: 2,
    status: statusMessage(outcome),
    epoch,
    gasUsed: outcome.gas,
    transactionDigest: digest,
    gasObject: changedObjects.find(({ objectId }) => objectId === outcome.gasObject),
    dependencies,
    lamportVersion: outcome.version,
    changedObjects,
  });
}

function statusMessage({ failure }: Outcome): GrpcTypes.ExecutionStatus {
  if (!failure) return { success: true };
  const { kind, message: description, command, details: errorDetails } = failure;
  const error = {
    kind,
    description,
    errorDetails,
    command: command === undefined ? undefined : BigInt(command),
  };
  return { success: false, error };
}

interface Summary {
  readonly digest: string;
  readonly outcome: Outcome;
  readonly epoch: bigint;
  readonly changes: readonly Change[];
  readonly dependencies: readonly string[];
}

function toBcs({
  digest,
  outcome: { failure, gas, gasObject, version },
  epoch,
  changes,
  dependencies,
}: Summary): Uint8Array {
  const status = failure
    ? {
        Failure: {
          error: failure.status as never,
          command: failure.command === undefined ? null : BigInt(failure.command),
        },
      }
    : { Success: true as const };
  return bcs.TransactionEffects.serialize({
    V2: {
      status,
      executedEpoch: epoch,
      gasUsed: gas,
      transactionDigest: digest,
      gasObjectIndex: changes.findIndex(({ id }) => id === gasObject),
      eventsDigest: null,
      dependencies: [...dependencies],
      lamportVersion: version,
      changedObjects: changes.map(({ id, before, after }) => [
        id,
        {
          inputState: before
            ? { Exist: [[before.version, objectDigest(before)], { AddressOwner: before.owner }] }
            : { NotExist: true as const },
          outputState: after
            ? { ObjectWrite: [objectDigest(after), { AddressOwner: after.owner }] }
            : { NotExist: true as const },
          idOperation:
            before && after
              ? { None: true as const }
              : after
                ? { Created: true as const }
                : { Deleted: true as const },
        },
      ]),
      unchangedConsensusObjects: [],
      auxDataDigest: null,
    },
  }).toBytes();
}

function changeMessage({ id, before, after }: Change, version: bigint): GrpcTypes.ChangedObject {
  return {
    objectId: id,
    objectType: (after ?? before)?.type,
    inputState: before ? InputState.EXISTS : InputState.DOES_NOT_EXIST,
    inputVersion: before?.version,
    inputDigest: before && objectDigest(before),
    inputOwner: before && ownerMessage(before.owner),
    outputState: after ? OutputState.OBJECT_WRITE : OutputState.DOES_NOT_EXIST,
    outputVersion: after && version,
    outputDigest: after && objectDigest(after),
    outputOwner: after && ownerMessage(after.owner),
    idOperation:
      before && after ? IdOperation.NONE : after ? IdOperation.CREATED : IdOperation.DELETED,
  };
}

function balanceChanges({ before, after }: Outcome): GrpcTypes.BalanceChange[] {
  const sums = new Map<
    string,
    { readonly address: string; readonly coinType: string; amount: bigint }
  >();
  const count = (object: SuiObject, sign: bigint) => {
    const coinType = currencyOf(object.type);
    if (coinType === undefined) return;
    const key = `${object.owner} ${coinType}`;
    const sum = sums.get(key) ?? { address: object.owner, coinType, amount: 0n };
    sums.set(key, sum);
    sum.amount += sign * amountOf(object);
  };
  for (const object of before) count(object, -1n);
  for (const object of after) count(object, 1n);
  const changed = [...sums.values()].filter(({ amount }) => amount !== 0n);
  return changed.map(({ amount, ...change }) => ({ ...change, amount: String(amount) }));
}
