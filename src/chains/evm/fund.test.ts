import { generatePrivateKey } from 'viem/accounts';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { createLogger } from '../../lib/log.ts';
import { systemClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/secret.ts';
import type { ChainFamily } from '../family.ts';
import { createEvmFamily } from './index.ts';
import { startEvmTestBed, type EvmTestBed } from './testing/chain.ts';

const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
let bed: EvmTestBed;

beforeAll(async () => {
  bed = await startEvmTestBed();
});
afterAll(() => bed?.close());

function familyWith(treasuryKey: Hex | undefined): ChainFamily {
  const config = testConfig();
  const evm = { ...config.evm, rpcUrls: new Map([['base-sepolia', bed.chain.url]]), ...(treasuryKey ? { treasuryKey: new Secret(treasuryKey) } : {}) };
  return createEvmFamily({ config: { ...config, evm }, store: bed.store, clock: systemClock, log: createLogger({ level: 'silent', process: 'test' }) });
}

async function fund(family: ChainFamily, symbol: string) {
  const token = await family.resolveToken('base-sepolia', { symbol });
  return family.fund({ chain: 'base-sepolia', token, amountMinor: 1n, recipientAddress: recipient, reference: 'a reference' });
}

describe('test funding', () => {
  it('needs a treasury, and a token that is the treasury\'s to mint', async () => {
    await expect(fund(familyWith(undefined), 'usdc')).rejects.toMatchObject({ code: 'token-not-supported', message: expect.stringContaining('no treasury') });
    await expect(fund(familyWith(generatePrivateKey()), 'usdc')).rejects.toMatchObject({ code: 'token-not-supported', message: expect.stringContaining('does not belong to the treasury') });
    await expect(fund(familyWith(generatePrivateKey()), 'eth')).rejects.toMatchObject({ code: 'token-not-supported' });
  });

  it('leaves nothing behind when it is refused', async () => {
    await expect(fund(familyWith(generatePrivateKey()), 'usdc')).rejects.toThrow();
    const { rows } = await bed.store.query<{ count: string }>({ text: 'select count(*) from evm_treasury_calls' });
    expect(rows[0]!.count).toBe('0');
  });
});
