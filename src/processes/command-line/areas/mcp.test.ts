import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, test } from 'vitest';
import { runPurser } from '../purser.ts';

const purser = fileURLToPath(new URL('../../../../bin/purser.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'purser-mcp-'));
afterAll(() => rmSync(folder, { recursive: true }));

const url = 'http://127.0.0.1:1/api';
const key = { PURSER_API_KEY: 'sk_development_x' };
const start = (env: Record<string, string>, args: readonly string[] = ['--url', url]) =>
  runPurser({ args: ['mcp', ...args], env, print: () => undefined });

test.each([
  ['no address', key, [], '--url https://purser.example/api'],
  ['an address without TLS', key, ['--url', 'http://purser.example/api'], 'for this machine only'],
  ['an address without /api', key, ['--url', 'https://purser.example'], 'that ends in /api'],
  ['a short secret', { ...key, PURSER_SIGNER_SECRET: 'short' }, undefined, '64 hexadecimal'],
  ['a sum in words', { ...key, PURSER_CHECKOUT_DAILY_MAX: 'ten' }, undefined, '"10.00 USD"'],
  ['an empty sum', { ...key, PURSER_CHECKOUT_DAILY_MAX: '' }, undefined, '"10.00 USD"'],
  ['a key with a line end', { PURSER_API_KEY: 'sk_x\n' }, undefined, 'PURSER_API_KEY has'],
  ['a token in two lines', { ...key, PURSER_USER_JWT: 'a\nb' }, undefined, 'PURSER_USER_JWT has'],
  ['no instance', { PURSER_DATA_DIR: '/nowhere' }, [], /npm start.*or set PURSER_API_KEY/],
])(
  'purser mcp says what is wrong with its settings, and ends: %s',
  async (_, env, args, says) => {
    await expect(start(env as Record<string, string>, args)).rejects.toThrow(says);
  },
  30_000,
);

test('purser mcp gives the key of the local instance to that instance only', async () => {
  const instance = {
    baseUrl: url,
    databaseUrl: 'postgres://x',
    serverKey: 'sk_x',
    clientKey: 'ck_x',
  };
  writeFileSync(join(folder, 'dev.json'), JSON.stringify(instance));
  await expect(
    start({ PURSER_DATA_DIR: folder }, ['--url', 'https://elsewhere.example/api']),
  ).rejects.toThrow('another service than the local instance');
});

test('purser mcp says which token of the user it cannot read, at the call that needs it', async () => {
  const file = join(folder, 'jwt');
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [purser, 'mcp', '--url', url],
    env: { PATH: process.env.PATH ?? '', ...key, PURSER_USER_JWT_FILE: file },
    stderr: 'inherit',
  });
  await client.connect(transport);
  const list = async () => {
    const { isError, content } = await client.callTool({ name: 'list_checkouts', arguments: {} });
    return [isError, content[0]?.type === 'text' && content[0].text];
  };
  try {
    expect(await list()).toEqual([true, expect.stringContaining('PURSER_USER_JWT_FILE (ENOENT)')]);
    writeFileSync(file, '\n');
    expect(await list()).toEqual([true, expect.stringContaining('holds no token')]);
    writeFileSync(file, 'a.b.c\n');
    expect(await list()).toEqual([true, expect.stringContaining('does not answer')]);
  } finally {
    await client.close();
  }
});
