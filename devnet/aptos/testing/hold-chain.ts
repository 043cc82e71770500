import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./chain-process.ts', import.meta.url));

/** Starts a local chain in another process. */
export async function holdChild(
  folder: string,
): Promise<{ readonly url: string; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(30_000),
  })) as [string];
  return {
    url,
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
