import { xdr } from '@stellar/stellar-sdk/base';

export type FaultKind =
  | 'wasmVm'
  | 'context'
  | 'storage'
  | 'object'
  | 'crypto'
  | 'events'
  | 'budget'
  | 'value'
  | 'auth';
export type FaultCode =
  | 'ArithDomain'
  | 'IndexBounds'
  | 'InvalidInput'
  | 'MissingValue'
  | 'ExistingValue'
  | 'ExceededLimit'
  | 'InvalidAction'
  | 'InternalError'
  | 'UnexpectedType'
  | 'UnexpectedSize';

const makers = {
  wasmVm: xdr.ScError.sceWasmVm,
  context: xdr.ScError.sceContext,
  storage: xdr.ScError.sceStorage,
  object: xdr.ScError.sceObject,
  crypto: xdr.ScError.sceCrypto,
  events: xdr.ScError.sceEvents,
  budget: xdr.ScError.sceBudget,
  value: xdr.ScError.sceValue,
  auth: xdr.ScError.sceAuth,
};

/** Ends what a contract does, as an error of the real host would; the message is for people. */
export class HostFault extends Error {
  readonly error: xdr.ScError;

  constructor(error: xdr.ScError, message: string) {
    super(message);
    this.name = 'HostFault';
    this.error = error;
  }

  /**
   * What `try_call` may go on after: neither an exhausted budget nor a key outside the footprint.
   */
  get isRecoverable(): boolean {
    if (this.error.type === 'sceContract') return true;
    const { type, code } = this.error;
    if (code.name === 'scecInternalError') return false;
    return !(code.name === 'scecExceededLimit' && (type === 'sceStorage' || type === 'sceBudget'));
  }
}

export function fault(kind: FaultKind, code: FaultCode, message: string): HostFault {
  return new HostFault(makers[kind](xdr.ScErrorCode.fromName(`scec${code}`)), message);
}

/** `Error(Contract, #3)`, as logs and clients write it. */
export function describeError(error: xdr.ScError): string {
  const kind = error.type.slice('sce'.length);
  return error.type === 'sceContract'
    ? `Error(Contract, #${error.contractCode})`
    : `Error(${kind}, ${error.code.name.slice('scec'.length)})`;
}
