import type { FamilyFacts } from '../family/facts.ts';
import { readHexTxId } from '../family/names/one-name.ts';
import { joinHexSignatures } from '../family/signing/outputs.ts';
import { checkEvmAddress, checksumAddress } from './abi/words.ts';
import { deployUsage, recountUsage } from './cli/usage.ts';
import { findEvmNetwork, starOf } from './config/networks.ts';

export const evm: FamilyFacts = {
  name: 'evm',
  walletTypes: ['smart', 'mpc'],
  signatureTypes: ['message', 'typed-data'],
  transactionParams: {
    smart: '`calls` (or `call`, the only one), `chain`, `signer?`',
    mpc: '`call` (`{to, data}` or `{address, functionName, abi, args}`), `chain`',
  },
  severalNetworks: true,
  firstChain: { production: 'base', test: 'base-sepolia' },
  tokenAddressField: 'contractAddress',
  hasCreationSeed: true,
  takesMemo: false,
  readTxId: readHexTxId,
  outputOf: joinHexSignatures,
  linking: {
    label: 'Ethereum',
    findChain(name) {
      const network = findEvmNetwork(name);
      return (
        network && {
          testnet: network.testnet,
          ...(network.chainId !== undefined && { reference: String(network.chainId) }),
        }
      );
    },
    checkAddress: checkEvmAddress,
    formatAddress: checksumAddress,
    verifyProof: async ({ address, text, proof, chain }, messages) =>
      messages().verifyMessage({ address, message: text, signature: proof, chain }),
  },
  code: {
    isConfigured: ({ evm: { rpcUrls } }) => rpcUrls.size > 0,
    missingSetting: ({ evm: { rpcUrls } }, chain) =>
      rpcUrls.has(chain) ? undefined : `EVM_RPC_URL_${starOf(chain)}`,
    load: async () => ({ create: (await import('./index.ts')).createEvmFamily }),
    commands: {
      deploy: {
        usage: deployUsage,
        load: async () => (await import('./cli/command.ts')).deployCommand,
      },
      recount: {
        usage: recountUsage,
        load: async () => (await import('./cli/command.ts')).recountCommand,
      },
    },
    loadFees: async () => (await import('./cli/fee-book.ts')).evmFeeBook,
    loadSealedTables: async () => [
      (await import('./relay/queue/seals.ts')).sealedOperations,
      (await import('./account/top-ups.ts')).sealedTopUps,
      (await import('./account/fund.ts')).sealedFunds,
      (await import('../family/late/store.ts')).intents.sealed,
    ],
    loadServerSigners: async () => ({
      derive: (await import('./signing/server-signer.ts')).deriveServerSigner,
    }),
  },
};
