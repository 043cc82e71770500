/** What `purser chains` says about itself; apart from the command, which takes half a second to load. */
export const chainsUsage = `purser chains status                relay and watcher: queues, accounts, lag, alarms
purser chains deploy <chain>        the contracts of the wallets, paid by EVM_TREASURY_KEY; what is there is left as it is
purser chains recount <chain> <account>   an executor whose key was used elsewhere goes on with what the chain counts
Options: [--json]`;
