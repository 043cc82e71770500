import { expect, it } from 'vitest';
import { findDuplicates, findFullRooms, findUnusedExports, measureFunctions } from './measures.ts';

const a = {
  path: 'src/a.ts',
  text: `import { b } from './b.ts';
export const used = 1;
export function lonely() {
  return [1].map((one) => {
    return one + b;
  });
}
export interface Shape {}
export { b as passedOn, type C } from './b.ts';
`,
};
const reader = { path: 'test/x.ts', text: `import { used, type C as D } from '../src/a.ts';\n` };

it('functions are measured by their lines, under their own name or the one around them', () => {
  expect(measureFunctions(a)).toEqual([
    { name: 'lonely', path: 'src/a.ts', line: 3, lines: 5 },
    { name: 'lonely', path: 'src/a.ts', line: 4, lines: 3 },
  ]);
});

it('an export that no other file imports is named, whether a value, a type or passed on; one read as a whole never', () => {
  expect(findUnusedExports([a], [a, reader])).toEqual([
    { path: 'src/a.ts', name: 'lonely', kind: 'value' },
    { path: 'src/a.ts', name: 'Shape', kind: 'type' },
    { path: 'src/a.ts', name: 'passedOn', kind: 'list' },
  ]);
  for (const text of [
    `import * as a from '../src/a.ts';\n`,
    `const a = await import('../src/a.ts');\n`,
    `export * from '../src/a.ts';\n`,
  ])
    expect(findUnusedExports([a], [{ path: 'test/y.ts', text }])).toEqual([]);
});

it('rooms are counted by their own files', () => {
  const room = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `src/room/${index}.ts`, text: '' }));
  expect(findFullRooms([...room(15), { path: 'src/room/inner/one.ts', text: '' }], 15)).toEqual([]);
  expect(findFullRooms(room(16), 15)).toEqual([['src/room', 16]]);
});

it('equal lines in two places are told once, at their whole length; imports, comments and brackets do not count', () => {
  const lines = Array.from({ length: 14 }, (_, index) => `  call(${index});`);
  const one = {
    path: 'src/one.ts',
    text: ["import { x } from './x.ts';", ...lines, 'one();'].join('\n'),
  };
  const other = {
    path: 'src/other.ts',
    text: ['first();', ...lines.slice(0, 7), '  // why', '  }', ...lines.slice(7), 'other();'].join(
      '\n',
    ),
  };
  expect(findDuplicates([one, other], 12)).toEqual([
    { lines: 14, places: ['src/one.ts:2', 'src/other.ts:2'] },
  ]);
  expect(findDuplicates([one, other], 15)).toEqual([]);
});
