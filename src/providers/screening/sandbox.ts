import { createHash } from 'node:crypto';
import {
  checkAddressCount,
  comparableAddress,
  type ListVersion,
  ScreeningError,
  type ScreeningProvider,
} from './screening.ts';

/** Addresses that the sandbox knows, so that a developer can see what happens. */
export const sandboxAddresses = {
  /** Is on the list. */
  blocked: '0xbadbadbadbadbadbadbadbadbadbadbadbadbad1',
  /** Finds the list out of reach. */
  unavailable: '0xbadbadbadbadbadbadbadbadbadbadbadbadbad2',
} as const;

const list: ListVersion = {
  list: 'sandbox',
  version: '1',
  digest: createHash('sha256').update(JSON.stringify(sandboxAddresses)).digest('hex'),
};

export function createSandboxScreening(): ScreeningProvider {
  return {
    async screen({ addresses }) {
      checkAddressCount(addresses);
      const isListed = (listed: string) => (address: string) =>
        comparableAddress(address) === listed;
      if (addresses.some(isListed(sandboxAddresses.unavailable)))
        throw new ScreeningError('The sandbox list is out of reach for this address.');
      const address = addresses.find(isListed(sandboxAddresses.blocked));
      if (address === undefined) return { status: 'clear', lists: [list] };
      const hit = {
        address,
        list: list.list,
        listVersion: list.version,
        digest: list.digest,
        entry: 'blocked',
      };
      return { status: 'blocked', hit, lists: [list] };
    },
    status: () => [{ ...list, entryCount: Object.keys(sandboxAddresses).length }],
  };
}

/** For instances that do not compare with any list. */
export function createNoScreening(): ScreeningProvider {
  return {
    async screen({ addresses }) {
      checkAddressCount(addresses);
      return { status: 'clear', lists: [], off: true };
    },
    status: () => [],
  };
}
