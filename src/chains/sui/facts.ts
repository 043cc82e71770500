import type { FamilyFacts } from '../family/facts.ts';
import { checkMoveAddress } from '../family/move-addresses.ts';
import { oneName, readHexTxId } from '../family/one-name.ts';
import { joinHexSignatures } from '../family/outputs.ts';

export const sui: FamilyFacts = {
  name: 'sui',
  walletTypes: ['mpc'],
  signatureTypes: [],
  severalNetworks: false,
  firstChain: { production: 'sui', test: 'sui' },
  tokenAddressField: 'contractAddress',
  takesMemo: false,
  readTxId: readHexTxId,
  outputOf: joinHexSignatures,
  linking: {
    label: 'Sui',
    findChain: oneName('sui', { main: 'mainnet', test: 'testnet' }),
    checkAddress: (text) => checkMoveAddress(text, 'sui'),
    formatAddress: (address) => address,
  },
};
