import { xdr } from '@stellar/stellar-sdk/base';

/** Ends one operation; what it wrote is dropped with the others of its transaction. */
export class OperationFailure extends Error {
  readonly result: xdr.OperationResult;

  constructor(result: xdr.OperationResult) {
    super(result.type);
    this.name = 'OperationFailure';
    this.result = result;
  }
}

export const inner = (tr: xdr.OperationResultTr): xdr.OperationResult =>
  xdr.OperationResult.opInner(tr);
export const fail = (tr: xdr.OperationResultTr): OperationFailure =>
  new OperationFailure(inner(tr));

/**
 * What an operation that changes nothing by itself is given when its transaction is refused before.
 */
export type Refusal =
  | 'txTooEarly'
  | 'txTooLate'
  | 'txMissingOperation'
  | 'txBadSeq'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txNoAccount'
  | 'txInsufficientFee'
  | 'txBadAuthExtra'
  | 'txNotSupported'
  | 'txMalformed'
  | 'txSorobanInvalid';

export function refused(refusal: Refusal, feeCharged = 0n): xdr.TransactionResult {
  return new xdr.TransactionResult({
    feeCharged,
    result: xdr.TransactionResultResult[refusal](),
    ext: xdr.TransactionResultExt.v0(),
  });
}
