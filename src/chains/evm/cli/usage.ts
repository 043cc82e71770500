/** What `purser chains` says about itself; apart from the command, which takes half a second to load. */
export const chainsUsage = `purser chains status                relay and watcher: queues, accounts, lag, alarms
purser chains deploy <chain>        the contracts of the wallets, paid by EVM_TREASURY_KEY; what is there is left as it is
purser chains recount <chain> <account>   an executor whose key was used elsewhere goes on with what the chain counts
Options: [--json]`;

/** What `purser gas` says about itself. */
export const gasUsage = `purser gas show                     what the owners of a project's wallets spent for fees today (UTC), and may spend
purser gas set --chain <chain>      [--per-day <wei>] [--owner-per-day <wei>]; what is left out is the bound of the network again
Options: [--project <id>] [--limit <n>] [--json]`;
