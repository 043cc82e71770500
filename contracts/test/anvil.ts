import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const startTimeoutMs = 20_000;
const stopTimeoutMs = 3_000;

export interface Anvil {
  readonly rpcUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts a local node of our own on a free port, of the newest EVM unless `hardfork` names an older
 * one. It ends with `stop`, or with this process.
 */
export async function startAnvil(input: {
  readonly chainId: number;
  readonly hardfork?: string;
}): Promise<Anvil> {
  const child = spawn(
    findAnvil(),
    [
      '--port',
      '0',
      '--chain-id',
      String(input.chainId),
      '--gas-limit',
      '300000000',
      '--no-request-size-limit',
      '--accounts',
      '5',
      ...(input.hardfork ? ['--hardfork', input.hardfork] : []),
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  const port = await readPort(child);
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    async stop() {
      process.removeListener('exit', killWithParent);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function findAnvil(): string {
  const platform = process.platform === 'win32' ? 'win32' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve(`@foundry-rs/anvil-${platform}-${arch}/package.json`));
  return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
}

function readPort(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => reject(new Error(`anvil did not start within ${startTimeoutMs} ms: ${output}`)),
      startTimeoutMs,
    );
    child.once('exit', (code) => reject(new Error(`anvil ended with code ${code}: ${output}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      // After the port the output is of no use, but it has to be read or the node would block.
      if (output.length < 65_536) output += chunk.toString();
      const port = /Listening on [^:]+:(\d+)/.exec(output)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(port);
    });
  });
}
