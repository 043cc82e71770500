import type { FamilyFacts } from '../family/facts.ts';
import { oneName } from '../family/names/one-name.ts';
import { joinHexSignatures } from '../family/signing/outputs.ts';
import { checkStellarAddress } from './addresses.ts';
import { verifyStellarProof } from './proofs.ts';

export const stellar: FamilyFacts = {
  name: 'stellar',
  walletTypes: ['smart', 'mpc'],
  signatureTypes: ['auth-entries'],
  transactionParams: {
    smart:
      '`transaction`, one of `{type: "contract-call", contractId, method, args, memo?}`, `{type: "serialized-transaction", serializedTransaction, contractId}`, `{type: "upgrade-wallet"}`, `{type: "migrate-wallet"}`; `signer?`',
    mpc: '`transaction`, one of `{type: "contract-call", contractId, method, args, memo?}`, `{type: "serialized-transaction", serializedTransaction, contractId?}`',
  },
  severalNetworks: false,
  firstChain: { production: 'stellar', test: 'stellar' },
  tokenAddressField: 'contractId',
  hasPlugins: true,
  takesMemo: true,
  readTxId: (text) =>
    /^[0-9a-f]{64}$/i.test(text)
      ? { txId: text.toLowerCase() }
      : { mistake: 'must be 64 hexadecimal digits' },
  outputOf: joinHexSignatures,
  code: {
    // Treasuries are contracts of the factory: without one nothing is served.
    isConfigured: ({ stellar: { rpcUrl, walletFactoryId } }) =>
      rpcUrl !== undefined && walletFactoryId !== undefined,
    missingSetting({ stellar: { rpcUrl, walletFactoryId } }) {
      if (rpcUrl === undefined) return 'STELLAR_RPC_URL';
      return walletFactoryId === undefined ? 'STELLAR_WALLET_FACTORY_ID' : undefined;
    },
    load: async () => ({ create: (await import('./index.ts')).createStellarFamily }),
    commands: {},
    loadFees: async () =>
      (await import('../family/spending/fee-book.ts')).createFeeBook(
        (await import('./config/fees.ts')).stellarFees,
      ),
    loadSealedTables: async () => [(await import('../family/late/store.ts')).intents.sealed],
    loadServerSigners: async () => ({
      derive: (await import('./signing/server-signer.ts')).deriveServerSigner,
    }),
  },
  linking: {
    label: 'Stellar',
    findChain: oneName('stellar', { main: 'pubnet', test: 'testnet' }),
    checkAddress: checkStellarAddress,
    formatAddress: (address) => address,
    verifyProof: verifyStellarProof,
  },
};
