import { decodeStrKey } from '../../lib/locator/strkey.ts';

export interface StellarAddress {
  /** `G`: an account, whose address is its Ed25519 key. `C`: a contract. */
  readonly kind: 'G' | 'C';
  readonly bytes: Uint8Array;
}

/** Undefined when the text is no address, or one of its characters is mistyped. */
export function readStellarAddress(text: string): StellarAddress | undefined {
  const { kind, bytes } = decodeStrKey(text) ?? {};
  return bytes !== undefined && (kind === 'G' || kind === 'C') ? { kind, bytes } : undefined;
}
