import { lengthPrefixed } from '../../lib/sealing/length-prefixed.ts';
import { decrypt, encrypt } from './aead.ts';

/** What sealed bytes are and where they belong: they open in that place only. */
export interface RecordContext {
  /** The project. */
  readonly tenant: string;
  /** Type of the record, e.g. `bank-account-us`. */
  readonly type: string;
  readonly id: string;
  /** Of the record's content, so that an old value put back does not open as the new one. */
  readonly version: number;
  /** Which of a record's sealed columns. */
  readonly part: string;
}

/** JSON under a user's data key, AES-256-GCM, bound to its place. */
export function sealRecord(dataKey: Uint8Array, value: unknown, context: RecordContext): Buffer {
  const plaintext = Buffer.from(JSON.stringify(value));
  try {
    return encrypt(dataKey, plaintext, associatedData(context));
  } finally {
    plaintext.fill(0);
  }
}

/**
 * The JSON as it was sealed: the caller knows its shape, since nobody without the key can have made
 * it.
 * @throws NotAuthentic
 */
export function openRecord(
  dataKey: Uint8Array,
  sealed: Uint8Array,
  context: RecordContext,
): unknown {
  const plaintext = decrypt(dataKey, sealed, associatedData(context));
  try {
    return JSON.parse(plaintext.toString('utf8'));
  } finally {
    plaintext.fill(0);
  }
}

function associatedData({ tenant, type, id, version, part }: RecordContext): Buffer {
  return lengthPrefixed(['purser-vault-record-1', tenant, type, id, `${version}`, part]);
}
