import { type ChainType, type MessageVerifier, requireExtra } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { LinkableChain } from './chains.ts';
import { namesChain } from './challenge.ts';

export interface ProofInput {
  readonly address: string;
  readonly chain: LinkableChain;
  /** The challenge, to the letter. */
  readonly text: string;
  readonly proof: string;
}

/**
 * Whose signature of the text the proof is: of the wallet's key, or of the contract that the wallet
 * is on this chain. Undefined: of neither.
 * @throws invalid-proof where no proof is possible, provider-unavailable, upstream-error when only
 * a node can tell
 */
export async function verifyProof(
  ctx: Pick<Ctx, 'chains'>,
  { address, chain, text, proof }: ProofInput,
): Promise<MessageVerifier | undefined> {
  const { verifyProof: verify } = chain.linking;
  if (!verify)
    throw new ServiceError('invalid-proof', {
      message: `Ownership proofs are taken for EVM chains, Solana, Stellar and Sui, not for ${chain.name}: send no proof.`,
    });
  try {
    const messages = () => requireExtra(ctx.chains.family(chain.family as ChainType), 'messages');
    const by = await verify({ address, chain: chain.name, text, proof }, messages);
    // A contract that was asked about one chain says nothing about another.
    return by === 'contract' && !namesChain(text, chain) ? undefined : by;
  } catch (error) {
    // No key of the address signed it, and there is no node to ask whether a smart wallet stands
    // there.
    if (!(error instanceof ServiceError) || error.code !== 'chain-not-supported') throw error;
    throw new ServiceError('invalid-proof', {
      message: `The proof is not signed by the key of this address. Whether a smart wallet there accepts it cannot be found out: ${error.message}`,
      cause: error,
    });
  }
}
