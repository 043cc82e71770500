import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import { usdcAddress } from '../../../../test/harness/watched-chain.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { ChainFamily } from '../../family.ts';
import { createEvmFamily } from '../index.ts';
import { type EvmTestBed, startEvmTestBed } from '../testing/chain.ts';

const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
let bed: EvmTestBed;

beforeAll(async () => {
  bed = await startEvmTestBed();
});
afterAll(() => bed?.close());

function familyWith(treasuryKey: Hex | undefined): ChainFamily {
  const config = testConfig();
  const evm = {
    ...config.evm,
    rpcUrls: new Map([['base-sepolia', bed.chain.url]]),
    ...(treasuryKey ? { treasuryKey: new Secret(treasuryKey) } : {}),
  };
  return createEvmFamily({
    config: { ...config, evm },
    store: bed.store,
    clock: systemClock,
    log: createLogger({ level: 'silent', process: 'test' }),
  });
}

async function fund(family: ChainFamily, symbol: string, reference = 'a reference') {
  const token = await family.resolveToken('base-sepolia', { symbol });
  return family.funding!.fund({
    chain: 'base-sepolia',
    token,
    amountMinor: 1n,
    recipientAddress: recipient,
    reference,
  });
}

describe('test funding', () => {
  it("needs a treasury, and a token that is the treasury's to mint", async () => {
    await expect(fund(familyWith(undefined), 'usdc')).rejects.toMatchObject({
      code: 'token-not-supported',
      message: expect.stringContaining('no treasury'),
    });
    await expect(fund(familyWith(generatePrivateKey()), 'usdc')).rejects.toMatchObject({
      code: 'token-not-supported',
      message: expect.stringContaining('does not belong to the treasury'),
    });
    await expect(fund(familyWith(generatePrivateKey()), 'eth')).rejects.toMatchObject({
      code: 'token-not-supported',
    });
  });

  it('tells how the mint of its reference ended, and does not mint again', async () => {
    const treasuryKey = generatePrivateKey();
    // A token that answers every question with the treasury's address.
    await bed.chain.call('anvil_setCode', [
      usdcAddress,
      `0x73${privateKeyToAddress(treasuryKey).slice(2)}60005260206000f3`,
    ]);
    const txHash = `0x${'12'.repeat(32)}`;
    const ended = (reference: string, status: string, hash: string | null) =>
      bed.store.query({
        text: `insert into evm_treasury_calls (reference, chain, to_address, value_wei, data, status, tx_hash, error) values ($1, 'base-sepolia', $2, 0, '', $3, $4, 'why')`,
        values: [reference, usdcAddress, status, hash],
      });
    await ended('done before', 'done', txHash);
    await ended('failed before', 'failed', null);
    expect(await fund(familyWith(treasuryKey), 'usdc', 'done before')).toEqual({ txId: txHash });
    await expect(fund(familyWith(treasuryKey), 'usdc', 'failed before')).rejects.toMatchObject({
      code: 'upstream-error',
      cause: 'why',
    });
    await bed.store.query({ text: 'delete from evm_treasury_calls' });
  });

  it('leaves nothing behind when it is refused', async () => {
    await expect(fund(familyWith(generatePrivateKey()), 'usdc')).rejects.toThrow();
    const { rows } = await bed.store.query<{ count: string }>({
      text: 'select count(*) from evm_treasury_calls',
    });
    expect(rows[0]!.count).toBe('0');
  });
});
