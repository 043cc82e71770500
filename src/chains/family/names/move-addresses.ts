/**
 * Aptos and Sui write addresses alike: 32 bytes in hexadecimal.
 * @returns what is wrong, as the rest of a sentence
 */
export function checkMoveAddress(text: string, family: 'aptos' | 'sui'): string | undefined {
  return /^0x[a-fA-F0-9]{64}$/.test(text)
    ? undefined
    : `is not an address of ${family}: 0x and 64 hex characters`;
}
