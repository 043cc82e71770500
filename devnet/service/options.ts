import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSettingReader } from '../../src/config/read-setting.ts';
import { readCommerce } from '../../src/config/runner/read-commerce.ts';
import { readRunnerConfig } from '../../src/config/runner/read-runner.ts';
import { type LocalFamilyName, readLocalFamilies } from '../families.ts';

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
  readonly families?: readonly LocalFamilyName[];
  /**
   * Shops of the developer's own, which browsers may reach although they are on this machine or its
   * network.
   */
  readonly ownShops: readonly string[];
  /** What agent checkouts pay with. */
  readonly cardSource: DevCardSource;
  /** `RUNNER_COMMERCE_TOKENIZERS`; absent: none. */
  readonly tokenizers?: string;
  readonly reset: boolean;
}

/** Where the command line and the examples look without being told. */
export const defaultDataDir = fileURLToPath(new URL('../../var', import.meta.url));

export const devCardSources = ['sandbox', 'user', 'off'] as const;
export type DevCardSource = (typeof devCardSources)[number];

/** Seven test shops and what stands around them. */
export const shopPortCount = 10;

const usage = `Starts Purser with a database and local chains, for development.

  npm start -- [options]

  --reset              start empty: deletes what Purser keeps in the data folder first
  --port <number>      port of the API (default 3000)
  --vault-port <number>  port of the vault (default one above the API's: 3001)
  --chains-port <number>  port of the local chains (default 8545)
  --families <names>   families of chains, with commas between (default: all)
  --shops-port <number>  first of ten ports for the test shops (default 4100)
  --shop <origin>      a shop of your own, such as http://127.0.0.1:8102, that browsers may
                       reach (RUNNER_ALLOWED_PRIVATE_ORIGINS); can be given several times
  --card <source>      what agent checkouts pay with (CARD_SOURCE): sandbox, which only the
                       test shops take (default), user, who is asked for a card, or off
  --tokenizer <handler>=<url>  who makes tokens of cards for shops with an interface for
                       agents (RUNNER_COMMERCE_TOKENIZERS); can be given several times
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
  if (port === chainsPort)
    throw new Error(
      `--port and --chains-port are both ${port}: the API and the local chains need a port each.`,
    );
  for (const [option, taken] of [
    ['--port', port],
    ['--chains-port', chainsPort],
  ] as const)
    if (vaultPort === taken)
      throw new Error(
        `${option} and --vault-port are both ${taken}: the vault needs a port of its own.`,
      );
  const shopsPort = readPort('--shops-port', values['shops-port'] ?? '4100');
  const hasRunner = !values['no-runner'];
  const lastPort = shopsPort + shopPortCount - 1;
  if (lastPort > 65_535)
    throw new Error(
      `--shops-port ${shopsPort}: the test shops need ${shopPortCount} ports in a row.`,
    );
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
  const ownShops = readShops(values.shop ?? []);
  if (ownShops.length > 0 && !hasRunner)
    throw new Error('--shop needs a runner, whose browsers visit it: leave --no-runner out.');
  return {
    dataDir: values.data === undefined ? defaultDataDir : resolve(values.data),
    port,
    chainsPort,
    vaultPort,
    shopsPort,
    hasRunner,
    ...(values.families !== undefined && {
      families: readLocalFamilies(values.families.split(',').map((name) => name.trim())),
    }),
    ownShops,
    cardSource: readCardSource(values.card ?? 'sandbox'),
    ...(values.tokenizer && { tokenizers: readTokenizers(values.tokenizer) }),
    reset: values.reset ?? false,
  };
}

/** Shops by any of their pages. */
function readShops(texts: readonly string[]): readonly string[] {
  const origins = texts.map((text) =>
    URL.canParse(text) && /^https?:/.test(text) ? new URL(text).origin : text,
  );
  const reader = createSettingReader({ RUNNER_ALLOWED_PRIVATE_ORIGINS: origins.join(',') });
  const { allowedPrivateOrigins } = readRunnerConfig(reader, 'development');
  const [problem] = reader.problems;
  if (problem) throw new Error(`--shop ${texts.join(', ')}: ${problem}`);
  return allowedPrivateOrigins;
}

function readTokenizers(texts: readonly string[]): string {
  const entries = texts.map((text) => ({
    handler: text.split('=')[0],
    url: text.split('=').slice(1).join('='),
  }));
  const variables = {
    RUNNER_COMMERCE_PROFILE_URL: 'http://localhost/',
    RUNNER_COMMERCE_TOKENIZERS: JSON.stringify(entries),
  };
  const reader = createSettingReader(variables);
  readCommerce(reader, 'development');
  if (reader.problems.length === 0) return variables.RUNNER_COMMERCE_TOKENIZERS;
  throw new Error(
    `--tokenizer ${texts.join(' ')}: as in com.example.tokenizer=http://127.0.0.1:9000/tokenize, on this machine or over https.`,
  );
}

function readCardSource(text: string): DevCardSource {
  const source = devCardSources.find((one) => one === text);
  if (source) return source;
  throw new Error(
    `--card ${text}: CARD_SOURCE is one of ${devCardSources.join(', ')} in npm start; others need processes of their own (docs/guides/cards.md).`,
  );
}

function parse(args: readonly string[]) {
  const options = {
    reset: { type: 'boolean' },
    port: { type: 'string' },
    'chains-port': { type: 'string' },
    'vault-port': { type: 'string' },
    'shops-port': { type: 'string' },
    families: { type: 'string' },
    shop: { type: 'string', multiple: true },
    card: { type: 'string' },
    tokenizer: { type: 'string', multiple: true },
    'no-runner': { type: 'boolean' },
    data: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, {
      cause: error,
    });
  }
}

function readPort(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new Error(`${name} ${text}: a port is a number from 1 to 65535.`);
  return port;
}
