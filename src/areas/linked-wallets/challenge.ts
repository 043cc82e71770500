import type { LinkableChain } from './chains.ts';

/** How long a challenge can be signed. */
export const challengeMs = 15 * 60_000;

export interface ChallengeInput {
  /** Domain of the service. */
  readonly domain: string;
  readonly uri: string;
  /** As the chain writes it, checksum included. */
  readonly address: string;
  readonly chain: LinkableChain;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/**
 * The text to sign (CAIP-122; on EVM chains it reads as EIP-4361, which wallets show as a sign-in).
 */
export function writeChallenge(input: ChallengeInput): string {
  const { domain, chain } = input;
  return [
    `${domain} wants you to sign in with your ${chain.label} account:`,
    input.address,
    '',
    `Confirm that this wallet is yours, to link it to your account at ${domain}. This costs nothing and moves nothing.`,
    '',
    `URI: ${input.uri}`,
    'Version: 1',
    ...(chain.reference === undefined ? [] : [`Chain ID: ${chain.reference}`]),
    `Nonce: ${input.nonce}`,
    `Issued At: ${input.issuedAt.toISOString()}`,
    `Expiration Time: ${input.expiresAt.toISOString()}`,
  ].join('\n');
}

/** True when a challenge that this service wrote is for that chain. */
export function namesChain(text: string, chain: LinkableChain): boolean {
  const lines = text.split('\n');
  const chainLine = lines.find((line) => line.startsWith('Chain ID: '));
  const wanted = chain.reference === undefined ? undefined : `Chain ID: ${chain.reference}`;
  return lines[0]!.endsWith(` your ${chain.label} account:`) && chainLine === wanted;
}
