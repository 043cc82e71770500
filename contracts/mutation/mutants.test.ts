import { expect, test } from 'vitest';
import { findMutants } from './mutants.ts';

const source = `// SPDX-License-Identifier: Apache-2.0
contract Counter {
    /// Less than 5 < 6.
    uint256 private constant RESERVE = 25_000;
    error Late(uint256 at);

    function add(uint256 at) external {
        if (at > limit) revert Late(at);
        total = total + 1; // at most 7
    }
}
`;

test('mutants are of operators, constants, conditions and statements, each a change of one line', () => {
  const mutants = findMutants('Counter.sol', source);
  expect(mutants.map(({ line, after }) => `${line} ${after}`)).toEqual([
    '4 uint256 private constant RESERVE = 3125;',
    '4 uint256 private constant RESERVE = 200000;',
    '8 if (at >= limit) revert Late(at);',
    '8 if (at <= limit) revert Late(at);',
    '8 if (false) revert Late(at);',
    '8 if (true) revert Late(at);',
    '9 total = total - 1;',
    '9 total = total + 2;',
    '9 total = total + 0;',
    '9 {}',
  ]);
  for (const mutant of mutants) {
    const changed = mutant.source
      .split('\n')
      .filter((line, index) => line !== source.split('\n')[index]);
    expect(changed).toHaveLength(1);
  }
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
});
