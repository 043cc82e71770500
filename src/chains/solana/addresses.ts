import bs58 from 'bs58';

/** The 32 bytes of a Solana address, which are the Ed25519 key of a wallet. */
export function decodeSolanaAddress(address: string): Uint8Array | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return undefined;
  const bytes = bs58.decode(address);
  return bytes.length === 32 ? bytes : undefined;
}

/** What is wrong with a text that is to be an address, as the rest of a sentence. */
export function checkSolanaAddress(text: string): string | undefined {
  return decodeSolanaAddress(text) ? undefined : 'is not a Solana address: 32 bytes as base58';
}
