/** @module-tag slow */

import { beforeAll, describe, expect, test } from 'vitest';
import { type GasRecord, measureGas, readGasRecord } from './gas.ts';

const growthMax = 1.03;
/** What the enforcement of permissions on chain may cost beside a Safe that enforces none. */
const bareSafeFactorMax = 1.32;

const recorded = readGasRecord();
let measured: GasRecord;
beforeAll(async () => {
  measured = await measureGas();
}, 300_000);

describe('gas per operation', () => {
  test.each(Object.keys(recorded) as (keyof GasRecord)[])(
    '%s has not grown by over 3 % (to accept more: npx tsx contracts/gas.ts --update)',
    (name) => {
      expect(measured[name]).toBeGreaterThan(21_000);
      expect(measured[name]).toBeLessThanOrEqual(recorded[name] * growthMax);
    },
  );

  test('the record names what is measured', () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(measured));
  });

  test.each(['transferInBatchOf20', 'ecdsaDelegateInBatchOf20'] as const)(
    '%s is at most 1.32 times a bare Safe transaction in such a batch',
    (name) => {
      expect(measured[name]).toBeLessThanOrEqual(
        measured.bareSafeTransferInBatchOf20 * bareSafeFactorMax,
      );
    },
  );
});
