import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../examples/react-app', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/**
 * The example as Vite builds it for production, on a port of its own; `session` says who is signed
 * in.
 */
export async function serveExample(
  session: () => Promise<object>,
): Promise<{ origin: string; close(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'purser-react-'));
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (pathname === '/session.json') return response.end(JSON.stringify(await session()));
    const content = await readFile(join(outDir, pathname === '/' ? 'index.html' : pathname)).catch(
      () => undefined,
    );
    response.writeHead(content ? 200 : 404, {
      'content-type': types[extname(pathname)] ?? 'text/html',
    });
    return response.end(content);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    // WebAuthn knows "localhost" as a safe place, but no bare address.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
