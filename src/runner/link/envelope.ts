import { openLetter, sealLetter } from '../../lib/sealing/sealed-letter.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import { type LinkOperation, linkPrefix } from './wire.ts';

/**
 * Whole bodies between runner and worker are letters to the other side's key: between the two go
 * passwords, codes, cards, the buyer's address and the sessions of a browser, and whoever carries
 * them reads none. The signature is over the letter.
 */

const contextOf = (what: 'request' | 'answer', name: string): readonly string[] => [
  'runner-link',
  what,
  `${linkPrefix}${name}`,
];

export const sealLinkRequest = (
  workerPublicKey: Uint8Array,
  name: LinkOperation,
  text: string,
): Promise<Buffer> => sealLetter(workerPublicKey, text, contextOf('request', name));

/** @throws SealedLetterError */
export const openLinkRequest = (
  workerSeed: Secret<Uint8Array>,
  name: string,
  body: Uint8Array,
): Promise<string> => openLetter(workerSeed, body, contextOf('request', name));

export const sealLinkAnswer = (
  runnerPublicKey: Uint8Array,
  name: string,
  text: string,
): Promise<Buffer> => sealLetter(runnerPublicKey, text, contextOf('answer', name));

/** @throws SealedLetterError */
export const openLinkAnswer = (
  runnerSeed: Secret<Uint8Array>,
  name: LinkOperation,
  body: Uint8Array,
): Promise<string> => openLetter(runnerSeed, body, contextOf('answer', name));
