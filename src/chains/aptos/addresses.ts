import { checkMoveAddress } from '../family/names/move-addresses.ts';
import { formatTypeTag, parseTypeTag } from './encoding/type-tags.ts';

/** What is wrong with an address, as the rest of a sentence. */
export const checkAptosAddress = (text: string) => checkMoveAddress(text, 'aptos');

export const isAptosAddress = (text: string) => checkAptosAddress(text) === undefined;

/** Addresses of the framework, 0x0 to 0xf: what goes there is lost. */
const special = /^0x0{63}[0-9a-fA-F]$/;

/** An address that somebody may hold money at. */
export const isAptosRecipient = (text: string) => isAptosAddress(text) && !special.test(text);

/** Hexadecimal has no case; names in the type of a coin, by which tokens are called, have one. */
export function canonicalAptosAddress(text: string): string {
  if (!text.includes('::')) return text.toLowerCase();
  try {
    return formatTypeTag(parseTypeTag(text));
  } catch {
    return text;
  }
}
