import { describe, expect, it } from 'vitest';
import { measureUnits, readUnitsRecord } from '../testing/units.ts';

const growthMax = 1.03;

const recorded = readUnitsRecord();
const measured = measureUnits();

describe('instructions of the Stellar wallet', () => {
  it.each(Object.keys(recorded))(
    '%s has not grown by over 3 % (to accept more: npx tsx contracts/stellar/testing/units.ts --update)',
    (name) => {
      expect(measured[name]!.instructions).toBeGreaterThan(1_000);
      expect(measured[name]!.instructions).toBeLessThanOrEqual(
        recorded[name]!.instructions * growthMax,
      );
      expect(measured[name]!.bytes).toBeLessThanOrEqual(recorded[name]!.bytes * growthMax);
    },
  );

  it('the record names what is measured', () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(measured));
  });
});
