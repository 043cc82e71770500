import { GrpcTypes } from '@mysten/sui/grpc';
import { ownerMessage } from '../execution/effects.ts';
import { amountOf, currencyOf, objectDigest, type SuiObject, toBcs } from '../ledger/objects.ts';

export function objectMessage(object: SuiObject): GrpcTypes.Object {
  return GrpcTypes.Object.create({
    bcs: { name: 'Object', value: toBcs(object) },
    objectId: object.id,
    version: object.version,
    digest: objectDigest(object),
    owner: ownerMessage(object.owner),
    objectType: object.type,
    hasPublicTransfer: true,
    contents: { name: object.type, value: object.contents },
    previousTransaction: object.previousTransaction,
    storageRebate: object.storageRebate,
    balance: currencyOf(object.type) === undefined ? undefined : amountOf(object),
  });
}
