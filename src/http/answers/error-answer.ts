import { STATUS_CODES } from 'node:http';
import { type ErrorCode, ServiceError } from '../../lib/errors.ts';
import type { ErrorFamily } from '../routes/route.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request whose handler has not answered in its time. */
export class AnswerTimeout extends Error {
  constructor() {
    super('no answer in time');
    this.name = 'AnswerTimeout';
  }
}

/** Fastify's own refusals as ours. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'validation-error',
  FST_ERR_BAD_URL: 'validation-error',
  FST_ERR_MAX_PARAM_LENGTH: 'validation-error',
};

const frameworkMessages: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH:
    'The request body does not have the length that Content-Length gives.',
  FST_ERR_BAD_URL:
    'The path cannot be decoded: a percent sign is followed by two hexadecimal digits, and the bytes are UTF-8. Encode each part of the path once.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the path is too long.',
};

/** The database is away or overloaded; SQLSTATE classes 08, 53, 57P and the socket's own words. */
const databaseAwayPattern =
  /^(?:08...|53...|57P0.|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN)$/;
const databaseAwayMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired)/;

/**
 * What is thrown anywhere, as a refusal that the caller may read. Everything unknown is a bug and
 * becomes `internal-error` with the real one as its cause.
 */
export function readError(error: unknown, family: ErrorFamily): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  const known = frameworkCodes[code];
  if (known) return new ServiceError(known, { message: frameworkMessages[code], cause: error });
  if (error instanceof AnswerTimeout)
    return family === 'O'
      ? new ServiceError('timeout', { cause: error })
      : new ServiceError('provider-unavailable', {
          message:
            'The answer took too long: retry later, with the same idempotency key if there was one.',
          cause: error,
        });
  if (isDatabaseAway(error, code))
    return new ServiceError('provider-unavailable', {
      message: 'The database of the service is not available: retry later.',
      headers: { 'retry-after': '5' },
      cause: error,
    });
  if (isClientFault(error))
    return new ServiceError('validation-error', {
      message: 'The request could not be read to its end.',
      cause: error,
    });
  return new ServiceError('internal-error', { cause: error });
}

/** The body of a refusal in the shape of the route's family (supplement, section 17). */
export function formatError(error: ServiceError, family: ErrorFamily): ErrorAnswer {
  const { status, message, details, headers } = error;
  const code = error.codeInBody ? { code: error.code } : {};
  const body =
    family === 'A'
      ? {
          statusCode: status,
          error: STATUS_CODES[status] ?? 'Error',
          message,
          ...code,
          ...withoutReserved(details),
        }
      : { error: true, message, ...code, ...details };
  return { status, headers, body };
}

/** In family A the three fixed fields keep their meaning whatever the details say. */
function withoutReserved(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).filter(([name]) => !['statusCode', 'error', 'message'].includes(name)),
  );
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

function isDatabaseAway(error: unknown, code: string): boolean {
  return (
    databaseAwayPattern.test(code) ||
    (error instanceof Error && databaseAwayMessages.test(error.message))
  );
}

/** Errors of the request stream: the caller went away or broke HTTP. */
function isClientFault(error: unknown): boolean {
  const status = (error as { statusCode?: unknown } | null | undefined)?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 500;
}
