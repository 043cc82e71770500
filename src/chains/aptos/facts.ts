import type { FamilyFacts } from '../family/facts.ts';
import { checkMoveAddress } from '../family/names/move-addresses.ts';
import { oneName, readHexTxId } from '../family/names/one-name.ts';
import { joinHexSignatures } from '../family/signing/outputs.ts';

export const aptos: FamilyFacts = {
  name: 'aptos',
  walletTypes: ['mpc'],
  signatureTypes: [],
  transactionParams: {
    mpc: '`transaction` (a raw transaction that calls an entry function, as BCS in base64)',
  },
  severalNetworks: false,
  firstChain: { production: 'aptos', test: 'aptos' },
  tokenAddressField: 'contractAddress',
  takesMemo: false,
  readTxId: readHexTxId,
  outputOf: joinHexSignatures,
  code: {
    isConfigured: ({ aptos: { rpcUrl } }) => rpcUrl !== undefined,
    missingSetting: ({ aptos: { rpcUrl } }) => (rpcUrl === undefined ? 'APTOS_RPC_URL' : undefined),
    load: async () => ({ create: (await import('./index.ts')).createAptosFamily }),
    commands: {},
    loadFees: async () =>
      (await import('../family/spending/fee-book.ts')).createFeeBook(
        (await import('./config/fees.ts')).aptosFees,
      ),
    loadSealedTables: async () => [(await import('../family/late/store.ts')).intents.sealed],
  },
  linking: {
    label: 'Aptos',
    findChain: oneName('aptos', { main: '1', test: '2' }),
    checkAddress: (text) => checkMoveAddress(text, 'aptos'),
    formatAddress: (address) => address,
  },
};
