import type { ChainOptions } from './chain.ts';

/**
 * The process of a local Solana chain. Its one argument is JSON; what it says on its standard
 * output is one line with the port. It ends when its standard input does, and so with whoever
 * started it.
 */

interface NodeArguments extends ChainOptions {
  readonly port: number;
}

const options: NodeArguments = JSON.parse(process.argv[2] ?? '{}');
const syncMs = 1_000;

try {
  const { Chain } = await import('./chain.ts').catch((cause: unknown) => {
    throw new Error(
      'The npm package litesvm with the local Solana chain for this machine cannot be loaded: run `npm ci` without --omit=optional',
      { cause },
    );
  });
  const { startRpcServer } = await import('./rpc/server.ts');
  const chain = Chain.open(options);
  const server = await startRpcServer(chain, options.port);
  const syncing = setInterval(() => chain.save(), syncMs);
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    clearInterval(syncing);
    await server.close();
    chain.close();
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.stdin.resume().once('close', end);
  console.log(JSON.stringify({ port: server.port }));
} catch (error) {
  console.error(
    error instanceof Error
      ? [error.message, error.cause].filter(Boolean).join(': ')
      : String(error),
  );
  process.exit(1);
}
