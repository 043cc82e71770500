/**
 * What `purser chains` says about itself before the verbs of families; apart from the command,
 * which takes half a second to load.
 */
export const statusUsage =
  'purser chains status                relay and watcher of each chain: queues, fees, accounts, lag, alarms';

/** What `purser gas` says about itself. */
export const gasUsage = `purser gas show                     what the owners of a project's wallets spent for fees today (UTC), and may spend
purser gas set --chain <chain>      [--per-day <n>] [--owner-per-day <n>] in the smallest unit of the chain's native token (wei, lamports,
                                    stroops, octas, MIST); what is left out, or "default", is the bound of the network again
Options: [--project <id>] [--limit <n>] [--json]`;
