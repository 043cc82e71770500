/** A transaction that the chain does not let in: nothing is charged, nothing of it is kept. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Status of the VM where it is known (`StatusCode` of move-core-types). */
  readonly code: string;
  readonly number: number | null;

  constructor(code: keyof typeof numbers, detail?: string) {
    super(
      `Invalid transaction: Type: Validation Code: ${code}${detail === undefined ? '' : ` (${detail})`}`,
    );
    this.code = code;
    this.number = numbers[code];
  }
}

const numbers = {
  INVALID_SIGNATURE: 1,
  INVALID_AUTH_KEY: 2,
  SEQUENCE_NUMBER_TOO_OLD: 3,
  SEQUENCE_NUMBER_TOO_NEW: 4,
  INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE: 5,
  TRANSACTION_EXPIRED: 6,
  EXCEEDED_MAX_TRANSACTION_SIZE: null,
  MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND: null,
  MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS: null,
  GAS_UNIT_PRICE_BELOW_MIN_BOUND: null,
  GAS_UNIT_PRICE_ABOVE_MAX_BOUND: null,
  BAD_CHAIN_ID: null,
  NONCE_ALREADY_USED: null,
  TRANSACTION_EXPIRATION_TOO_FAR_IN_FUTURE: null,
} as const;

/** What only a Move VM could run. */
export class NotServed extends Error {
  override readonly name = 'NotServed';
}

/** An end of the called function: charged for, and of its effects nothing is kept. */
export class Abort extends Error {
  override readonly name = 'Abort';
}
