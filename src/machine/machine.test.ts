import { describe, expect, it } from 'vitest';
import { defineMachine, move, printMachine, statesBefore, tryMove } from './machine.ts';

const door = defineMachine('door', [
  ['*', 'build', 'closed'],
  ['closed', 'open', 'open', 'not locked'],
  ['open', 'close', 'closed'],
]);

describe('state machine', () => {
  it('moves only along its table', () => {
    expect(move(door, '*', 'build')).toBe('closed');
    expect(tryMove(door, 'open', 'open')).toBeUndefined();
    expect(() => move(door, 'open', 'open')).toThrow('no "open" from "open"');
  });

  it('knows from where an event may come', () => {
    expect(statesBefore(door, 'close')).toEqual(['open']);
    expect(statesBefore(door, 'build')).toEqual([]);
  });

  it('refuses a table in which one event leads to two states', () => {
    expect(() =>
      defineMachine('broken', [
        ['a', 'x', 'b'],
        ['a', 'x', 'c'],
      ]),
    ).toThrow('defined twice');
  });

  it('prints itself', () => {
    expect(printMachine(door)).toBe(
      'stateDiagram-v2\n  [*] --> closed: build\n  closed --> open: open (not locked)\n  open --> closed: close\n',
    );
  });
});
