import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { requireProject } from '../../projects/index.ts';
import { operatorsCommand } from './command.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes: [],
    config: { console: { url: 'https://purser.example/console' } },
  });
});
afterAll(() => api?.close());

async function operators(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  await operatorsCommand(api.ctx, {
    argv,
    print: (line) => void lines.push(line),
    requireProject: async (id) => void (await requireProject(api.ctx, id)),
  });
  return lines.join('\n');
}

it('operators are invited, given other roles and revoked by name, each time with a reason that is kept', async () => {
  expect(await operators('list')).toContain('There is no operator yet');
  expect(await operators('invite', 'Ada Lovelace', '--role', 'viewer')).toMatch(
    /^https:\/\/purser\.example\/console\/join#[0-9a-f-]{36}\.[\w-]{43}\n\nGive it to Ada Lovelace alone/,
  );
  expect(
    await operators(
      'role',
      'Ada Lovelace',
      'finance',
      '--project',
      api.projectId,
      '--note',
      'new duty',
    ),
  ).toContain(`viewer, finance of ${api.projectId}`);
  expect(await operators('role', 'Ada Lovelace', 'none', '--note', 'of this project only')).toBe(
    `Ada Lovelace: finance of ${api.projectId}.`,
  );
  expect(await operators('list')).toMatch(/Ada Lovelace +invited +finance of/);
  await operators('revoke', 'Ada Lovelace', '--note', 'left');
  expect(await operators('list')).toMatch(/Ada Lovelace +revoked/);
  const { rows } = await api.ctx.store.query<{ entry: string }>({
    text: 'select entry from audit_entries order by seq',
  });
  expect(
    rows.map(({ entry }) => JSON.parse(entry)).map(({ action, reason }) => [action, reason]),
  ).toEqual([
    ['operators.invite', 'invited'],
    ['operators.role', 'new duty'],
    ['operators.role', 'of this project only'],
    ['operators.revoke', 'left'],
  ]);
});

it.each([
  [['invite'], 'Name the operator'],
  [
    ['invite', 'Bob', '--role', 'boss'],
    '"boss" is no role: it is one of viewer, support, finance, admin',
  ],
  [['invite', 'Bob'], 'Say what they may: --role'],
  [['invite', '<script>', '--role', 'viewer'], 'The name of an operator has'],
  [['invite', 'Bob', '--role', 'viewer', '--project', randomUUID()], 'There is no project'],
  [['revoke', 'Nobody', '--note', 'left'], 'There is no operator "Nobody"'],
  [['role', 'Nobody', 'viewer'], 'Say why'],
  [['dance'], 'There is no "purser operators dance"'],
])('says what is wrong with purser operators %s', async (argv, message) => {
  await expect(operators(...argv)).rejects.toThrow(message);
});

it('invites nobody to a console that is off', async () => {
  const ctx = { ...api.ctx, config: { ...api.ctx.config, console: undefined } };
  const input = {
    argv: ['invite', 'Bob', '--role', 'viewer'],
    print: () => undefined,
    requireProject: async () => undefined,
  };
  await expect(operatorsCommand(ctx, input)).rejects.toThrow('The console is off: set CONSOLE_URL');
});
