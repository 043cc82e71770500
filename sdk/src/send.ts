import createClient, { type Client } from 'openapi-fetch';
import type { CallOptions, Paged, Parts, Send, SendPages } from './call-types.ts';
import { errorOfAnswer, PurserError } from './errors.ts';
import type { KnownToken } from './evm/chains.ts';
import type { paths } from './openapi.ts';
import { createRetryingFetch, idempotencyHeader, type RetryOptions } from './request.ts';

export interface PurserOptions extends RetryOptions {
  /** `{base_url}` of the service, ending in `/api`. */
  readonly baseUrl: string;
  /** `{vault_url}`, ending in `/api`: new payment methods go there, past the service. */
  readonly vaultUrl?: string;
  /** `sk_…` on a server, `ck_…` in an app of a user. */
  readonly apiKey: string;
  /** JWT of the end user, asked anew for each call. */
  readonly userJwt?: () => string | Promise<string>;
  /**
   * Addresses that wallets are known to have, by locator: `{ 'me:evm': '0x…' }`. A locator that is
   * an address is its own.
   */
  readonly wallets?: Readonly<Record<string, string>>;
  /** Tokens beside native money and USDC whose amounts and symbols may be checked and shown. */
  readonly tokens?: readonly KnownToken[];
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Pages that an iterator reads at most: a list that never ends is a mistake of somebody. */
const pagesMax = 10_000;

/** A variable that is not set is found here, and not at the first call. */
function checkOptions({ apiKey }: PurserOptions, baseUrl: string): void {
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(
      `The address of the service has to be like https://purser.example/api, and is ${String(baseUrl)}.`,
    );
  if (!apiKey)
    throw new TypeError('`apiKey` is missing: sk_… on a server, ck_… in an app of a user.');
}

/**
 * A typed client of every path of the service, with the client's keys and retries: for what has no
 * method yet.
 */
export function createHttp(options: PurserOptions, baseUrl = options.baseUrl): Client<paths> {
  checkOptions(options, baseUrl);
  const http = createClient<paths>({
    baseUrl,
    headers: { 'X-API-KEY': options.apiKey },
    fetch: createRetryingFetch(options.fetch ?? globalThis.fetch, options),
  });
  http.use({
    async onRequest({ request }) {
      const isSigned = request.headers.has('Authorization');
      if (options.userJwt && !isSigned)
        request.headers.set('Authorization', `Bearer ${await options.userJwt()}`);
      return request;
    },
  });
  return http;
}

/** What the methods of the client call with. */
export function createSend(
  options: PurserOptions,
  http: Client<paths>,
): { send: Send; sendPages: SendPages } {
  const vault = options.vaultUrl === undefined ? undefined : createHttp(options, options.vaultUrl);

  const send: Send = async <A>(
    method: Parameters<Send>[0],
    path: string,
    { path: inPath, query, body, as, host }: Parts,
    call: CallOptions = {},
  ): Promise<A> => {
    const idempotencyKey =
      call.idempotencyKey ?? (method === 'POST' ? crypto.randomUUID() : undefined);
    try {
      const client = host === 'vault' ? vault : http;
      if (!client)
        throw new TypeError('This call goes to the vault: give `vaultUrl` to createPurser.');
      const { data, error, response } = await untyped(client).request(method.toLowerCase(), path, {
        params: { path: checkPath(inPath), query },
        body,
        parseAs: as ?? 'json',
        signal: call.signal,
        headers: {
          ...(idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey }),
          ...(call.clientSecret === undefined ? {} : { Authorization: call.clientSecret }),
        },
      });
      if (!response.ok) throw errorOfAnswer(response, error);
      if (data === undefined && response.status !== 204)
        throw new SyntaxError('The answer is empty.');
      return data as A;
    } catch (caught) {
      const error = caught instanceof SyntaxError ? notTheService(options, host, caught) : caught;
      if (error instanceof PurserError && idempotencyKey !== undefined)
        error.idempotencyKey = idempotencyKey;
      throw error;
    }
  };

  const sendPages: SendPages = <A, One>(
    method: Parameters<Send>[0],
    path: string,
    parts: Parts,
    items: string,
    next: 'cursor' | 'after' | 'page',
    call?: CallOptions,
  ) => {
    const readPage = (query: Parts['query']) =>
      send<A>(method, path, { ...parts, query: { ...parts.query, ...query } }, call);
    const first = readPage({});
    const itemsOf = (page: A) =>
      (items === '' ? page : (page as Record<string, unknown>)[items]) as readonly One[];
    return Object.assign(first, {
      async *[Symbol.asyncIterator]() {
        let page = await first;
        const read = new Set<string>();
        for (let number = 1; number <= pagesMax && itemsOf(page).length > 0; number++) {
          yield* itemsOf(page);
          const following = nextOf(page, number);
          if (following === undefined) return;
          if (read.has(following))
            throw new PurserError(
              'The service gave the same page twice: the list was not read to its end.',
              { status: 0, body: page },
            );
          read.add(following);
          page = await readPage({ [next]: following });
        }
      },
    }) as Paged<A, never>;

    function nextOf(page: A, number: number): string | undefined {
      if (next !== 'page') return (page as { nextCursor?: string | null }).nextCursor ?? undefined;
      const { page: begun = '1', perPage } = (parts.query ?? {}) as {
        page?: string;
        perPage?: string;
      };
      const isLast = perPage !== undefined && itemsOf(page).length < Number(perPage);
      return isLast ? undefined : String(Number(begun) + number);
    }
  };

  return { send, sendPages };
}

/** A proxy's page, or nothing at all, with a status that says all is well. */
function notTheService(
  { baseUrl, vaultUrl }: PurserOptions,
  host: Parts['host'],
  cause: SyntaxError,
): PurserError {
  const [url, option] = host === 'vault' ? [vaultUrl, 'vaultUrl'] : [baseUrl, 'baseUrl'];
  return new PurserError(
    `What answered at ${url} is not the service: check \`${option}\`, and what stands between.`,
    { status: 0, cause },
  );
}

/** An empty part, or dots, would lead to another path than the one that was meant. */
function checkPath(parts: Parts['path']): Parts['path'] {
  for (const [name, value] of Object.entries(parts ?? {}))
    if (value === undefined || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(
        `\`${name}\` is missing: it is ${value === undefined ? 'undefined' : `"${value}"`}.`,
      );
  return parts;
}

/**
 * The methods are made from the document, so their types are known; the one call behind them takes
 * any path.
 */
function untyped(client: Client<paths>) {
  return client as unknown as {
    request(
      method: string,
      path: string,
      init: object,
    ): Promise<{ data?: unknown; error?: unknown; response: Response }>;
  };
}
