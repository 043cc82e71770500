import { readStellarAddress } from './strkey.ts';

/** What is wrong with a text that is to be an address, as the rest of a sentence. */
export function checkStellarAddress(text: string): string | undefined {
  return readStellarAddress(text)
    ? undefined
    : 'is not a Stellar address (G… or C…), or one of its characters is mistyped';
}

/** An address that somebody may have the key of, or a contract's. */
export function isStellarRecipient(text: string): boolean {
  return readStellarAddress(text)?.bytes.some((byte) => byte !== 0) ?? false;
}
