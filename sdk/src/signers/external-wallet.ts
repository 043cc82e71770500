import type { PurserSigner } from './signer.ts';

/** What is needed of a wallet: viem's accounts and wallet clients have this shape. */
export interface MessageSigner {
  readonly address: string;
  /** personal_sign (EIP-191) over the raw bytes: asked of a wallet that cannot sign typed data. */
  signMessage(input: { message: { raw: `0x${string}` } }): Promise<string>;
  /** EIP-712: the wallet shows what it signs. */
  signTypedData?(input: TypedDataInput): Promise<string>;
}

/** Typed data as viem takes it. */
export interface TypedDataInput {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, unknown>;
  readonly primaryType: string;
  readonly message: Record<string, unknown>;
}

/** A wallet that the caller controls, e.g. viem's `privateKeyToAccount(…)` or a browser wallet. */
export function externalWalletSigner(
  wallet: MessageSigner,
): PurserSigner & { readonly address: string } {
  return ethereumSigner('external-wallet', wallet);
}

export function ethereumSigner(
  type: 'external-wallet' | 'server',
  wallet: MessageSigner,
): PurserSigner & { readonly address: string } {
  return {
    address: wallet.address,
    locator: `${type}:${wallet.address}`,
    input: { type, address: wallet.address },
    async approve({ message, typedData }) {
      if (!typedData || !wallet.signTypedData)
        return {
          signature: await wallet.signMessage({ message: { raw: message as `0x${string}` } }),
        };
      return {
        signature: await wallet.signTypedData({
          ...typedData,
          domain: { ...typedData.domain },
          types: { ...typedData.types },
          message: { ...typedData.message },
        }),
      };
    },
  };
}

/**
 * viem's account of a private key; viem is loaded here and only here.
 * @throws Error when viem is not installed
 */
export async function loadAccount(privateKey: `0x${string}`): Promise<MessageSigner> {
  return (await loadViemAccounts()).privateKeyToAccount(privateKey);
}

/** A bundler takes an import in `try` that it cannot find for one that is optional. */
async function loadViemAccounts() {
  try {
    return await import('viem/accounts');
  } catch (error) {
    throw new Error('A server signer needs the package viem: npm install viem', { cause: error });
  }
}
