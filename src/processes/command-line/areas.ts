import type { Command } from './command.ts';

interface CommandEntry {
  /** One line of `purser help`. */
  readonly summary: string;
  /**
   * Each module is read when one of its commands is called: all of them together take more than a
   * second.
   */
  readonly load: () => Promise<Command>;
}

type CommandGroup = readonly [title: string, commands: Readonly<Record<string, CommandEntry>>];

/** Every command of `purser`, as `purser help` lists them. A new one adds a line here. */
const groups: readonly CommandGroup[] = [
  [
    'Who may call',
    {
      projects: {
        summary: 'projects',
        load: async () => (await import('./areas/projects.ts')).projects,
      },
      keys: {
        summary: 'API keys, and the key that signs them',
        load: async () => (await import('./areas/projects.ts')).keys,
      },
      issuers: {
        summary: 'issuers whose user tokens a project trusts',
        load: async () => (await import('./areas/projects.ts')).issuers,
      },
      operators: {
        summary: 'who may use the console',
        load: async () => (await import('./areas/operators.ts')).operators,
      },
      token: {
        summary: 'a token for an end user, in development',
        load: async () => (await import('./areas/projects.ts')).token,
      },
    },
  ],
  [
    'People',
    {
      wallets: {
        summary: 'who can move a wallet, and an end to all of it',
        load: async () => (await import('./areas/wallets.ts')).wallets,
      },
      users: {
        summary: 'their data, their keys, their erasure',
        load: async () => (await import('./areas/people.ts')).users,
      },
      'approval-page': {
        summary: 'the page on which users approve',
        load: async () => (await import('./areas/people.ts')).approvalPage,
      },
      identity: {
        summary: 'identity checks',
        load: async () => (await import('./areas/people.ts')).identity,
      },
    },
  ],
  [
    'Money',
    {
      orders: {
        summary: 'orders that wait for an operator, refunds, settings',
        load: async () => (await import('./areas/orders.ts')).orders,
      },
      deposits: {
        summary: 'deposits that match no order',
        load: async () => (await import('./areas/orders.ts')).deposits,
      },
      checkouts: {
        summary: 'agent checkouts that wait for an operator',
        load: async () => (await import('./areas/checkouts.ts')).checkouts,
      },
      treasury: {
        summary: 'the wallet that deposits go to and deliveries come from',
        load: async () => (await import('./areas/books.ts')).treasury,
      },
      collections: {
        summary: 'what a project sells: items to mint or held',
        load: async () => (await import('./areas/collections.ts')).collections,
      },
      ledger: {
        summary: 'accounts and entries',
        load: async () => (await import('./areas/books.ts')).ledger,
      },
      reconcile: {
        summary: 'what chain, bank and acquirer say otherwise',
        load: async () => (await import('./areas/books.ts')).reconcile,
      },
      vault: {
        summary: 'the vault: its database, keys, log',
        load: async () => (await import('./areas/vault.ts')).vault,
      },
      payouts: {
        summary: 'payouts to bank accounts',
        load: async () => (await import('./areas/vault.ts')).payouts,
      },
    },
  ],
  [
    'What runs',
    {
      chains: {
        summary: 'networks, contracts, executors',
        load: async () => (await import('./areas/chains.ts')).chains,
      },
      providers: {
        summary: 'calls to companies and nodes, and how many failed',
        load: async () => (await import('./areas/keeping.ts')).providers,
      },
      gas: {
        summary: 'what projects may spend for fees',
        load: async () => (await import('./areas/chains.ts')).gas,
      },
      custody: {
        summary: 'the sealed keys of wallets',
        load: async () => (await import('./areas/keeping.ts')).custody,
      },
      audit: {
        summary: 'what operators decided',
        load: async () => (await import('./areas/operators.ts')).audit,
      },
      jobs: {
        summary: 'durable work',
        load: async () => (await import('./areas/keeping.ts')).jobs,
      },
      operations: {
        summary: 'who ran which of these commands',
        load: async () => (await import('./areas/operations.ts')).operations,
      },
      migrate: {
        summary: 'bring the database up to this version',
        load: async () => (await import('./areas/keeping.ts')).migrate,
      },
    },
  ],
  [
    'For developers',
    {
      mcp: {
        summary: 'tools for an agent (Model Context Protocol)',
        load: async () => (await import('./areas/mcp.ts')).mcp,
      },
      listen: {
        summary: 'webhooks passed on to a receiver on this machine',
        load: async () => (await import('./areas/webhooks.ts')).listen,
      },
      requests: {
        summary: 'requests as they come',
        load: async () => (await import('./areas/requests.ts')).requests,
      },
      webhooks: {
        summary: 'endpoints, deliveries, replays',
        load: async () => (await import('./areas/webhooks.ts')).webhooks,
      },
      outbox: {
        summary: 'messages that the sandbox kept',
        load: async () => (await import('./areas/keeping.ts')).outbox,
      },
      clock: {
        summary: 'let time pass, in development',
        load: async () => (await import('./areas/keeping.ts')).clock,
      },
    },
  ],
];

const entries = new Map(groups.flatMap(([, commands]) => Object.entries(commands)));

export const commandNames: readonly string[] = [...entries.keys()];

/** @returns undefined when there is no such command */
export const loadCommand = async (name: string): Promise<Command | undefined> =>
  entries.get(name)?.load();

/** What `purser help` prints. */
export function overview(): string {
  const lines = groups.flatMap(([title, commands]) => [
    '',
    title,
    ...Object.entries(commands).map(
      ([name, { summary }]) => `  purser ${name.padEnd(11)} ${summary}`,
    ),
  ]);
  return `purser: the operator's command line. purser <command> --help says more of each, purser help --all of all.
${lines.join('\n')}

It works on the database that the environment names (DATABASE_URL and the other variables of docs/guides/configuration.md),
or else on the local instance that npm start runs. Its data folder is var beside the program, or what the variable
PURSER_DATA_DIR or the option --data <folder> says; with the option, the environment's database is left aside.`;
}
