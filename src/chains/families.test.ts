import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testConfig } from '../../test/harness/config.ts';
import { systemClock } from '../lib/clock.ts';
import { createLogger } from '../lib/log/log.ts';
import type { Store } from '../store/types.ts';
import {
  configuredFamilies,
  factsOfChain,
  families,
  loadFamilies,
  transactionParamsText,
} from './families.ts';
import { describeChainFamily } from './family.contract.ts';
import { chainTypes, requireExtra } from './family.ts';
import { createChains } from './registry.ts';
import { reads, sixth, sixthName } from './testing/sixth/facts.ts';
import { held } from './testing/sixth/index.ts';

const log = createLogger({ level: 'silent', process: 'test' });
/** None of these families asks its database before it is used. */
const store = {} as Store;
const config = { ...testConfig(), serviceDomain: 'sixth.test' };
const withSixth = [...families, sixth];
const load = (known = withSixth) => loadFamilies({ config, store, clock: systemClock, log }, known);

const freshAddress = () => `six${randomBytes(20).toString('hex')}`;
const newSigner = () => ({
  signer: { type: 'api-key', locator: `api-key:${freshAddress()}` } as const,
  approve: () => Promise.reject(new Error('Nothing is approved here.')),
});

// A new family is a folder and a line in the list: it passes the base of what all of them show.
describeChainFamily(
  'that is made up',
  async () => ({
    family: (await load())[0]!,
    store,
    chain: 'sixth',
    walletType: 'mpc',
    testToken: 'coin',
    foreignAddress: '0x00000000000000000000000000000000000a11ce',
    freshAddress,
    freshTxId: freshAddress,
    newPayer: () => Promise.reject(new Error('Nobody pays here.')),
    paramsOf: () => ({}),
    newSigner,
    newCustodyKey: () => ({ publicKey: randomBytes(32), sign: async () => new Uint8Array(64) }),
    giveNative: async (address, amountMinor) => void held.set(address, amountMinor),
    settle: async () => undefined,
    close: async () => undefined,
  }),
  [],
);

describe('the list of families', () => {
  it('has each once, and finds them by the names of their chains', () => {
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
    const withWallets = families
      .filter(({ walletTypes }) => walletTypes.length > 0)
      .map(({ name }) => name);
    expect(withWallets.toSorted()).toEqual([...chainTypes].toSorted());
    expect(
      ['base-sepolia', 'solana', 'stellar', 'xion'].map((chain) => factsOfChain(chain).name),
    ).toEqual(['evm', 'solana', 'stellar', 'xion']);
    expect(() => factsOfChain('nowhere')).toThrow(
      'The chain "nowhere" is not known to this instance.',
    );
  });

  it('say of every wallet what params its transactions have: each of them, and no other', async () => {
    for (const { name, walletTypes, transactionParams, code } of families.filter(
      (one) => one.code,
    )) {
      expect([name, Object.keys(transactionParams).toSorted()]).toEqual([
        name,
        [...walletTypes].toSorted(),
      ]);
      const { create } = await code!.load();
      const family = create({ config, store, clock: systemClock, log });
      for (const type of walletTypes) {
        const { properties } = z.toJSONSchema(family.transactionParams[type]!, { io: 'input' }) as {
          properties: object;
        };
        const told = [...transactionParams[type]!.matchAll(/`(\w+)\??`/g)].map((match) => match[1]);
        // The area reads `signer`, of all wallets that have signers.
        const asked = [
          ...new Set([...Object.keys(properties), ...(type === 'smart' ? ['signer'] : [])]),
        ];
        expect([name, type, told.toSorted()]).toEqual([name, type, asked.toSorted()]);
        for (const text of transactionParamsText()
          .split('\n')
          .filter((line) => line.startsWith(`- ${name}, ${type}: `)))
          expect(text).toContain(transactionParams[type]!);
      }
    }
  });

  it('ids of transactions are read as each chain writes them', () => {
    const [hex, digest] = ['ab'.repeat(32), 'HAjFNx3rxGWdkBcSdFZM5oKgNwYroP7WTW2Dz35TYbMh'];
    expect(factsOfChain('sui').readTxId(digest)).toEqual({ txId: digest });
    for (const text of [`0x${hex}`, hex, digest.slice(2), `${digest} `, ''])
      expect(factsOfChain('sui').readTxId(text)).toEqual({ mistake: 'must be 32 bytes as base58' });
    expect(factsOfChain('aptos').readTxId(`0x${hex.toUpperCase()}`)).toEqual({ txId: `0x${hex}` });
  });

  it('reads the code of those that have a node, and of no others', async () => {
    const before = reads.count;
    expect((await load()).map(({ chainType }) => chainType)).toEqual([sixthName]);
    expect(reads.count).toBe(before + 1);
    const evmOnly = {
      ...testConfig(),
      evm: { ...config.evm, rpcUrls: new Map([['base-sepolia', 'http://127.0.0.1:1']]) },
    };
    const served = await loadFamilies(
      { config: evmOnly, store, clock: systemClock, log },
      withSixth,
    );
    expect([served.map(({ chainType }) => chainType), reads.count]).toEqual([['evm'], before + 1]);
  });

  it('serves the first when none has a node, so that refusals name the setting', () => {
    expect(configuredFamilies(testConfig(), withSixth).map(({ name }) => name)).toEqual(['evm']);
  });

  it('refuses what a family lacks with a sentence', async () => {
    const family = createChains(await load()).family(sixthName);
    expect(() => requireExtra(family, 'deposits')).toThrow(
      'Wallets on sixth take no deposits of orders.',
    );
  });
});
