import { checkMoveAddress } from '../family/names/move-addresses.ts';

/** What is wrong with an address, as the rest of a sentence. */
export const checkAptosAddress = (text: string) => checkMoveAddress(text, 'aptos');

export const isAptosAddress = (text: string) => checkAptosAddress(text) === undefined;

/** Addresses of the framework, 0x0 to 0xf: what goes there is lost. */
const special = /^0x0{63}[0-9a-fA-F]$/;

/** An address that somebody may hold money at. */
export const isAptosRecipient = (text: string) => isAptosAddress(text) && !special.test(text);

export const canonicalAptosAddress = (address: string) => address.toLowerCase();
