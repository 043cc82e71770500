import bs58 from 'bs58';
import type { FamilyFacts } from '../family/facts.ts';
import { checkMoveAddress } from '../family/names/move-addresses.ts';
import { oneName } from '../family/names/one-name.ts';
import { joinHexSignatures } from '../family/signing/outputs.ts';

export const sui: FamilyFacts = {
  name: 'sui',
  walletTypes: ['mpc'],
  signatureTypes: [],
  transactionParams: {
    mpc: '`transaction` (a programmable transaction as BCS in base64, its kind alone or whole)',
  },
  severalNetworks: false,
  firstChain: { production: 'sui', test: 'sui' },
  tokenAddressField: 'contractAddress',
  takesMemo: false,
  readTxId: (text) =>
    bs58.decodeUnsafe(text)?.length === 32
      ? { txId: text }
      : { mistake: 'must be 32 bytes as base58' },
  outputOf: joinHexSignatures,
  code: {
    isConfigured: ({ sui: { rpcUrl } }) => rpcUrl !== undefined,
    missingSetting: ({ sui: { rpcUrl } }) => (rpcUrl === undefined ? 'SUI_RPC_URL' : undefined),
    load: async () => ({ create: (await import('./index.ts')).createSuiFamily }),
    commands: {},
    loadFees: async () =>
      (await import('../family/spending/fee-book.ts')).createFeeBook(
        (await import('./config/fees.ts')).suiFees,
      ),
    loadSealedTables: async () => [(await import('../family/late/store.ts')).intents.sealed],
  },
  linking: {
    label: 'Sui',
    findChain: oneName('sui', { main: 'mainnet', test: 'testnet' }),
    checkAddress: (text) => checkMoveAddress(text, 'sui'),
    formatAddress: (address) => address,
    verifyProof: async (proof) => (await import('./signing/proofs.ts')).verifySuiProof(proof),
  },
};
