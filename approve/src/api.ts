import { createPurser, type Purser, type Signature, type Transaction } from '@purser/sdk';

/**
 * What the service says: what is asked, of whom, and how the page is to look. Nothing of it is
 * believed about what is signed.
 */
export interface Look {
  readonly environment: 'development' | 'staging' | 'production';
  readonly now: string;
  readonly kind: 'transaction' | 'signature';
  readonly expiresAt: string;
  readonly validUntil: string;
  readonly wallet: {
    readonly address: string;
    readonly chainType: string;
    readonly alias?: string;
  };
  readonly chain: string;
  readonly object: Transaction | Signature;
  readonly signer?: {
    readonly type: string;
    readonly locator: string;
    readonly isAsked: boolean;
    readonly hasApproved: boolean;
    readonly [field: string]: unknown;
  };
  /** In the service's words. */
  readonly says: string;
  readonly change?: { readonly kind: 'add' | 'remove'; readonly signer: Signer };
  readonly limits?: Limits;
  readonly page: PageSettings;
}

export interface PageSettings {
  readonly name?: string;
  readonly logo?: string;
  readonly accent?: string;
  readonly accentDark?: string;
  readonly frameOrigins: readonly string[];
  readonly passkeyDomain?: string;
}

export interface Limits {
  readonly expiresAt?: string;
  readonly scopes?: readonly {
    readonly tokenLocator: string;
    readonly recipients?: readonly string[];
    readonly spendingLimit?: { readonly amount: string; readonly interval?: number };
  }[];
}

export type Signer = Limits & {
  readonly type: string;
  readonly locator: string;
  readonly [field: string]: unknown;
};

/** A sentence for whoever sits there. */
export class PageError extends Error {
  /** The same may go well a little later. */
  readonly mayPass: boolean;
  constructor(message: string, { mayPass = false } = {}) {
    super(message);
    this.mayPass = mayPass;
  }
}

const timeoutMs = 20_000;
/** The link: behind the `#`, which no browser sends. */
const token = () => location.hash.slice(1);
const root = () => `${location.origin}${location.pathname.replace(/\/$/, '')}/api`;

async function send<T>(path: string, init: RequestInit = {}): Promise<T> {
  if (token() === '')
    throw new PageError('This page opens with a link: use the one that you were given, whole.');
  const response = await fetch(`${root()}${path}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token()}` },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new PageError('The service does not answer. Are you connected?', { mayPass: true });
  });
  const body = (await response.json().catch(() => undefined)) as { message?: string } | undefined;
  if (!response.ok)
    throw new PageError(body?.message ?? `The service answered ${response.status}.`, {
      mayPass: response.status >= 500,
    });
  return body as T;
}

export const getLook = (): Promise<Look> => send('/look');

export const decline = (): Promise<Look> =>
  send('/decline', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });

export interface Balance {
  readonly symbol?: string;
  readonly decimals: number;
  /** A token's address has another name on each family. */
  readonly chains: Readonly<
    Record<
      string,
      {
        readonly locator: string;
        readonly rawAmount: string;
        readonly contractAddress?: string;
        readonly contractId?: string;
        readonly mintHash?: string;
      }
    >
  >;
}

export const getBalances = (
  address: string,
  locators: readonly string[],
): Promise<readonly Balance[]> =>
  send(
    `/2025-06-09/wallets/${encodeURIComponent(address)}/balances?tokens=${encodeURIComponent(locators.join(','))}`,
  );

/**
 * The client of the interface, with the link in place of a key: it reads, compares and posts as in
 * any other program.
 */
export function clientOf({ environment, wallet }: Look): Purser {
  return createPurser({
    baseUrl: root(),
    apiKey: `ck_${environment}_approval-link`,
    wallets: { [wallet.address]: wallet.address },
    attemptsMax: 2,
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('x-api-key');
      headers.set('authorization', `Bearer ${token()}`);
      return fetch(url, { ...init, headers });
    },
  });
}
