/**
 * The error table of the interface (supplement, section 17): one code, one status, one default
 * sentence. `ServiceError` is what a caller may read. Anything else that is thrown is a bug: 500
 * and a log line.
 */

/** Which bodies carry the code: † rows of the table leave it out. */
interface ErrorRow {
  readonly status: number;
  readonly message: string;
  readonly codeInBody?: false;
}

export const errorTable = {
  'validation-error': { status: 400, message: 'The request is not valid.' },
  'invalid-json': { status: 400, message: 'The request body is not valid JSON.' },
  unauthorized: { status: 401, message: 'The API key is missing or not valid.', codeInBody: false },
  'not-authorized': {
    status: 401,
    message: 'Authentication is required: send a user JWT or a client secret.',
  },
  ERROR_JWT_INVALID: {
    status: 401,
    message: 'The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).',
  },
  'not-authorized.jwt-invalid': { status: 401, message: 'The JWT is not valid.' },
  'not-authorized.jwt-expired': { status: 401, message: 'The JWT has expired: obtain a new one.' },
  'not-authorized.jwt-decryption': {
    status: 401,
    message: 'The JWT is encrypted and cannot be read: send a signed JWT.',
  },
  'not-authorized.jwt-identifier': { status: 401, message: 'The JWT has no `sub` claim.' },
  'out-of-credits': { status: 402, message: 'The project is out of credits.' },
  'forbidden-scope': { status: 403, message: 'The API key lacks a scope.', codeInBody: false },
  forbidden: { status: 403, message: 'The API key may not be used in this way.' },
  'project:addon.required': {
    status: 403,
    message: 'The project is not configured for this product.',
  },
  'route-not-found': { status: 404, message: 'There is no such route.' },
  'method-not-allowed': { status: 405, message: 'The route does not support this method.' },
  conflict: {
    status: 409,
    message: 'The object was changed at the same time: read it again and retry.',
  },
  'idempotency-key-in-progress': {
    status: 409,
    message: 'The first call with this idempotency key is still running: retry later.',
  },
  'idempotency-key-reused': {
    status: 422,
    message: 'The idempotency key was used with another body: send a new key.',
  },
  'payload-too-large': { status: 413, message: 'The request body is too large.' },
  'unsupported-media-type': { status: 415, message: 'Send the body as application/json.' },
  'rate-limited': {
    status: 429,
    message: 'Too many requests: retry after the time that Retry-After gives.',
  },
  'internal-error': { status: 500, message: 'An unexpected error occurred.' },
  'upstream-error': { status: 502, message: 'A node or provider answered wrongly.' },
  'provider-unavailable': {
    status: 503,
    message: 'A needed provider is not available: retry later.',
  },
  'temporarily-unavailable': {
    status: 503,
    message: 'Temporarily unavailable: please retry in a few minutes.',
    codeInBody: false,
  },
  timeout: { status: 504, message: 'A timeout occurred.', codeInBody: false },
  'invalid-locator': { status: 400, message: 'The locator cannot be read.' },
  'chain-not-supported': { status: 400, message: 'The chain is not supported here.' },
  'token-not-supported': { status: 400, message: 'The token is not supported on this chain.' },
  'wallet-not-found': { status: 404, message: 'Wallet not found.' },
  'signer-not-found': { status: 404, message: 'Signer not found.' },
  'transaction-not-found': { status: 404, message: 'Transaction not found.' },
  'signature-not-found': { status: 404, message: 'Signature not found.' },
  'transfer-not-found': { status: 404, message: 'Transfer not found.' },
  'wallet-already-exists': {
    status: 400,
    message: 'A wallet with this creation seed and these signers exists already.',
  },
  WALLET_TYPE_NOT_SUPPORTED: {
    status: 400,
    message: 'This wallet type is not supported on this chain type.',
  },
  DEVICE_SIGNER_NOT_SUPPORTED: { status: 400, message: 'Device signers are not supported here.' },
  'signer-type-not-supported': { status: 400, message: 'This signer type is not supported here.' },
  'signer-already-exists': { status: 400, message: 'Delegated signer is already approved' },
  'signer-not-removable': { status: 400, message: 'This signer cannot be removed.' },
  'signer-expired': { status: 400, message: 'The signer has expired.' },
  'signer-scope-violation': {
    status: 400,
    message: 'The operation is outside the scopes of the signer.',
  },
  'approver-required': {
    status: 400,
    message: 'The wallet has several recovery methods: name one as `approver`.',
  },
  'approver-invalid': {
    status: 400,
    message: 'The `approver` is not a recovery method of this wallet.',
  },
  'transaction-invalid': { status: 400, message: 'The transaction does not suit the wallet.' },
  'signature-type-not-supported': {
    status: 400,
    message: 'This signature type is not supported by the wallet.',
  },
  'transaction-simulation-failed': {
    status: 422,
    message: 'The simulation of the transaction failed.',
    codeInBody: false,
  },
  'wallet-locked': {
    status: 409,
    message: 'The wallet is locked by an upgrade: send `migrate-wallet`.',
  },
  'signer-not-approver': { status: 400, message: 'This signer has no pending approval here.' },
  'invalid-signature': { status: 400, message: 'The signature does not verify.' },
  'invalid-code': { status: 400, message: 'The code is wrong.' },
  'code-not-found': {
    status: 404,
    message:
      'There is no such code, or it was replaced, used up or has expired: request another one.',
  },
  'code-not-deliverable': { status: 400, message: 'The code cannot be sent to this signer.' },
  'approval-already-submitted': { status: 409, message: 'This signer has approved already.' },
  'approvals-complete': {
    status: 422,
    message: 'The required number of approvals is reached already.',
  },
  'approval-window-closed': {
    status: 409,
    message: 'The object has failed already and takes no approvals.',
  },
  'invalid-recipient': { status: 400, message: 'The recipient is not valid.' },
  'insufficient-balance': { status: 400, message: 'The balance is not sufficient.' },
  'sanctioned-address': { status: 400, message: 'The address is blocked.' },
  'user-not-found': { status: 404, message: 'User not found.' },
  'document-not-found': { status: 404, message: 'Document not found.' },
  'linked-wallet-not-found': { status: 404, message: 'Linked wallet not found.' },
  'wallet-linked-to-other-user': { status: 409, message: 'The wallet is linked to another user.' },
  'invalid-proof': { status: 400, message: 'The ownership proof does not verify.' },
  'kyc-required': { status: 403, message: 'The user is not verified for this operation.' },
  ExternalWalletNotLinkedToUserError: {
    status: 400,
    message: 'The wallet is not linked to the user.',
  },
  'payer-wallet-mismatch': { status: 400, message: 'The payer wallet belongs to another user.' },
  single_purchase_exceeded: { status: 400, message: 'The single purchase limit is exceeded.' },
  daily_transaction_exceeded: { status: 400, message: 'The daily transaction limit is exceeded.' },
  monthly_transaction_exceeded: {
    status: 400,
    message: 'The monthly transaction limit is exceeded.',
  },
  'limits:token-daily-volume.exceeded': {
    status: 400,
    message: 'The daily volume of the token is exceeded.',
  },
  'amount-below-minimum': { status: 400, message: 'The amount is below the minimum.' },
  'rail-not-supported': {
    status: 400,
    message: 'The rail is not supported by this payment method.',
  },
  'payment-method-not-supported': { status: 400, message: 'The payment method is not supported.' },
  'payment-method-not-found': { status: 404, message: 'Payment method not found.' },
  'order-not-found': { status: 404, message: 'Order not found.', codeInBody: false },
  'order-not-editable': { status: 409, message: 'The order cannot be changed in this phase.' },
  'refund-not-allowed': { status: 409, message: 'The line item cannot be refunded.' },
  'quote-expired': { status: 409, message: 'The quote has expired.' },
  'tx-id-already-used': { status: 409, message: 'The transaction belongs to another order.' },
  'checkout-not-found': { status: 404, message: 'Checkout not found.' },
  'buyer-profile-not-found': { status: 404, message: 'Buyer profile not found.' },
  'browser-profile-not-found': { status: 404, message: 'Browser profile not found.' },
  'picture-not-found': { status: 404, message: 'The step has no picture (any more).' },
  'action-not-found': { status: 404, message: 'Action not found.' },
  'action-schema-mismatch': {
    status: 400,
    message: 'The values do not fit the responseSchema of the action.',
  },
  'action-stale': { status: 409, message: 'The action was answered or superseded.' },
  'checkout-finished': { status: 409, message: 'The checkout has ended.' },
  'browser-profile-exists': { status: 409, message: 'The user has a browser profile already.' },
  'profile-erasure-unavailable': {
    status: 503,
    message: 'The erasure could not be scheduled; the profile is intact: retry.',
  },
  'webhook-endpoint-not-found': { status: 404, message: 'Webhook endpoint not found.' },
  'webhook-delivery-not-found': { status: 404, message: 'Webhook delivery not found.' },
  'webhook-replay-not-found': { status: 404, message: 'Webhook replay not found.' },
  'webhook-url-not-allowed': {
    status: 400,
    message: 'The address of the endpoint is not allowed.',
  },
  'webhook-endpoint-limit': {
    status: 409,
    message: 'The project has as many endpoints as it may.',
  },
  'webhook-endpoint-changed': {
    status: 409,
    message:
      'The endpoint was changed behind the service, so nothing is sent to it: look at its url and events, and send both together (PATCH) as they should be. The operator was told.',
  },
  'webhook-endpoint-disabled': {
    status: 409,
    message: 'The endpoint is disabled: enable it first.',
  },
  'event-not-found': {
    status: 404,
    message: 'There is no such event, or it is past its retention.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

export interface ServiceErrorOptions {
  /** The public sentence; the table's sentence when absent. Says what to do. */
  readonly message?: string;
  /** More public fields of the body, e.g. `parameters` of limits. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Response headers, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The private cause: it goes to the log, never to the caller. */
  readonly cause?: unknown;
}

/**
 * Custody refuses a signature for good: asked again, it would say the same. Its message is a
 * sentence that a caller may read.
 */
export class SigningRefusedError extends Error {
  override readonly name = 'SigningRefusedError';
  /** It is the bytes that it refuses: others for the same operation may be signed. */
  readonly ofBytes: boolean;

  constructor(
    message: string,
    { ofBytes = false, cause }: { readonly ofBytes?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.ofBytes = ofBytes;
  }
}

/** A refusal that the caller may read. Status and default sentence come from {@link errorTable}. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** False for the rows of the table whose bodies carry no `code`. */
  get codeInBody(): boolean {
    return !('codeInBody' in errorTable[this.code]);
  }
}
