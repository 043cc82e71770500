/** @module-tag slow */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../harness/dev-process.ts';
import { type StrangersShop, startStrangersShop } from './shops-kit.ts';

const seed = 126;

// /proc tells what runs; the rest works on any system.
describe.runIf(process.platform === 'linux')('npm run shops', () => {
  let folder: string;
  let stranger: StrangersShop;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purser-shops-test-'));
    stranger = await startStrangersShop(seed);
  });
  afterAll(async () => {
    await stranger?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const casesOf = (cases: readonly object[], more: object = {}) => {
    const file = join(folder, 'cases.json');
    const { format } = stranger.shop.plan;
    writeFileSync(
      file,
      JSON.stringify({
        currency: format.currency,
        orders: stranger.oracle,
        buyer: stranger.buyer,
        cases,
        ...more,
      }),
    );
    return file;
  };
  const run = (...args: string[]) =>
    runProgram('scripts/run-source.mjs', ['scripts/shops.ts', ...args]);

  it('buys in a shop that runs, through the whole service, and says by the shop’s own books how it ended', async () => {
    const { wish, shop } = stranger;
    const cases = [
      wish({ name: 'as wished' }),
      { ...wish({ name: 'too dear', maxCost: '1.00' }), order: undefined },
    ];
    const { code, output } = await run('--at', shop.origin, '--cases', casesOf(cases));
    expect(output).toMatch(/^as wished +bought right +\d+ +[\d.]+ +\d+/m);
    expect(output).toMatch(/^too dear +refused rightly .*max_cost_exceeded/m);
    expect(output).toContain('2 cases: bought right 1, refused rightly 1');
    expect(code).toBe(0);
    expect(shop.books.orders).toHaveLength(1);
  }, 300_000);

  it.each([
    [
      'there is no file of cases',
      () => ['--at', stranger.shop.origin, '--cases', join(folder, 'none.json')],
      'none.json cannot be read',
    ],
    [
      'a case says nothing of its page',
      () => ['--at', stranger.shop.origin, '--cases', casesOf([{ name: 'x' }])],
      'cases.0.page',
    ],
    [
      'the address is none',
      () => ['--at', 'shop', '--cases', casesOf([stranger.wish()])],
      '--at shop: the address of a shop',
    ],
    [
      'no case has the name',
      () => ['--at', stranger.shop.origin, '--cases', casesOf([stranger.wish()]), '--only', 'x'],
      '--only x: the cases are as wished',
    ],
    [
      'the oracle does not answer',
      () => [
        '--at',
        stranger.shop.origin,
        '--cases',
        casesOf([stranger.wish()], { orders: 'node -e "process.exit(3)"' }),
      ],
      'The oracle failed (node -e "process.exit(3)")',
    ],
    [
      'the oracle prints no orders',
      () => [
        '--at',
        stranger.shop.origin,
        '--cases',
        casesOf([stranger.wish()], { orders: 'echo {}' }),
      ],
      'What the oracle printed (echo {})',
    ],
  ])(
    'says in one sentence what is wrong before it starts anything: %s',
    async (_, args, sentence) => {
      const { code, output } = await run(...args());
      expect(code).toBe(1);
      expect(output).toContain(sentence);
      expect(output).not.toContain('    at ');
      expect(output).not.toContain('Starting the service');
    },
  );
});
