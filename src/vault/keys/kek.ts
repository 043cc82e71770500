import { lengthPrefixed } from '../../lib/sealing/length-prefixed.ts';
/**
 * What a wrapped data key belongs to; the wrap is bound to it, so that a wrapped key put into
 * another row does not open.
 */
export interface WrapContext {
  /** `user-key`, or the purpose of one of the vault's own keys. */
  readonly purpose: string;
  /** Project of a user key; `-` for the vault's own keys. */
  readonly projectId: string;
  /** Id of the key that is wrapped. */
  readonly id: string;
}

/** One key-encryption key: in a file, or in a service that never gives it away. */
export interface KekProvider {
  readonly kind: 'file' | 'aws-kms' | 'gcp-kms' | 'openbao';
  /** @throws KekError */
  wrap(dataKey: Uint8Array, context: WrapContext): Promise<Buffer>;
  /** @throws KekError */
  unwrap(wrapped: Uint8Array, context: WrapContext): Promise<Buffer>;
}

export interface Kek {
  /** 1 to 64 characters `A-Z a-z 0-9 . _ -`; written beside every key it wraps. */
  readonly id: string;
  readonly provider: KekProvider;
}

/**
 * `unavailable`: no answer, or one that asks to come again. `refused`: the service knows us and
 * says no, or the settings are wrong. `not-authentic`: the wrapped key was changed, belongs
 * elsewhere, or was wrapped by another key.
 */
export class KekError extends Error {
  readonly reason: 'unavailable' | 'refused' | 'not-authentic';

  constructor(reason: KekError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'KekError';
    this.reason = reason;
  }
}

export const dataKeyBytes = 32;

/** The context as bytes; lengths stand before the parts, so that no two contexts give the same. */
export function contextBytes(context: WrapContext): Buffer {
  return lengthPrefixed(['purser-vault-wrap-1', context.purpose, context.projectId, context.id]);
}

/** What a service gave back must be a data key. @throws KekError */
export function requireDataKey(bytes: Uint8Array, what: string): Buffer {
  if (bytes.length !== dataKeyBytes)
    throw new KekError(
      'not-authentic',
      `${what} gave ${bytes.length} bytes where a data key has ${dataKeyBytes}.`,
    );
  return Buffer.from(bytes);
}
