/** @module-tag slow */

import { expect } from 'vitest';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { describeKilledWorkers } from '../../testing/kills/describe-kills.ts';
import { suiNetwork } from '../config/networks.ts';
import { createConnections } from '../rpc/connections.ts';
import { readObjects } from '../rpc/objects.ts';
import { newSuiAddress } from '../testing/bed.ts';
import { openGround } from '../testing/ground.ts';
import { createSigningAccount } from './keys.ts';

const sui = 1_000_000_000n;
const execute = /TransactionExecutionService\/ExecuteTransaction$/;

describeKilledWorkers(async () => {
  const ground = await openGround({});
  const addressOf = (seed: Uint8Array) => createSigningAccount(new Secret(seed)).address;
  const hexOf = (seed: Uint8Array) => Buffer.from(seed).toString('hex');
  await ground.give(addressOf(ground.treasurySeed), 100_000n * sui);
  return {
    ...ground,
    family: 'sui',
    feePayers: ground.feePayerSeeds.map(hexOf),
    feePayerAddresses: ground.feePayerSeeds.map(addressOf),
    treasury: hexOf(ground.treasurySeed),
    testToken: ground.testTokenAddress,
    wallet: newSuiAddress(),
    feePayerMinor: 1_000n * sui,
    balanceMinMinor: String(2_000n * sui),
    feesMaxMinor: sui,
    kills: [
      { what: 'the first is not sent', call: execute, count: 1, when: 'before' },
      { what: 'the first is sent, and nobody knows', call: execute, count: 1, when: 'after' },
      { what: 'the second is sent, and nobody knows', call: execute, count: 2, when: 'after' },
      {
        what: 'a checkpoint is read',
        call: /LedgerService\/GetCheckpoint$/,
        count: 3,
        when: 'after',
      },
    ],
    /** Coins that pay are their sponsors', each once. */
    async check(database) {
      const { rows } = await database.store.query<{ id: string; sponsor: string }>({
        text: `select object_id as id, sponsor from sui_gas_coins where status = 'free'`,
      });
      expect(rows.length).toBeGreaterThanOrEqual(12);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      const log = createLogger({ level: 'silent', process: 'test' });
      const nodes = {
        rpcUrl: ground.url,
        rpcTimeoutMs: 10_000,
        log,
        onFirstUse: async () => undefined,
      };
      const connections = createConnections({ network: suiNetwork('development'), ...nodes });
      const found = await readObjects(
        await connections.connect('sui'),
        rows.map(({ id }) => id),
      );
      connections.close();
      expect(rows.filter(({ id, sponsor }) => found.get(id)?.owner !== sponsor)).toEqual([]);
    },
  };
});
