import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { ChainFamily, Network, ResolvedToken } from '../../family.ts';
import { sixthName } from './facts.ts';

const pattern = /^six[0-9a-f]{40}$/;
const coinAddress = `six${'c'.repeat(40)}`;
const network: Network = {
  name: 'sixth',
  chainType: sixthName,
  testnet: true,
  native: { symbol: 'six', decimals: 9 },
  tokens: [{ symbol: 'coin', name: 'Coin', decimals: 6, address: coinAddress }],
};

/** What the network holds: native money by address, given from outside. */
export const held = new Map<string, bigint>();

const wantless = async (): Promise<never> => {
  throw new ServiceError('chain-not-supported', { message: 'The sixth chain runs no operations.' });
};

/**
 * Wallets, addresses, tokens and balances; no capability beyond those that every family has, and no
 * operation that runs.
 */
export function createSixthFamily(): ChainFamily {
  function requireNetwork(chain: string): Network {
    if (chain === network.name) return network;
    throw new ServiceError('chain-not-supported', { message: 'Set SIXTH_RPC_URL.' });
  }
  const addressOfPublicKey = (key: Uint8Array) =>
    `six${createHash('sha256').update(key).digest('hex').slice(0, 40)}`;
  const isAddress = (text: string) => pattern.test(text);
  return {
    chainType: sixthName,
    walletTypes: ['mpc'],
    adminSignerTypes: [],
    networks: [network],
    requireNetwork,
    isAddress,
    isRecipient: isAddress,
    checkAddress: (text) => (isAddress(text) ? undefined : 'is not an address of the sixth family'),
    canonicalAddress: (address) => address,
    formatAddress: (address) => address,
    custodyCurve: 'ed25519',
    addressOfPublicKey,
    custodyDigest: () => new Uint8Array(32),
    custodyApproval: (signer, signature) => ({
      signer,
      signature: Buffer.from(signature).toString('hex'),
    }),
    completeSigner: (signer) => signer,
    planWallet(input) {
      if (input.type !== 'mpc') throw new ServiceError('signer-type-not-supported');
      return { address: addressOfPublicKey(input.publicKey), setup: {} };
    },
    async resolveToken(chain, token): Promise<ResolvedToken> {
      const { name, native, tokens } = requireNetwork(chain);
      const symbol = 'symbol' in token ? token.symbol.toLowerCase() : undefined;
      if (symbol === native.symbol) return { chain: name, locator: `${name}:${symbol}`, ...native };
      const found = tokens.find((one) =>
        'symbol' in token ? one.symbol === symbol : one.address === token.address,
      );
      if (!found) throw new ServiceError('token-not-supported');
      return { chain: name, locator: `${name}:${found.symbol}`, ...found };
    },
    readBalances: async (address, tokens) =>
      tokens.map((token) => ({
        token,
        amountMinor: token.address === undefined ? (held.get(address) ?? 0n) : 0n,
      })),
    readFinalBalances: async () => undefined,
    readMetadataUris: async (tokens) => tokens.map(() => undefined),
    transactionParams: { mpc: z.object({ chain: z.string() }) },
    transferParams: wantless,
    prepareOperation: wantless,
    readSigned: () => ({ chain: network.name, walletAddress: '', message: '' }),
    describeSigned: () => 'nothing',
    checkApproval: async () => false,
    submitOperations: wantless,
    withholdOperations: async () => undefined,
    releaseOperations: async () => undefined,
    run: async () => ({ stop: async () => undefined }),
    watchStatus: async () => [],
    relayStatus: async () => [],
  };
}
