import type { ErrorCode } from './error-codes.ts';

/** What the service answered in place of an object. The subclass tells the kind, `code` the reason. */
export class PurserError extends Error {
  override readonly name: string = 'PurserError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** The body as it came. */
  readonly body: unknown;
  /** `x-request-id` of the answer: what the operator finds in the log. */
  readonly requestId: string | undefined;

  constructor(message: string, options: { status: number; code?: ErrorCode; body?: unknown; requestId?: string; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.code = options.code;
    this.body = options.body;
    this.requestId = options.requestId;
  }
}

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
/** 422: understood, but it cannot be done; a failed simulation carries `error {reason, message, revert?}` in its body. */
export class UnprocessableError extends PurserError {
  override readonly name = 'UnprocessableError';
}
/** 429, after the retries that its `Retry-After` allowed. */
export class RateLimitedError extends PurserError {
  override readonly name = 'RateLimitedError';
}
/** 5xx, after the retries. Whether a write happened is not known: repeat it with the same idempotency key. */
export class ServiceUnavailableError extends PurserError {
  override readonly name = 'ServiceUnavailableError';
}
/** No answer at all, after the retries. */
export class ConnectionError extends PurserError {
  override readonly name = 'ConnectionError';
}
/** A transaction or signature that ended as `failed`. `body` is the object. */
export class OperationFailedError extends PurserError {
  override readonly name = 'OperationFailedError';
}
/** A wait that reached its time-out; the object may still get there. `body` is the object as last seen. */
export class WaitTimeoutError extends PurserError {
  override readonly name = 'WaitTimeoutError';
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
  const message = typeof fields['message'] === 'string' ? fields['message'] : `The service answered ${response.status}.`;
  const kind = classes[response.status] ?? (response.status >= 500 ? ServiceUnavailableError : PurserError);
  return new kind(message, {
    status: response.status,
    body,
    ...(typeof fields['code'] === 'string' ? { code: fields['code'] as ErrorCode } : {}),
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}
