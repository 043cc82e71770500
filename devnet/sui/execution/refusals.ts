import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';

/** A call that is refused whole: nothing was executed, nothing is charged. */
export class Refusal extends Error {
  readonly code: GrpcStatusCode;

  constructor(code: keyof typeof GrpcStatusCode, message: string) {
    super(message);
    this.code = GrpcStatusCode[code];
  }
}

export const refuse = (message: string): never => {
  throw new Refusal('INVALID_ARGUMENT', message);
};

export const lacks = (what: string): never => {
  throw new Refusal(
    'UNIMPLEMENTED',
    `The local Sui chain has no Move VM: ${what}. devnet/sui/README.md lists what it runs.`,
  );
};

type Status = { readonly [name: string]: unknown };

/**
 * A transaction that was let in and failed: it is charged for, and its inputs have new versions.
 */
export class Failure extends Error {
  /** As `ExecutionFailureStatus` of BCS. */
  readonly status: Status;
  readonly kind: GrpcTypes.ExecutionError_ExecutionErrorKind;
  readonly details: GrpcTypes.ExecutionError['errorDetails'];
  command: number | undefined;

  constructor(
    status: Status,
    kind: GrpcTypes.ExecutionError_ExecutionErrorKind,
    message: string,
    details?: Failure['details'],
  ) {
    super(message);
    this.status = status;
    this.kind = kind;
    this.details = details ?? { oneofKind: undefined };
  }
}

const {
  ExecutionError_ExecutionErrorKind: Kind,
  CommandArgumentError_CommandArgumentErrorKind: ArgumentKind,
} = GrpcTypes;

export const insufficientGas = () =>
  new Failure({ InsufficientGas: true }, Kind.INSUFFICIENT_GAS, 'Insufficient Gas.');
export const insufficientBalance = () =>
  new Failure(
    { InsufficientCoinBalance: true },
    Kind.INSUFFICIENT_COIN_BALANCE,
    'Insufficient coin balance for operation.',
  );
export const overflow = () =>
  new Failure(
    { CoinBalanceOverflow: true },
    Kind.COIN_BALANCE_OVERFLOW,
    'The coin balance overflows u64.',
  );

const argumentErrors = {
  TypeMismatch: ArgumentKind.TYPE_MISMATCH,
  InvalidBCSBytes: ArgumentKind.INVALID_BCS_BYTES,
  InvalidUsageOfPureArg: ArgumentKind.INVALID_USAGE_OF_PURE_ARGUMENT,
  InvalidGasCoinUsage: ArgumentKind.INVALID_GAS_COIN_USAGE,
  InvalidValueUsage: ArgumentKind.INVALID_VALUE_USAGE,
  InvalidObjectByValue: ArgumentKind.INVALID_OBJECT_BY_VALUE,
  InvalidObjectByMutRef: ArgumentKind.INVALID_OBJECT_BY_MUT_REF,
  InvalidReferenceArgument: ArgumentKind.INVALID_REFERENCE_ARGUMENT,
} as const;

export function wrongArgument(index: number, name: keyof typeof argumentErrors): Failure {
  return new Failure(
    { CommandArgumentError: { argIdx: index, kind: { [name]: true } } },
    Kind.COMMAND_ARGUMENT_ERROR,
    `Command argument error at argument ${index}: ${name}.`,
    {
      oneofKind: 'commandArgumentError',
      commandArgumentError: { argument: index, kind: argumentErrors[name] },
    },
  );
}

export const unusedValue = (result: number, subresult: number) =>
  new Failure(
    { UnusedValueWithoutDrop: { resultIdx: result, secondaryIdx: subresult } },
    Kind.UNUSED_VALUE_WITHOUT_DROP,
    `Unused value without drop: result ${result}, ${subresult}.`,
    { oneofKind: 'indexError', indexError: { index: result, subresult } },
  );

export const arity = () =>
  new Failure({ ArityMismatch: true }, Kind.ARITY_MISMATCH, 'Arity mismatch for Move function.');
export const typeArity = () =>
  new Failure(
    { TypeArityMismatch: true },
    Kind.TYPE_ARITY_MISMATCH,
    'Type arity mismatch for Move function.',
  );

export function aborted(
  at: { readonly package: string; readonly module: string; readonly functionName: string },
  code: bigint,
): Failure {
  const { package: address, module: name, functionName } = at;
  const location = { module: { address, name }, function: 0, instruction: 0, functionName };
  const details = {
    abortCode: code,
    location: { package: address, module: name, function: 0, instruction: 0, functionName },
  };
  return new Failure(
    { MoveAbort: [location, code] },
    Kind.MOVE_ABORT,
    `Move runtime abort in ${name}::${functionName}, code ${code}.`,
    {
      oneofKind: 'abort',
      abort: details,
    },
  );
}
