import type { FamilyFacts } from '../family/facts.ts';
import { oneName } from '../family/names/one-name.ts';
import { isSignedBy } from '../family/signing/ed25519-proof.ts';
import { joinHexSignatures } from '../family/signing/outputs.ts';
import { checkSolanaAddress, decodeSolanaAddress } from './addresses.ts';

export const solana: FamilyFacts = {
  name: 'solana',
  walletTypes: ['smart', 'mpc'],
  signatureTypes: [],
  transactionParams: {
    smart: '`transaction` (serialised, in base58), `requiredSigners?`, `feeConfig?`, `signer?`',
    mpc: '`transaction` (serialised, in base58), `requiredSigners?`, `feeConfig?`',
  },
  severalNetworks: false,
  firstChain: { production: 'solana', test: 'solana' },
  tokenAddressField: 'mintHash',
  takesMemo: false,
  readTxId: (txId) => ({ txId }),
  outputOf: joinHexSignatures,
  code: {
    isConfigured: ({ solana: { rpcUrl } }) => rpcUrl !== undefined,
    missingSetting: ({ solana: { rpcUrl } }) =>
      rpcUrl === undefined ? 'SOLANA_RPC_URL' : undefined,
    load: async () => ({ create: (await import('./index.ts')).createSolanaFamily }),
    commands: {},
    loadFees: async () =>
      (await import('../family/spending/fee-book.ts')).createFeeBook(
        (await import('./config/fees.ts')).solanaFees,
      ),
    loadSealedTables: async () => [
      (await import('./relay/queue/store.ts')).solanaOperations.sealed,
    ],
    loadServerSigners: async () => ({
      derive: (await import('./signing/server-signer.ts')).deriveServerSigner,
    }),
  },
  linking: {
    label: 'Solana',
    findChain: oneName('solana', { main: 'mainnet', test: 'devnet' }),
    checkAddress: checkSolanaAddress,
    formatAddress: (address) => address,
    verifyProof: async ({ address, text, proof }) =>
      isSignedBy(decodeSolanaAddress(address), proof, [Buffer.from(text)]) ? 'key' : undefined,
  },
};
