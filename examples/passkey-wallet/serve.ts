// A wallet with a passkey in a web page. Needs a running service: `npm start`.
// Run: npx tsx examples/passkey-wallet/serve.ts, then open the address that it prints.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { readDevelopmentService } from '../development.ts';

const service = readDevelopmentService();
const { port = '5173' } = parseArgs({
  options: { port: { type: 'string' }, data: { type: 'string' } },
}).values;
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const { outputFiles } = await build({
  entryPoints: [here('page.ts')],
  bundle: true,
  format: 'esm',
  platform: 'browser',
  external: ['viem', 'viem/*'],
  write: false,
});
const script = outputFiles[0]!.text;

const server = createServer(async (request, response) => {
  try {
    const [type, content] = await answer(request.url ?? '/');
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': type,
      'cache-control': 'no-store',
    });
    response.end(content);
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(String(error));
  }
});
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  server.listen(Number(port), '127.0.0.1', resolve);
});
// WebAuthn knows "localhost" as a safe place, but no bare address.
const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
const { key: clientKey } = await purserCommand(
  'keys',
  'create',
  '--kind',
  'client',
  '--name',
  'passkey example',
  '--origins',
  origin,
);
console.log(`Open ${origin}`);

async function answer(path: string): Promise<readonly [type: string, content?: string]> {
  if (path === '/') return ['text/html; charset=utf-8', await readFile(here('index.html'), 'utf8')];
  if (path === '/page.js') return ['text/javascript; charset=utf-8', script];
  if (path === '/settings.json') {
    // A real backend signs the user in, and its identity provider makes this JWT.
    const { token: jwt } = await purserCommand(
      'token',
      '--user',
      `visitor-${Date.now().toString(36)}`,
    );
    return ['application/json', JSON.stringify({ baseUrl: service.baseUrl, clientKey, jwt })];
  }
  return ['text/plain'];
}

/** The answer of the command line as JSON. */
async function purserCommand(...args: string[]): Promise<Record<string, string>> {
  const program = fileURLToPath(new URL('../../bin/purser.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    ...args,
    '--json',
    '--data',
    service.dataDir,
  ]);
  return JSON.parse(stdout) as Record<string, string>;
}
