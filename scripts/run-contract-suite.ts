import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** As somebody types it. */
export function run(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    ['node_modules/tsx/dist/cli.mjs', 'scripts/contract-suite.ts', ...args],
    {
      cwd: root,
      env: {
        ...process.env,
        CONTRACT_SUITE_TREASURY_KEY: '',
        CONTRACT_SUITE_TEST_TOKEN: '',
        ...env,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
