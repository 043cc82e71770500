/**
 * A process for tests to kill: starts what its argument names, tells where it is, and waits. Its
 * end comes from outside.
 */

import { startDevnet } from '../devnet.ts';
import { DevnetError } from '../errors.ts';
import { startAnvil } from '../evm/anvil.ts';
import { evmChains } from '../evm/chains.ts';
import { startPostgres } from '../postgres.ts';
import { aChain, aGenesis } from './builders.ts';

const [kind, folder] = process.argv.slice(2) as [string, string];
const log = () => undefined;

async function start(): Promise<Record<string, unknown>> {
  if (kind === 'postgres') {
    const server = await startPostgres({ dataDir: folder, log });
    return { pid: server.pid, url: server.url('postgres'), adopted: server.adopted };
  }
  if (kind === 'ephemeral-postgres') {
    const server = await startPostgres({ ephemeral: true, log });
    return { pid: server.pid, url: server.url('postgres') };
  }
  if (kind === 'anvil') {
    const node = await startAnvil({ chainId: 84532, stateFile: `${folder}/chain.state`, log });
    return { pid: node.pid, url: node.url };
  }
  if (kind === 'throw-away-anvil') {
    const node = await startAnvil({ chainId: 84532, log });
    return { pid: node.pid, url: node.url };
  }
  const devnet = await startDevnet({
    dataDir: folder,
    chains: evmChains({ dataDir: folder, chains: [aChain()], genesis: aGenesis, onProgress: log }),
    onProgress: log,
  });
  const node = await devnet.ensure(aChain().name);
  return { url: node.nodeUrl };
}

try {
  process.stdout.write(`${JSON.stringify(await start())}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ error: String(error), isDevnetError: error instanceof DevnetError })}\n`,
  );
}
