import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLineActor } from '../../src/areas/operations/index.ts';
import { inviteOperator, selectOperators } from '../../src/areas/operator/index.ts';
import type { Ctx } from '../../src/context.ts';
import type { Running } from '../../src/processes/lifecycle.ts';

const script = fileURLToPath(new URL('../../scripts/build-console.mjs', import.meta.url));
const developer = 'developer';

/**
 * Builds the pages of the console where they are older than their sources, beside everything else.
 */
export function buildConsole(print: (text: string) => void): Running {
  const child = spawn(process.execPath, [script, '--if-stale'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on(
    'data',
    (bytes: Buffer) => (complaint = `${complaint}${bytes.toString()}`.slice(-2_000)),
  );
  child.on('error', (error) => print(`The console was not built: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (code !== 0 && signal === null)
      print(
        `The console was not built; npm run build:console says why. ${complaint.split('\n')[0]}`,
      );
  });
  return { name: 'build of the console', stop: async () => void child.kill() };
}

/**
 * Where the developer signs in: until there is a passkey, the link that registers one. It works
 * once, and is another one at each start.
 */
export async function consoleLink(ctx: Ctx): Promise<string | undefined> {
  const { console: place } = ctx.config;
  if (!place) return undefined;
  const known = (await selectOperators(ctx.store)).find(({ name }) => name === developer);
  if (known !== undefined && known.status !== 'invited') return place.url;
  const { token } = await inviteOperator(ctx, {
    name: developer,
    role: 'admin',
    actor: commandLineActor(),
  });
  return `${place.url}/join#${token}`;
}
