import { visible } from '../../sdk-react/src/visible.ts';
import type { Me } from './answers/shared.ts';

export type * from './answers/access.ts';
export type * from './answers/books.ts';
export type * from './answers/checkouts.ts';
export type * from './answers/health.ts';
export type * from './answers/orders.ts';
export type * from './answers/shared.ts';
export { roles } from './answers/shared.ts';
export type * from './answers/wallets.ts';
export type * from './answers/webhooks.ts';

/** A refusal, with a sentence for whoever sits there. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const timeoutMs = 20_000;

async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(`/console/api${path}`, {
    ...init,
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new ApiError(0, 'The service does not answer. Is it running, and are you connected?');
  });
  const body = parse(await response.text().catch(() => ''));
  if (!response.ok)
    throw new ApiError(
      response.status,
      body?.message ?? `The service answered ${response.status}.`,
    );
  return body as Answer;
}

/** Texts of payers, shops and tokens too: none may turn what stands beside it. */
function parse(text: string): { readonly message?: string } | undefined {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? visible(value) : value,
    ) as { readonly message?: string };
  } catch {
    return undefined;
  }
}

type Query = Readonly<Record<string, string | undefined>>;

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** For links: the browser itself asks. */
export const addressOf = (path: string, query: Query = {}): string =>
  `/console/api${withQuery(path, query)}`;

export const get = <Answer>(path: string, query: Query = {}): Promise<Answer> =>
  send(withQuery(path, query), {});

export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

let aheadMs = 0;

/**
 * Who is signed in; also says what time it is at the service, whose clock may be moved in
 * development.
 */
export async function getMe(): Promise<Me> {
  const me = await get<Me>('/me');
  aheadMs = Date.parse(me.now) - Date.now();
  return me;
}

export const serviceNow = (): number => Date.now() + aheadMs;
