import { isBech32 } from '../../lib/locator/bech32.ts';
import type { FamilyFacts } from '../family/facts.ts';
import { oneName } from '../family/names/one-name.ts';
import { joinHexSignatures } from '../family/signing/outputs.ts';

/** Its wallets can be linked, and no more. */
export const xion: FamilyFacts = {
  name: 'xion',
  walletTypes: [],
  signatureTypes: [],
  transactionParams: {},
  severalNetworks: false,
  tokenAddressField: 'contractAddress',
  takesMemo: false,
  readTxId: (txId) => ({ txId }),
  outputOf: joinHexSignatures,
  linking: {
    label: 'XION',
    findChain: oneName('xion', { main: 'xion-mainnet-1', test: 'xion-testnet-2' }),
    checkAddress: (text) =>
      isBech32(text, 'xion')
        ? undefined
        : 'is not a XION address (xion1…), or one of its characters is mistyped',
    formatAddress: (address) => address,
  },
};
