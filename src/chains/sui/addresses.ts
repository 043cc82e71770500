import { Ed25519PublicKey } from '@mysten/sui/keypairs/ed25519';
import { checkMoveAddress } from '../family/names/move-addresses.ts';
import { readCoinType } from './operation/transfer-program.ts';

/** Address of a key that the service holds. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  return new Ed25519PublicKey(publicKey).toSuiAddress();
}

/** Addresses of the system: packages and objects of everybody, keys of nobody. */
const systemMax = 0xffffn;

/** An address that somebody may hold money at. */
export function isSuiRecipient(text: string): boolean {
  return checkMoveAddress(text, 'sui') === undefined && BigInt(text) > systemMax;
}

/** Hexadecimal has no case; names in the type of a coin, by which tokens are called, have one. */
export function canonicalSuiAddress(text: string): string {
  return text.includes('::') ? (readCoinType(text) ?? text) : text.toLowerCase();
}
