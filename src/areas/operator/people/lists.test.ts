import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandError } from '../../../lib/command.ts';
import { createProject } from '../../projects/index.ts';
import { walletsCommand } from '../../signers/index.ts';
import { fillProject } from '../testing/console-fill-kit.ts';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-kit.ts';
import { usersCommand } from './command.ts';

let world: ConsoleWorld;
let projectId: string;
beforeAll(async () => {
  world = await startConsoleWorld();
  ({ id: projectId } = await createProject(world.ctx, { name: 'listed' }));
  for (const text of ["o'hara", 'two', 'three']) {
    await fillProject(world, { projectId, text });
    world.clock.advance(1_000);
  }
}, 60_000);
afterAll(() => world?.close());

const commands = {
  users: (input: Parameters<typeof usersCommand>[1]) => usersCommand(world.ctx, input),
  wallets: (input: Parameters<typeof usersCommand>[1]) =>
    walletsCommand(async () => world.ctx, input),
};

async function run(name: keyof typeof commands, ...argv: string[]): Promise<string> {
  const lines: string[] = [];
  await commands[name]({
    argv: ['list', ...argv],
    print: (line) => void lines.push(line),
    projectOf: async () => projectId,
  });
  return lines.join('\n');
}

describe.each(['users', 'wallets'] as const)('purser %s list', (name) => {
  it('ends with the command for the next page as long as there is one: each row comes once', async () => {
    const whole = JSON.parse(await run(name, '--json'));
    expect(whole[name]).toHaveLength(3);
    expect(whole).not.toHaveProperty('next');
    const pages: { readonly id: string }[][] = [];
    for (let after: string[] | undefined = []; after; ) {
      const page = JSON.parse(await run(name, '--limit', '1', '--json', ...after));
      pages.push(page[name]);
      const said = /More: purser (\w+) list --limit 1 --after (\S+)$/.exec(
        await run(name, '--limit', '1', ...after),
      );
      expect([said?.[1], said?.[2]]).toEqual(
        page.next ? [name, page.next] : [undefined, undefined],
      );
      after = page.next && ['--after', page.next];
    }
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1]);
    expect(pages.flat()).toEqual(whole[name]);
  });

  it('refuses a cursor of another list, or none at all, with what to type', async () => {
    const { next } = JSON.parse(await run(name, '--limit', '1', '--json'));
    const other = name === 'users' ? 'wallets' : 'users';
    for (const refused of [run(other, '--after', next), run(name, '--after', 'nonsense')])
      await expect(refused).rejects.toThrow(
        new CommandError(
          '--after takes what the page before has printed, beside the same other options.',
        ),
      );
  });
});

it('the next command of a list has its options as a shell takes them', async () => {
  expect(await run('wallets', '--family', 'evm', '--limit', '2', '--project', projectId)).toMatch(
    new RegExp(`list --project ${projectId} --family evm --limit 2 --after \\S+$`),
  );
});
