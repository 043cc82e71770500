import { describe, expect, it } from 'vitest';
import { measureUnits, readUnitsRecord } from './testing/units.ts';

const growthMax = 1.03;
const transactionBytesMax = 1_232;

const recorded = readUnitsRecord();
const measured = await measureUnits();

describe('compute units of the Solana wallet program', () => {
  it.each(Object.keys(recorded))(
    '%s has not grown by over 3 % (to accept more: npx tsx programs/solana-wallet/testing/units.ts --update)',
    (name) => {
      expect(measured[name]!.units).toBeGreaterThan(300);
      expect(measured[name]!.units).toBeLessThanOrEqual(recorded[name]!.units * growthMax);
      expect(measured[name]!.bytes).toBeLessThanOrEqual(
        Math.min(recorded[name]!.bytes * growthMax, transactionBytesMax),
      );
    },
  );

  it('the record names what is measured', () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(measured));
  });
});
