import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface DevOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly chainsPort: number;
  readonly vaultPort: number;
  /** First of {@link shopPortCount} in a row. */
  readonly shopsPort: number;
  /** False: no browsers, and no test shops; agent checkouts wait. */
  readonly hasRunner: boolean;
  /** Families whose local chains are there; absent: all. */
  readonly families?: readonly string[];
  readonly reset: boolean;
}

/** Seven test shops and what stands around them. */
export const shopPortCount = 10;

const usage = `Starts Purser with a database and local chains, for development.

  npm start -- [options]

  --reset              start empty: deletes what Purser keeps in the data folder first
  --port <number>      port of the API (default 3000)
  --vault-port <number>  port of the vault (default one above the API's: 3001)
  --chains-port <number>  port of the local chains (default 8545)
  --families <names>   families of chains, with commas between (default evm,solana)
  --shops-port <number>  first of ten ports for the test shops (default 4100)
  --no-runner          without test shops and browsers: agent checkouts wait
  --data <folder>      data folder (default var)
  --help`;

/** Reads the arguments of `npm start`. @throws Error one sentence */
export function readDevOptions(args: readonly string[]): DevOptions | { readonly help: string } {
  const { values } = parse(args);
  if (values.help) return { help: usage };
  const port = readPort('--port', values.port ?? '3000');
  const chainsPort = readPort('--chains-port', values['chains-port'] ?? '8545');
  const vaultPort = readPort('--vault-port', values['vault-port'] ?? String(port + 1));
  if (port === chainsPort) throw new Error(`--port and --chains-port are both ${port}: the API and the local chains need a port each.`);
  for (const [option, taken] of [
    ['--port', port],
    ['--chains-port', chainsPort],
  ] as const)
    if (vaultPort === taken) throw new Error(`${option} and --vault-port are both ${taken}: the vault needs a port of its own.`);
  const shopsPort = readPort('--shops-port', values['shops-port'] ?? '4100');
  const hasRunner = !values['no-runner'];
  const lastPort = shopsPort + shopPortCount - 1;
  if (lastPort > 65_535) throw new Error(`--shops-port ${shopsPort}: the test shops need ${shopPortCount} ports in a row.`);
  for (const [option, taken] of [
    ['--port', port],
    ['--chains-port', chainsPort],
    ['--vault-port', vaultPort],
  ] as const)
    if (hasRunner && taken >= shopsPort && taken <= lastPort)
      throw new Error(
        `${option} is ${taken}, which is one of the ports of the test shops (${shopsPort} to ${lastPort}): choose others with --shops-port.`,
      );
  if (values.data === '') throw new Error('--data needs the name of a folder.');
  return {
    dataDir: values.data === undefined ? fileURLToPath(new URL('../var', import.meta.url)) : resolve(values.data),
    port,
    chainsPort,
    vaultPort,
    shopsPort,
    hasRunner,
    ...(values.families !== undefined && { families: values.families.split(',').map((name) => name.trim()) }),
    reset: values.reset ?? false,
  };
}

function parse(args: readonly string[]) {
  const options = {
    reset: { type: 'boolean' },
    port: { type: 'string' },
    'chains-port': { type: 'string' },
    'vault-port': { type: 'string' },
    'shops-port': { type: 'string' },
    families: { type: 'string' },
    'no-runner': { type: 'boolean' },
    data: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, { cause: error });
  }
}

function readPort(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw new Error(`${name} ${text}: a port is a number from 1 to 65535.`);
  return port;
}
