import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type DevOptions, shopPortCount } from './options.ts';

const host = '127.0.0.1';

/** The vault of a start that was killed ends by itself when it notices, which takes it a moment. */
const orphanMaxMs = 3_000;
const pauseMs = 50;

/** Looks before anything is made whether the ports can be opened. @throws Error one sentence */
export async function checkPorts(
  options: Pick<DevOptions, 'port' | 'chainsPort' | 'vaultPort' | 'shopsPort' | 'hasRunner'>,
): Promise<void> {
  const { port, chainsPort, vaultPort } = options;
  await tryPort(port, { name: `Port ${port} on ${host}`, option: '--port' });
  await tryPort(chainsPort, {
    name: `Port ${chainsPort} for the local chains`,
    option: '--chains-port',
  });
  for (let index = 0; options.hasRunner && index < shopPortCount; index++)
    await tryPort(options.shopsPort + index, {
      name: `Port ${options.shopsPort + index} for the test shops`,
      option: '--shops-port',
    });
  for (const endAtMs = performance.now() + orphanMaxMs; ; await delay(pauseMs)) {
    const refused = await tryPort(vaultPort, {
      name: `Port ${vaultPort} for the vault`,
      option: '--vault-port',
    }).catch((error: Error) => error);
    if (!refused) return;
    if (performance.now() > endAtMs) throw refused;
  }
}

async function tryPort(
  port: number,
  { name, option }: { readonly name: string; readonly option: string },
): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? 'is in use by another program: stop that one, or choose'
        : `cannot be opened (${code ?? message}): choose`;
    throw new Error(`${name} ${reason} another port with ${option}.`, { cause });
  }
  server.close();
  await once(server, 'close');
}
