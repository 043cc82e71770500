import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { type MessageVerifier, requireExtra } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { decodeSolanaAddress, type LinkableChain } from './chains.ts';
import { namesChain } from './challenge.ts';
import { readStellarAddress } from './strkey.ts';

export interface ProofInput {
  readonly address: string;
  readonly chain: LinkableChain;
  /** The challenge, to the letter. */
  readonly text: string;
  readonly proof: string;
}

const stellarPrefix = 'Stellar Signed Message:\n';

/**
 * Whose signature of the text the proof is: of the wallet's key, or of the contract that the wallet is on this chain. Undefined: of
 * neither.
 * @throws invalid-proof where no proof is possible, provider-unavailable, upstream-error when only a node can tell
 */
export async function verifyProof(ctx: Pick<Ctx, 'chains'>, input: ProofInput): Promise<MessageVerifier | undefined> {
  const { address, chain, text, proof } = input;
  switch (chain.kind) {
    case 'evm':
      return verifyEvmProof(ctx, input);
    case 'solana':
      return isSignedBy(decodeSolanaAddress(address), proof, [Buffer.from(text)]) ? 'key' : undefined;
    case 'stellar': {
      const account = readStellarAddress(address);
      if (account?.kind === 'C')
        throw new ServiceError('invalid-proof', {
          message: 'A Stellar contract address has no key that could sign the challenge: link the G… account that controls it.',
        });
      // Wallets sign the text itself, or its hash behind a prefix (SEP-53).
      const texts = [Buffer.from(text), createHash('sha256').update(stellarPrefix).update(text).digest()];
      return isSignedBy(account?.bytes, proof, texts) ? 'key' : undefined;
    }
    default:
      throw new ServiceError('invalid-proof', {
        message: `Ownership proofs are taken for EVM chains, Solana and Stellar, not for ${chain.name}: send no proof.`,
      });
  }
}

async function verifyEvmProof(ctx: Pick<Ctx, 'chains'>, { address, chain, text, proof }: ProofInput): Promise<MessageVerifier | undefined> {
  try {
    const by = await requireExtra(ctx.chains.family('evm'), 'messages').verifyMessage({
      address,
      message: text,
      signature: proof,
      chain: chain.name,
    });
    // A contract that was asked about one chain says nothing about another.
    return by === 'contract' && !namesChain(text, chain) ? undefined : by;
  } catch (error) {
    // No key of the address signed it, and there is no node to ask whether a smart wallet stands there.
    if (!(error instanceof ServiceError) || error.code !== 'chain-not-supported') throw error;
    throw new ServiceError('invalid-proof', {
      message: `The proof is not signed by the key of this address. Whether a smart wallet there accepts it cannot be found out: ${error.message}`,
      cause: error,
    });
  }
}

function isSignedBy(publicKey: Uint8Array | undefined, proof: string, messages: readonly Buffer[]): boolean {
  const signature = decodeSignature(proof);
  if (!publicKey || !signature) return false;
  return messages.some((message) => {
    try {
      // The strict rules of RFC 8032: no second spelling of a signature, no key of small order.
      return ed25519.verify(signature, message, publicKey, { zip215: false });
    } catch {
      // Not a point of the curve, e.g. an address that has no key.
      return false;
    }
  });
}

function decodeSignature(proof: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]{86}(?:==)?$/.test(proof)) return undefined;
  const bytes = Buffer.from(proof, 'base64');
  return bytes.length === 64 ? bytes : undefined;
}
