import type { Setting } from './store.ts';

/** What somebody wants in each of the shops, and what its book has to hold afterwards. */
export interface SkinCase {
  readonly name: string;
  readonly request: string;
  readonly setting?: Setting;
  readonly capMinor?: bigint;
  /** Absent: nothing may be ordered. */
  readonly lines?: string;
}

export const cases: readonly SkinCase[] = [
  { name: 'one', request: 'Size: Small. Pay cash on delivery.', lines: '1 × Harbour Mug (Small)' },
  {
    name: 'two of a dearer variant',
    request: 'Two of them, size Large. Pay cash on delivery.',
    lines: '2 × Harbour Mug (Large)',
  },
  {
    name: 'beside what was left in the cart',
    request: 'Size: Large. Pay cash on delivery.',
    setting: {
      left: [
        { id: 'set', n: 1 },
        { id: 'tray', n: 2 },
      ],
    },
    lines: '1 × Harbour Mug (Large)',
  },
  {
    name: 'of which some lay there',
    request: 'Size: Small. Pay cash on delivery.',
    setting: {
      left: [
        { id: 'mug', size: 'Small', n: 2 },
        { id: 'mug', size: 'Large', n: 1 },
      ],
    },
    lines: '1 × Harbour Mug (Small)',
  },
  { name: 'above the limit', request: 'Size: Small. Pay cash on delivery.', capMinor: 2_600n },
];
