import { expect, test } from 'vitest';
import { systemIds, uuidV7 } from './id.ts';

test('ten thousand ids of one process are all different, and sort by the time they were made', () => {
  const ids = Array.from({ length: 10_000 }, () => systemIds.uuid());
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(14))).size).toBe(ids.length);
  const times = ids.map((id) => id.slice(0, 13));
  expect(times.toSorted()).toEqual(times);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an id carries its milliseconds and its random bits where RFC 9562 puts them', () => {
  expect(uuidV7(0x017f22e279b0, Buffer.from('0cc318c4dc0c0c07398f', 'hex'))).toBe(
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  );
});
