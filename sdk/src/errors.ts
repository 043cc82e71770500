import type { ErrorCode } from './error-codes.ts';

/** What a program does about an error; the message says it to a person. */
export type NextStep =
  /** Send something else: the message says what. */
  | 'change-request'
  /** The API key is missing, wrong or revoked. */
  | 'check-key'
  /** Get a new JWT of the user, or the order's client secret. */
  | 'sign-in'
  /** The user has to be verified first: `startIdentityVerification`. */
  | 'verify-user'
  /** There is not enough money in the wallet. */
  | 'add-funds'
  /** What was asked for is over or spent (quote, code, failed object): ask for a new one. */
  | 'start-anew'
  /** The object has moved on: read it, then decide. */
  | 'read-again'
  /** Nothing was done: repeat it later. */
  | 'wait'
  /** Nobody knows whether it was done: repeat it with the same `idempotencyKey`. */
  | 'repeat'
  /** Scopes, products, credits and settings are the operator's. */
  | 'ask-operator';

/**
 * What the service answered in place of an object. The subclass tells the kind, `code` the reason.
 */
export class PurserError extends Error {
  override readonly name: string = 'PurserError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** The body as it came. */
  readonly body: unknown;
  /** `x-request-id` of the answer: what the operator finds in the log. */
  readonly requestId: string | undefined;
  /** Of the call that failed, if it had one: repeat it with this. */
  idempotencyKey: string | undefined;

  constructor(
    message: string,
    options: {
      status: number;
      code?: ErrorCode;
      body?: unknown;
      requestId?: string;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.code = options.code;
    this.body = options.body;
    this.requestId = options.requestId;
  }

  get nextStep(): NextStep {
    return (
      stepOfCode[this.code ?? ''] ??
      stepOfStatus[this.status] ??
      (this.status >= 400 && this.status < 500 ? 'change-request' : 'repeat')
    );
  }
}

const stepOfStatus: Readonly<Record<number, NextStep>> = {
  401: 'check-key',
  402: 'ask-operator',
  403: 'ask-operator',
  409: 'read-again',
  429: 'wait',
};

const stepOfCode: Readonly<Record<string, NextStep>> = {
  'not-authorized': 'sign-in',
  'not-authorized.jwt-invalid': 'sign-in',
  'not-authorized.jwt-expired': 'sign-in',
  'not-authorized.jwt-decryption': 'sign-in',
  'not-authorized.jwt-identifier': 'sign-in',
  ERROR_JWT_INVALID: 'sign-in',
  'kyc-required': 'verify-user',
  'insufficient-balance': 'add-funds',
  'idempotency-key-in-progress': 'repeat',
  'quote-expired': 'start-anew',
  'code-not-found': 'start-anew',
  'signer-expired': 'start-anew',
  'approval-window-closed': 'start-anew',
  'webhook-endpoint-limit': 'change-request',
  'wallet-linked-to-other-user': 'change-request',
} satisfies Partial<Record<ErrorCode, NextStep>>;

/** 400: the request is wrong; the message says what to change. */
export class BadRequestError extends PurserError {
  override readonly name = 'BadRequestError';
}
/** 401: key, JWT or client secret. */
export class UnauthorizedError extends PurserError {
  override readonly name = 'UnauthorizedError';
}
/** 403: known, but not allowed (scope, origin, product, verification). */
export class ForbiddenError extends PurserError {
  override readonly name = 'ForbiddenError';
}
/** 404: there is none, or not for this caller. */
export class NotFoundError extends PurserError {
  override readonly name = 'NotFoundError';
}
/** 409: the state of the object does not allow it. */
export class ConflictError extends PurserError {
  override readonly name = 'ConflictError';
}
/**
 * 422: understood, but it cannot be done; a failed simulation carries
 * `error {reason, message, revert?}` in its body.
 */
export class UnprocessableError extends PurserError {
  override readonly name = 'UnprocessableError';
}
/** 429, after the retries that its `Retry-After` allowed. */
export class RateLimitedError extends PurserError {
  override readonly name = 'RateLimitedError';
}
/**
 * 5xx, after the retries. Whether a write happened is not known: repeat it with the same
 * idempotency key.
 */
export class ServiceUnavailableError extends PurserError {
  override readonly name = 'ServiceUnavailableError';
}
/** No answer at all, after the retries. */
export class ConnectionError extends PurserError {
  override readonly name = 'ConnectionError';
}
/**
 * A transaction, signature, order or checkout that ended without what was wanted. `body` is the
 * object.
 */
export class OperationFailedError extends PurserError {
  override readonly name = 'OperationFailedError';

  override get nextStep(): NextStep {
    return 'start-anew';
  }
}
/**
 * A wait that reached its time-out; the object may still get there. `body` is the object as last
 * seen.
 */
export class WaitTimeoutError extends PurserError {
  override readonly name = 'WaitTimeoutError';

  override get nextStep(): NextStep {
    return 'read-again';
  }
}

const classes: Readonly<Record<number, typeof PurserError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitedError,
};

/** The error of an answer. */
export function errorOfAnswer(response: Response, body: unknown): PurserError {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const message =
    typeof fields['message'] === 'string'
      ? fields['message']
      : `The service answered ${response.status}.`;
  const kind =
    classes[response.status] ?? (response.status >= 500 ? ServiceUnavailableError : PurserError);
  return new kind(message, {
    status: response.status,
    body,
    ...(typeof fields['code'] === 'string' ? { code: fields['code'] as ErrorCode } : {}),
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}
