import { BodyTooLongError, readBounded } from '../lib/net/bounded-body.ts';
import { type ApiAnswer, type ApiRequest, type ToolCtx, ToolRefusal } from './tool.ts';

const timeoutMs = 35_000;
const answerBytesMax = 4 * 1_024 * 1_024;

export interface FetchCallerInput {
  /** `{base_url}`, ending in `/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Asked anew for each call: tokens end. */
  readonly userJwt?: () => Promise<string>;
}

/**
 * Calls the interface over HTTP. Key and token go to this one address, and no redirect takes them
 * elsewhere.
 */
export function createFetchCaller({ baseUrl, apiKey, userJwt }: FetchCallerInput): ToolCtx['call'] {
  return async ({ method, path, body, idempotencyKey }: ApiRequest): Promise<ApiAnswer> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        ...(userJwt && { authorization: `Bearer ${await userJwt()}` }),
        ...(idempotencyKey !== undefined && { 'x-idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new ToolRefusal(
        `The service at ${new URL(baseUrl).origin} does not answer: is it running? The same call again does nothing twice.`,
        {
          cause,
        },
      );
    });
    const text = String(await readBounded(response.body, answerBytesMax).catch(refuseTooLong));
    return {
      status: response.status,
      body: parse(text),
      isReplayed: response.headers.get('idempotency-replayed') === 'true',
    };
  };
}

function refuseTooLong(error: unknown): never {
  throw error instanceof BodyTooLongError
    ? new ToolRefusal('The answer of the service is too long: ask for less.')
    : error;
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ToolRefusal(
      'What answered is not the service: check the address that the MCP server was given.',
    );
  }
}
