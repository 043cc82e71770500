import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../lib/clock.ts';
import { createDeployedWallets } from '../wallet/deployed-wallets.ts';
import { createNonces } from './nonces.ts';

describe('nonces', () => {
  it('are never the same, and fill groups of 256 of one storage slot', () => {
    const nonces = createNonces();
    const drawn = Array.from({ length: 1_000 }, () => nonces.next(1, '0xAb'));
    expect(new Set(drawn).size).toBe(1_000);
    expect(new Set(drawn.map((nonce) => nonce >> 8n)).size).toBe(4);
    for (const nonce of drawn) expect(nonce).toBeLessThan(1n << 256n);
  });

  it('of another wallet, chain or process are of another group', () => {
    const nonces = createNonces();
    const first = nonces.next(1, '0xab');
    expect(nonces.next(1, '0xAB') >> 8n).toBe(first >> 8n);
    for (const other of [
      nonces.next(1, '0xac'),
      nonces.next(2, '0xab'),
      createNonces().next(1, '0xab'),
    ])
      expect(other >> 8n).not.toBe(first >> 8n);
  });
});

describe('wallets known to stand', () => {
  it('are settled only after a while, so that a chain that forgets its last seconds can be healed', () => {
    const clock = createManualClock();
    const deployed = createDeployedWallets(clock);
    expect(deployed.isKnown(1, '0xab')).toBe(false);
    deployed.add(1, '0xAB');
    expect([
      deployed.isKnown(1, '0xab'),
      deployed.isSettled(1, '0xab'),
      deployed.isKnown(2, '0xab'),
    ]).toEqual([true, false, false]);
    clock.advance(10_000);
    deployed.add(1, '0xab');
    clock.advance(5_000);
    expect(deployed.isSettled(1, '0xab')).toBe(true);
  });
});
