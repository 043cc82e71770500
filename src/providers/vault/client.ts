import { z } from 'zod';
import { type Clock, machineClock } from '../../lib/clock.ts';
import { type ErrorCode, errorTable, ServiceError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log/log.ts';
import { readBounded } from '../../lib/net/bounded-body.ts';
import { countedFetch } from '../../lib/net/call-counts.ts';
import {
  type InternalIdentity,
  internalHeaders,
  readInternalPublicKey,
  signRequest,
  verifyAnswer,
} from '../../lib/net/signed-requests.ts';
import type { VaultProvider } from './vault.ts';
import { ownedPaymentMethodSchema, paymentMethodListSchema, paymentMethodSchema } from './wire.ts';

export interface VaultClientOptions {
  /** Origin of the vault's internal requests, e.g. `http://127.0.0.1:3001`. */
  readonly origin: string;
  readonly identity: InternalIdentity;
  /** Ed25519 public key of the vault, 32 bytes. */
  readonly vaultPublicKey: Uint8Array;
  readonly clock: Clock;
  readonly log: Logger;
  /** For one exchange; 10 s when absent. */
  readonly timeoutMs?: number;
}

const timeoutDefaultMs = 10_000;
const answerBytesMax = 4 * 1_024 * 1_024;
/** A read that got no answer is asked once more at once: the vault may just have been restarted. */
const readTriesMax = 2;
const retryAfterSeconds = 5;

const refusalSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
const erasedSchema = z.object({ erased: z.number() });
const emptySchema = z.object({});

/**
 * Asks the vault over signed requests, and believes only answers that the vault signed for them.
 */
export function createVaultClient(options: VaultClientOptions): VaultProvider {
  const vaultKey = readInternalPublicKey(options.vaultPublicKey);
  const ask = async <Schema extends z.ZodType>(
    operation: string,
    input: unknown,
    schema: Schema,
    triesMax = 1,
  ): Promise<z.output<Schema>> => {
    for (let tries = 1; ; tries++) {
      const exchanged = await exchange(options, operation, input).catch((cause: unknown) => ({
        cause,
      }));
      if ('cause' in exchanged) {
        if (tries < triesMax) continue;
        throw away(exchanged.cause);
      }
      const isGenuine = verifyAnswer(vaultKey, exchanged);
      if (!isGenuine) throw explainUnsigned(options, operation, exchanged.status);
      return readAnswer(operation, exchanged, schema);
    }
  };

  return {
    getPaymentMethod: (input) =>
      ask('payment-methods.get', input, ownedPaymentMethodSchema, readTriesMax),
    listPaymentMethods: (input) =>
      ask('payment-methods.list', input, paymentMethodListSchema, readTriesMax),
    updatePaymentMethod: (input) => ask('payment-methods.update', input, paymentMethodSchema),
    deletePaymentMethod: async (input) =>
      void (await ask('payment-methods.delete', input, emptySchema)),
    eraseUser: (input) => ask('users.erase', input, erasedSchema),
    ask: (operation, input, schema) => ask(operation, input, schema),
  };
}

interface Exchanged {
  readonly status: number;
  readonly body: Buffer;
  readonly nonce: string;
  readonly signature: string | null;
}

async function exchange(
  options: VaultClientOptions,
  operation: string,
  input: unknown,
): Promise<Exchanged> {
  const path = `/internal/v1/${operation}`;
  const body = Buffer.from(JSON.stringify(input));
  const signed = signRequest(
    options.identity,
    { method: 'POST', path, body },
    machineClock(options.clock).now(),
  );
  const response = await countedFetch('vault', new URL(path, options.origin), {
    method: 'POST',
    headers: signed.headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(options.timeoutMs ?? timeoutDefaultMs),
  });
  return {
    status: response.status,
    body: await readBounded(response.body, answerBytesMax),
    nonce: signed.nonce,
    signature: response.headers.get(internalHeaders.signature),
  };
}

function readAnswer<Schema extends z.ZodType>(
  operation: string,
  exchanged: Exchanged,
  schema: Schema,
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(exchanged.body.toString('utf8'));
  } catch (cause) {
    throw strange(`the vault’s answer to ${operation} is no JSON`, cause);
  }
  if (exchanged.status !== 200) throw readRefusal(operation, value);
  const result = schema.safeParse(value);
  if (!result.success)
    throw strange(`the vault’s answer to ${operation} does not fit: ${result.error.message}`);
  return result.data;
}

/** The vault's own refusal, as if the rule had run here. */
function readRefusal(operation: string, value: unknown): ServiceError {
  const { data } = refusalSchema.safeParse(value);
  if (!data || !Object.hasOwn(errorTable, data.code))
    return strange(`the vault refused ${operation} with a body that does not fit`);
  const code = data.code as ErrorCode;
  if (errorTable[code].status >= 500 && code !== 'provider-unavailable')
    return strange(`the vault failed at ${operation}: ${data.message}`);
  return new ServiceError(code, {
    message: data.message,
    details: data.details,
    headers: code === 'provider-unavailable' ? { 'retry-after': String(retryAfterSeconds) } : {},
  });
}

/**
 * Something between us and the vault answered, or the vault did not accept our signature and said
 * nothing more.
 */
function explainUnsigned(
  options: VaultClientOptions,
  operation: string,
  status: number,
): ServiceError {
  options.log.error(
    { operation, status, peer: options.identity.name },
    status === 401
      ? 'the vault did not accept our request: check VAULT_CLIENT_SEED here, VAULT_PEERS there, and both clocks'
      : 'an answer in the vault’s name is not signed by it: check VAULT_PUBLIC_KEY, and what stands between',
  );
  return away(new Error(`an answer with status ${status} and no good signature`));
}

function away(cause: unknown): ServiceError {
  return new ServiceError('provider-unavailable', {
    message: 'The vault that keeps payment methods is not available: retry later.',
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });
}

function strange(message: string, cause?: unknown): ServiceError {
  return new ServiceError('upstream-error', { cause: new Error(message, { cause }) });
}

/** For processes that were given no vault. */
export function createMissingVault(): VaultProvider {
  const refuse = async (): Promise<never> => {
    throw new ServiceError('provider-unavailable', {
      message:
        'This instance has no vault, so it keeps no payment methods: the operator sets VAULT_URL and what belongs to it.',
    });
  };
  return {
    getPaymentMethod: refuse,
    listPaymentMethods: refuse,
    updatePaymentMethod: refuse,
    deletePaymentMethod: refuse,
    eraseUser: refuse,
    ask: refuse,
  };
}
