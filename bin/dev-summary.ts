import type { Config } from '../src/config/config.ts';
import type { DevProject } from './dev-project.ts';

export interface SummaryInput {
  readonly config: Config;
  readonly project: DevProject;
  readonly devFile: string;
  readonly vaultUrl: string;
  readonly chainsUrl: string;
  readonly chainNames: readonly string[];
  /** Absent without a runner. */
  readonly shops: readonly { readonly url: string; readonly product: string }[] | undefined;
}

/** What `npm start` prints and `GET /` says. The page is public on the port, so it names no key. */
export function summarize({ config, project, devFile, vaultUrl, chainsUrl, chainNames, shops }: SummaryInput): {
  readonly terminal: string;
  readonly page: string;
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
  ];
  const next = [
    'npm run quickstart             from an API key to a confirmed transfer',
    'npm run demo:onramp            a card pays, tokens arrive',
    'npm run demo:offramp           stablecoins leave a wallet, dollars reach a bank account',
    ...(shops ? ['npm run demo:checkout          an agent buys something in a test shop'] : []),
    ...(shops ? ['npm run demo:mcp               the same through MCP tools'] : []),
    'npx purser token --user alice  a JWT for an end user',
    'npx purser help                projects, keys, issuers, jobs',
  ];
  return {
    terminal: [
      'Purser is ready.',
      '',
      ...shared.map((line) => `  ${line}`),
      `  Server key    ${project.serverKey}`,
      `  Client key    ${project.clientKey}`,
      `  All of it     ${devFile}`,
      '',
      'Try next, in a second terminal:',
      ...next.map((line) => `  ${line}`),
      '',
      'Ctrl-C stops everything; the next start finds it as it was.',
    ].join('\n'),
    page: [...shared, 'Keys          printed by npm start, and in var/dev.json', '', 'Try next:', ...next].join('\n'),
  };
}

function shopLines(shops: SummaryInput['shops']): string[] {
  const [first, ...others] = shops ?? [];
  if (!first) return [];
  const lastPort = new URL(others.at(-1)?.url ?? first.url).port;
  return [`Test shops    ${first.url} to :${lastPort}, e.g. ${first.product} (a browser starts at the first checkout)`];
}
