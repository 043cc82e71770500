import createClient, { type Client } from 'openapi-fetch';
import { approvePending } from './approve.ts';
import { errorOfAnswer, OperationFailedError } from './errors.ts';
import type { components, operations, paths } from './openapi.ts';
import { createRetryingFetch, type RetryOptions } from './request.ts';
import type { PurserSigner } from './signers/signer.ts';
import { type WaitOptions, waitUntil } from './wait.ts';

type Schemas = components['schemas'];
export type Wallet = Schemas['Wallet'];
export type Transaction = Schemas['Transaction'];
export type Signature = Schemas['Signature'];
export type DelegatedSigner = Schemas['DelegatedSigner'];
export type Balances = Schemas['Balances'];
type Body<Name extends keyof operations> = operations[Name] extends { requestBody: { content: { 'application/json': infer B } } }
  ? B
  : never;
type Query<Name extends keyof operations> = operations[Name] extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

export interface PurserOptions extends RetryOptions {
  /** `{base_url}` of the service, ending in `/api`. */
  readonly baseUrl: string;
  /** `sk_…` on a server, `ck_…` in an app of a user. */
  readonly apiKey: string;
  /** JWT of the end user, asked anew for each call. */
  readonly userJwt?: () => string | Promise<string>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Default: a new one for each call, the same over its retries. Give your own to repeat a call after a restart. */
  readonly idempotencyKey?: string;
}

export interface ActOptions extends CallOptions, WaitOptions {
  /** Who approves; with an `api-key` signer nobody needs to. Any that can approve an entry is asked, quorum members too. */
  readonly signers?: readonly PurserSigner[];
}

/** A client of one project. Every method throws a `PurserError`. */
export function createPurser(options: PurserOptions) {
  const http = createHttp(options);
  const wallet = (walletLocator: string) => ({ walletLocator });

  async function finishTransaction(locator: string, created: Transaction, act: ActOptions): Promise<Transaction> {
    const approved = await approvePending(created, act.signers ?? [], (approvals) =>
      approveTransaction(locator, created.id, approvals, act),
    );
    return isOpen(approved) ? waitForTransaction(locator, created.id, act) : ended(approved);
  }

  async function finishSignature(locator: string, created: Signature, act: ActOptions): Promise<Signature> {
    const approved = await approvePending(created, act.signers ?? [], (approvals) => approveSignature(locator, created.id, approvals, act));
    return isOpen(approved) ? waitForSignature(locator, created.id, act) : ended(approved);
  }

  async function createWallet(body: Body<'createWallet'>, call: CallOptions = {}): Promise<Wallet> {
    return unwrap(await http.POST('/2025-06-09/wallets', { body, ...perCall(call) }));
  }

  async function createMyWallet(body: Body<'createMyWallet'>, call: CallOptions = {}): Promise<Wallet> {
    return unwrap(await http.POST('/2025-06-09/wallets/me', { body, ...perCall(call) }));
  }

  async function getWallet(locator: string, call: CallOptions = {}): Promise<Wallet> {
    return unwrap(await http.GET('/2025-06-09/wallets/{walletLocator}', { params: { path: wallet(locator) }, ...perCall(call) }));
  }

  async function getBalances(locator: string, query: Query<'getWalletBalances'>, call: CallOptions = {}): Promise<Balances> {
    const params = { path: wallet(locator), query };
    // The list form answers only callers that send `x-client-name`.
    return unwrap(await http.GET('/2025-06-09/wallets/{walletLocator}/balances', { params, ...perCall(call) })) as Balances;
  }

  /** Test money, outside production. */
  async function fundWallet(address: string, body: Body<'fundWallet'>, call: CallOptions = {}) {
    const params = { path: wallet(address) };
    return unwrap(await http.POST('/v1-alpha2/wallets/{walletLocator}/balances', { params, body, ...perCall(call) }));
  }

  async function createTransfer(locator: string, tokenLocator: string, body: Body<'createTransfer'>, call: CallOptions = {}) {
    const params = { path: { ...wallet(locator), tokenLocator } };
    return unwrap(
      await http.POST('/2025-06-09/wallets/{walletLocator}/tokens/{tokenLocator}/transfers', { params, body, ...perCall(call) }),
    );
  }

  async function createTransaction(locator: string, body: Body<'createTransaction'>, call: CallOptions = {}): Promise<Transaction> {
    const params = { path: wallet(locator) };
    return unwrap(await http.POST('/2025-06-09/wallets/{walletLocator}/transactions', { params, body, ...perCall(call) }));
  }

  async function getTransaction(locator: string, transactionId: string, call: CallOptions = {}): Promise<Transaction> {
    const params = { path: { ...wallet(locator), transactionId } };
    return unwrap(await http.GET('/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}', { params, ...perCall(call) }));
  }

  async function approveTransaction(
    locator: string,
    transactionId: string,
    approvals: Body<'submitTransactionApprovals'>['approvals'],
    call: CallOptions = {},
  ): Promise<Transaction> {
    const params = { path: { ...wallet(locator), transactionId } };
    return unwrap(
      await http.POST('/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}/approvals', {
        params,
        body: { approvals },
        ...perCall(call),
      }),
    );
  }

  /** Waits for `success`. @throws OperationFailedError, WaitTimeoutError */
  async function waitForTransaction(locator: string, transactionId: string, wait: WaitOptions = {}): Promise<Transaction> {
    return ended(await waitUntil(() => getTransaction(locator, transactionId, signalOf(wait)), isEnded, wait));
  }

  async function createSignature(locator: string, body: Body<'createSignature'>, call: CallOptions = {}): Promise<Signature> {
    const params = { path: wallet(locator) };
    return unwrap(await http.POST('/2025-06-09/wallets/{walletLocator}/signatures', { params, body, ...perCall(call) }));
  }

  async function getSignature(locator: string, signatureId: string, call: CallOptions = {}): Promise<Signature> {
    const params = { path: { ...wallet(locator), signatureId } };
    return unwrap(await http.GET('/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}', { params, ...perCall(call) }));
  }

  async function approveSignature(
    locator: string,
    signatureId: string,
    approvals: Body<'submitSignatureApprovals'>['approvals'],
    call: CallOptions = {},
  ): Promise<Signature> {
    const params = { path: { ...wallet(locator), signatureId } };
    return unwrap(
      await http.POST('/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}/approvals', {
        params,
        body: { approvals },
        ...perCall(call),
      }),
    );
  }

  /** Waits for `success`. @throws OperationFailedError, WaitTimeoutError */
  async function waitForSignature(locator: string, signatureId: string, wait: WaitOptions = {}): Promise<Signature> {
    return ended(await waitUntil(() => getSignature(locator, signatureId, signalOf(wait)), isEnded, wait));
  }

  async function createSigner(locator: string, body: Body<'addSigner'>, call: CallOptions = {}): Promise<DelegatedSigner> {
    const params = { path: wallet(locator) };
    return unwrap(await http.POST('/2025-06-09/wallets/{walletLocator}/signers', { params, body, ...perCall(call) }));
  }

  async function getSigner(locator: string, signer: string, call: CallOptions = {}): Promise<DelegatedSigner> {
    const params = { path: { ...wallet(locator), signer } };
    return unwrap(await http.GET('/2025-06-09/wallets/{walletLocator}/signers/{signer}', { params, ...perCall(call) }));
  }

  async function deleteSigner(locator: string, signer: string, query: Query<'removeSigner'>, call: CallOptions = {}): Promise<Transaction> {
    const params = { path: { ...wallet(locator), signer }, query };
    return unwrap(await http.DELETE('/2025-06-09/wallets/{walletLocator}/signers/{signer}', { params, ...perCall(call) }));
  }

  /** Has a one-time code sent to an e-mail or phone signer: `codeSigner` does this and the next by itself. */
  async function requestSignerCode(locator: string, signer: string, body: Body<'requestSignerCode'>, call: CallOptions = {}) {
    const params = { path: { ...wallet(locator), signer } };
    return unwrap(await http.POST('/2025-06-09/wallets/{walletLocator}/signers/{signer}/codes', { params, body, ...perCall(call) }));
  }

  async function signWithSignerCode(locator: string, signer: string, body: Body<'signWithSignerCode'>, call: CallOptions = {}) {
    const params = { path: { ...wallet(locator), signer } };
    return unwrap(await http.POST('/2025-06-09/wallets/{walletLocator}/signers/{signer}/signatures', { params, body, ...perCall(call) }));
  }

  return {
    createWallet,
    createMyWallet,
    getWallet,
    getBalances,
    fundWallet,
    createTransfer,
    createTransaction,
    getTransaction,
    approveTransaction,
    waitForTransaction,
    createSignature,
    getSignature,
    approveSignature,
    waitForSignature,
    createSigner,
    getSigner,
    deleteSigner,
    requestSignerCode,
    signWithSignerCode,

    /** Sends tokens: creates the transfer, approves it, and waits until the chain has it. */
    async transfer(locator: string, tokenLocator: string, body: Body<'createTransfer'>, act: ActOptions = {}): Promise<Transaction> {
      return finishTransaction(locator, await createTransfer(locator, tokenLocator, body, act), act);
    },

    /** Creates a transaction, approves it, and waits until the chain has it. */
    async transact(locator: string, params: Body<'createTransaction'>['params'], act: ActOptions = {}): Promise<Transaction> {
      return finishTransaction(locator, await createTransaction(locator, { params }, act), act);
    },

    /** Signs a message or typed data as the wallet; the signature is `outputSignature`. */
    async sign(locator: string, body: Body<'createSignature'>, act: ActOptions = {}): Promise<Signature> {
      return finishSignature(locator, await createSignature(locator, body, act), act);
    },

    /** Adds a delegated signer and waits until its chain enforces it. */
    async addSigner(locator: string, body: Body<'addSigner'>, act: ActOptions = {}): Promise<DelegatedSigner> {
      const created = await createSigner(locator, body, act);
      const entry = Object.values(created.chains ?? {}).find(({ status }) => status !== 'success');
      if (entry?.id !== undefined) {
        if ('onChain' in entry) await finishTransaction(locator, await getTransaction(locator, entry.id, signalOf(act)), act);
        else await finishSignature(locator, await getSignature(locator, entry.id, signalOf(act)), act);
      }
      return getSigner(locator, created.locator, signalOf(act));
    },

    /** Removes a delegated signer and waits until its chain refuses it. */
    async removeSigner(locator: string, signer: string, query: Query<'removeSigner'>, act: ActOptions = {}): Promise<Transaction> {
      return finishTransaction(locator, await deleteSigner(locator, signer, query, act), act);
    },
  };
}
export type Purser = ReturnType<typeof createPurser>;

interface Ending {
  readonly id: string;
  readonly status: string;
  readonly error?: unknown;
}

const isEnded = ({ status }: Ending): boolean => status === 'success' || status === 'failed';
const isOpen = (object: Ending): boolean => !isEnded(object);

function ended<T extends Ending>(object: T): T {
  if (object.status === 'success') return object;
  const error = object.error as { reason?: string; message?: string } | undefined;
  throw new OperationFailedError(`${error?.reason ?? 'failed'}: ${error?.message ?? 'no reason was given'}`, { status: 0, body: object });
}

function signalOf({ signal }: { readonly signal?: AbortSignal }): CallOptions {
  return signal === undefined ? {} : { signal };
}

function perCall({ signal, idempotencyKey }: CallOptions): { signal?: AbortSignal; headers?: Record<string, string> } {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'x-idempotency-key': idempotencyKey } }),
  };
}

function createHttp(options: PurserOptions): Client<paths> {
  const http = createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { 'X-API-KEY': options.apiKey },
    fetch: createRetryingFetch(options.fetch ?? globalThis.fetch, options),
  });
  http.use({
    async onRequest({ request }) {
      if (options.userJwt) request.headers.set('Authorization', `Bearer ${await options.userJwt()}`);
      return request;
    },
  });
  return http;
}

function unwrap<T>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.data === undefined) throw errorOfAnswer(result.response, result.error);
  return result.data;
}
