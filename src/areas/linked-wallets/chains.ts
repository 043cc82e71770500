import bs58 from 'bs58';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isBech32 } from './bech32.ts';
import { readStellarAddress } from './strkey.ts';

export type WalletKind = 'evm' | 'solana' | 'stellar' | 'aptos' | 'sui' | 'xion';

/** A chain that wallets may be linked on. */
export interface LinkableChain {
  /** As sent. */
  readonly name: string;
  readonly kind: WalletKind;
  /** How the challenge names the account: "… sign in with your <label> account:". */
  readonly label: string;
  /** How the challenge names the network (CAIP-2 reference), where there is a name. */
  readonly reference?: string;
}

type ChainsCtx = Pick<Ctx, 'chains' | 'config'>;

/** One name each for main and test networks: the environment decides (supplement, section 20). */
const otherChains: Readonly<
  Record<string, { readonly kind: WalletKind; readonly label: string; readonly main: string; readonly test: string }>
> = {
  aptos: { kind: 'aptos', label: 'Aptos', main: '1', test: '2' },
  solana: { kind: 'solana', label: 'Solana', main: 'mainnet', test: 'devnet' },
  stellar: { kind: 'stellar', label: 'Stellar', main: 'pubnet', test: 'testnet' },
  sui: { kind: 'sui', label: 'Sui', main: 'mainnet', test: 'testnet' },
  xion: { kind: 'xion', label: 'XION', main: 'xion-mainnet-1', test: 'xion-testnet-2' },
};

/** @throws chain-not-supported for unknown names, and for test networks in production */
export function requireLinkableChain(ctx: ChainsCtx, name: string): LinkableChain {
  const isProduction = ctx.config.environment === 'production';
  const other = Object.hasOwn(otherChains, name) ? otherChains[name] : undefined;
  if (other) return { name, kind: other.kind, label: other.label, reference: isProduction ? other.main : other.test };
  const network = ctx.chains.families.find(({ chainType }) => chainType === 'evm')?.networks.find((one) => one.name === name);
  if (!network)
    throw new ServiceError('chain-not-supported', {
      message: `The chain "${name.slice(0, 64)}" is not known here: send a chain name such as base, ethereum, solana or stellar.`,
    });
  if (isProduction && network.testnet)
    throw new ServiceError('chain-not-supported', {
      message: `The chain "${name}" is a test network, and this is a production instance: send a main network.`,
    });
  return { name, kind: 'evm', label: 'Ethereum', ...(network.chainId !== undefined && { reference: String(network.chainId) }) };
}

/** @throws validation-error naming what is wrong with an address of that chain, a mistyped checksum included */
export function checkWalletAddress(ctx: ChainsCtx, address: string, chain: LinkableChain): void {
  const mistake = findMistake(ctx, address, chain.kind);
  if (mistake !== undefined) throw new ServiceError('validation-error', { message: `The request is not valid. path.address: ${mistake}.` });
}

function findMistake(ctx: ChainsCtx, address: string, kind: WalletKind): string | undefined {
  switch (kind) {
    case 'evm':
      return ctx.chains.family('evm').checkAddress(address);
    case 'solana':
      return decodeSolanaAddress(address) ? undefined : 'is not a Solana address: 32 bytes as base58';
    case 'stellar':
      return readStellarAddress(address) ? undefined : 'is not a Stellar address (G… or C…), or one of its characters is mistyped';
    case 'aptos':
    case 'sui':
      return /^0x[a-fA-F0-9]{64}$/.test(address) ? undefined : `is not an address of ${kind}: 0x and 64 hex characters`;
    case 'xion':
      return isBech32(address, 'xion') ? undefined : 'is not a XION address (xion1…), or one of its characters is mistyped';
  }
}

/** The 32 bytes of a Solana address, which are the Ed25519 key of a wallet. */
export function decodeSolanaAddress(address: string): Uint8Array | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return undefined;
  const bytes = bs58.decode(address);
  return bytes.length === 32 ? bytes : undefined;
}

/** The one spelling by which two addresses are the same wallet, on whichever chain: hex has no case. */
export function canonicalWalletAddress(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}
