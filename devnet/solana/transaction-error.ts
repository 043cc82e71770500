/** Errors of litesvm as a cluster's RPC writes and words them. */

export type TransactionError = string | Readonly<Record<string, unknown>>;

const transactionErrors = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
];

const instructionErrors = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
];

const sentences: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  SignatureFailure: 'Transaction did not pass signature verification',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
};

/** What litesvm's `err()` gives. */
export function toTransactionError(error: unknown): TransactionError {
  if (typeof error === 'number') return transactionErrors[error] ?? 'SanitizeFailure';
  if (typeof error !== 'object' || error === null) return 'SanitizeFailure';
  if ('err' in error && typeof error.err === 'function' && 'index' in error)
    return { InstructionError: [Number(error.index), toInstructionError(error.err())] };
  if ('accountIndex' in error) {
    const name = error.constructor.name.replace('TransactionError', '');
    return { [name]: { account_index: Number(error.accountIndex) } };
  }
  if ('index' in error) return { DuplicateInstruction: Number(error.index) };
  return 'SanitizeFailure';
}

function toInstructionError(error: unknown): string | { Custom: number } {
  if (typeof error === 'number') return instructionErrors[error] ?? 'GenericError';
  if (typeof error === 'object' && error !== null && 'code' in error)
    return { Custom: Number(error.code) };
  return 'BorshIoError';
}

export function describeError(error: TransactionError): string {
  if (typeof error === 'string') return sentences[error] ?? error;
  const [name, detail] = Object.entries(error)[0] ?? ['SanitizeFailure', null];
  if (name === 'InstructionError' && Array.isArray(detail))
    return `Error processing Instruction ${detail[0]}: ${describeCause(detail[1])}`;
  if (
    name === 'InsufficientFundsForRent' &&
    typeof detail === 'object' &&
    detail !== null &&
    'account_index' in detail
  )
    return `Transaction results in an account (${detail.account_index}) with insufficient funds for rent`;
  return name;
}

function describeCause(cause: unknown): string {
  if (typeof cause === 'object' && cause !== null && 'Custom' in cause)
    return `custom program error: 0x${Number(cause.Custom).toString(16)}`;
  return String(cause)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}
