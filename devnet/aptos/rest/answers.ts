import { Refusal } from '../execution/refusal.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** An error as the REST API writes it. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const notFound = (what: string) =>
  new RestError(404, `${what.split(' ')[0]!.toLowerCase()}_not_found`, `${what} not found`);
export const invalid = (message: string) => new RestError(400, 'invalid_input', message);

export function answerError(error: unknown): Answer {
  const of = (status: number, code: string, number: number | null = null): Answer => ({
    status,
    body: {
      message: error instanceof Error ? error.message : String(error),
      error_code: code,
      vm_error_code: number,
    },
  });
  if (error instanceof RestError) return of(error.status, error.code);
  if (error instanceof Refusal) return of(400, 'vm_error', error.number);
  return of(400, 'invalid_input');
}
