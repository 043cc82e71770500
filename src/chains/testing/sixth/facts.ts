import type { FamilyFacts } from '../../family/facts.ts';
import type { ChainType } from '../../family.ts';

/**
 * A made-up family: it shows what a new one needs, and nothing outside of this folder knows of it.
 */
export const sixthName = 'sixth' as ChainType;
/** How often its code was read. */
export const reads = { count: 0 };

export const sixth: FamilyFacts = {
  name: sixthName,
  walletTypes: ['mpc'],
  signatureTypes: [],
  transactionParams: {},
  severalNetworks: false,
  tokenAddressField: 'contractAddress',
  takesMemo: false,
  outputOf: (approvals) => approvals.map(({ signature }) => String(signature)).join(','),
  readTxId: (txId) => ({ txId }),
  linking: {
    label: 'Sixth',
    findChain: (name) => (name === 'sixth' ? { testnet: true } : undefined),
    checkAddress: () => undefined,
    formatAddress: (address) => address,
  },
  code: {
    isConfigured: ({ serviceDomain }) => serviceDomain === 'sixth.test',
    missingSetting: ({ serviceDomain }) =>
      serviceDomain === 'sixth.test' ? undefined : 'SERVICE_DOMAIN',
    async load() {
      reads.count += 1;
      return { create: (await import('./index.ts')).createSixthFamily };
    },
    commands: {},
    loadFees: async () => {
      throw new Error('It costs nothing.');
    },
    loadServerSigners: async () => {
      throw new Error('It has no signers of callers.');
    },
  },
};
