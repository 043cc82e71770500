import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import type { HomePage } from '../../src/http/reference/home-page.ts';
import { defaultDataDir } from './options.ts';
import type { DevProject } from './project.ts';

export interface SummaryInput {
  readonly config: Config;
  readonly project: DevProject;
  readonly dataDir: string;
  /**
   * Where a developer signs in to the console; it may hold the secret of a link. Absent without
   * one.
   */
  readonly consoleUrl?: string | undefined;
  readonly vaultUrl: string;
  readonly chainsUrl: string;
  readonly chainNames: readonly string[];
  /** Absent without a runner. */
  readonly shops: readonly { readonly url: string; readonly product: string }[] | undefined;
  /** Shops that the developer has named. */
  readonly ownShops: readonly string[];
  readonly running: HomePage['running'];
}

/**
 * What `npm start` prints and `GET /` says. The text of the page is public on the port, so it names
 * no key.
 */
export function summarize({
  config,
  project,
  dataDir,
  consoleUrl,
  vaultUrl,
  chainsUrl,
  chainNames,
  shops,
  ownShops,
  running,
}: SummaryInput): {
  readonly terminal: string;
  readonly home: HomePage;
} {
  const origin = new URL(config.api.baseUrl).origin;
  const shared = [
    `API           ${config.api.baseUrl}`,
    `Vault         ${vaultUrl} (creates payment methods)`,
    `Documentation ${origin}/docs`,
    `OpenAPI       ${origin}/openapi.json`,
    `Agents (MCP)  ${origin}/mcp, or npx purser mcp; docs/guides/mcp.md`,
    `Local chains  ${chainsUrl}/<chain>, e.g. ${chainsUrl}/base-sepolia (${chainNames.length} test networks; each starts at its first use)`,
    ...shopLines(shops),
    ...ownShopLines(ownShops, config.cardSource.kind),
  ];
  const next: readonly (readonly [command: string, what: string])[] = [
    ...(dataDir === defaultDataDir
      ? []
      : [[`export PURSER_DATA_DIR=${quoted(dataDir)}`, 'for what follows'] as const]),
    ['npm run quickstart', 'from an API key to a confirmed transfer'],
    ['npm run demo:onramp', 'a card pays, tokens arrive'],
    ['npm run demo:offramp', 'stablecoins leave a wallet, dollars reach a bank account'],
    ...(shops
      ? [['npm run demo:checkout', 'an agent buys something in a test shop'] as const]
      : []),
    ...(shops ? [['npm run demo:mcp', 'the same through MCP tools'] as const] : []),
    ['npx purser token --user alice', 'a JWT for an end user'],
    ['npx purser help', 'projects, keys, issuers, jobs'],
  ];
  const nextLines = next.map(([command, what]) => `${command.padEnd(30)} ${what}`);
  return {
    terminal: [
      'Purser is ready.',
      '',
      ...shared.map((line) => `  ${line}`),
      ...(consoleUrl === undefined
        ? []
        : [`  Console       ${consoleUrl}${consoleUrl.includes('#') ? ' (works once)' : ''}`]),
      `  Server key    ${project.serverKey}`,
      `  Client key    ${project.clientKey}`,
      `  All of it     ${join(dataDir, 'dev.json')}`,
      '',
      'Try next, in a second terminal:',
      ...nextLines.map((line) => `  ${line}`),
      '',
      'Ctrl-C stops everything; the next start finds it as it was.',
    ].join('\n'),
    home: {
      text: [
        ...shared,
        'Keys          printed by npm start, and in dev.json of its data folder',
        '',
        'Try next:',
        ...nextLines,
      ].join('\n'),
      addresses: [
        ['API', config.api.baseUrl],
        ...(config.console ? [['Console', config.console.url] as const] : []),
        ['Vault', vaultUrl],
        ['OpenAPI', `${origin}/openapi.json`],
        ['Agents (MCP)', `${origin}/mcp`],
        ['Chains', chainsUrl],
        ...(shops ?? []).map(({ product }) => ['Test shop', product] as const),
      ],
      keys: [
        ['Server key', project.serverKey],
        ['Client key', project.clientKey],
      ],
      next,
      running,
    },
  };
}

/** As one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function shopLines(shops: SummaryInput['shops']): string[] {
  const [first, ...others] = shops ?? [];
  if (!first) return [];
  const lastPort = new URL(others.at(-1)?.url ?? first.url).port;
  return [
    `Test shops    ${first.url} to :${lastPort}, e.g. ${first.product} (a browser starts at the first checkout)`,
  ];
}

function ownShopLines(shops: readonly string[], card: Config['cardSource']['kind']): string[] {
  if (shops.length === 0) return [];
  const cards = {
    sandbox: 'cards of the sandbox, which only the test shops take',
    user: 'cards that the user enters',
    off: 'no card',
  };
  return [
    `Your shops    ${shops.join(', ')} (with ${cards[card as keyof typeof cards] ?? card}; --card says others)`,
  ];
}
