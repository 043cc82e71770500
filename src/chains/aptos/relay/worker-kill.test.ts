/** @module-tag slow */

import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describeKilledWorkers } from '../../testing/kills/describe-kills.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';
import { openGround } from '../testing/ground.ts';
import { newAddress } from '../testing/world.ts';

const apt = 100_000_000n;
const submit = /^POST \/v1\/transactions$/;

describeKilledWorkers(async () => {
  const ground = await openGround({});
  const seeds = [1, 2].map(() => new Uint8Array(randomBytes(32)));
  const addresses = seeds.map((seed) => addressOfEd25519(ed25519.getPublicKey(seed)));
  const hexOf = (seed: Uint8Array) => Buffer.from(seed).toString('hex');
  for (const address of addresses) await ground.give(address, apt);
  return {
    ...ground,
    family: 'aptos',
    feePayers: seeds.map(hexOf),
    feePayerAddresses: addresses,
    treasury: hexOf(ground.treasurySeed),
    testToken: ground.testTokenAddress,
    wallet: newAddress(),
    feePayerMinor: apt,
    balanceMinMinor: String(2n * apt),
    // Nothing is paid by them here.
    feesMaxMinor: 1n,
    kills: [
      { what: 'the first is not sent', call: submit, count: 1, when: 'before' },
      { what: 'the first is sent, and nobody knows', call: submit, count: 1, when: 'after' },
      { what: 'the second is sent, and nobody knows', call: submit, count: 2, when: 'after' },
      { what: 'versions are read', call: /^GET \/v1\/transactions\?/, count: 1, when: 'after' },
    ],
  };
});
