import { describe, expect, test } from 'vitest';
import { tryMove } from '../../machine/machine.ts';
import { eligibilityMachine } from './machine.ts';
import { eligibilityTypes, requiredType, requirementOf } from './requirements.ts';

describe('the type that an order needs', () => {
  test.each([
    ['onramp', 'DE', true, 'onramp-light'],
    ['onramp', 'DE', false, 'onramp'],
    ['onramp', 'US', true, 'onramp-light'],
    ['offramp', 'DE', true, 'offramp-light'],
    ['offramp', 'DE', false, 'offramp'],
    ['offramp', 'US', true, 'offramp'],
    ['offramp', 'US', false, 'offramp'],
    ['offramp', undefined, true, 'offramp-light'],
    ['offramp', 'constructor', true, 'offramp-light'],
  ] as const)(
    '%s of a resident of %s, within the light volume: %s → %s',
    (operation, countryOfResidence, isWithinLightVolume, type) => {
      expect(requiredType({ operation, countryOfResidence, isWithinLightVolume })).toBe(type);
    },
  );
});

test('every type needs something, and the US no less than others', () => {
  for (const type of eligibilityTypes) {
    expect(requirementOf(type, 'DE').data.length).toBeGreaterThan(0);
    expect(requirementOf(type, 'US').documents.length).toBeGreaterThanOrEqual(
      requirementOf(type, 'DE').documents.length,
    );
  }
});

test('nothing but a review makes anybody verified or rejected', () => {
  const into = (state: string) => eligibilityMachine.transitions.filter(({ to }) => to === state);
  expect(into('verified').map(({ from, event }) => `${from} ${event}`)).toEqual([
    'pending-review passed',
  ]);
  expect(into('rejected').map(({ from, event }) => `${from} ${event}`)).toEqual([
    'pending-review refused',
  ]);
  for (const status of [
    'not-started',
    'pending-privacy-policy',
    'requires-data',
    'rejected',
  ] as const)
    expect(tryMove(eligibilityMachine, status, 'passed')).toBeUndefined();
});
