/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const ledgerUsage = `purser ledger balances [prefix]     accounts with what is posted and what is pending, e.g. of all banks: bank:
purser ledger entries [account]     what was posted last, in the project or on one account
purser ledger order <id>            what was posted for an order, oldest first
purser ledger trial-balance         debits and credits per asset; of all projects when none is named
purser ledger check                 walks all of the books: everything balances, and balances are the sums of their postings;
                                    names what is not in order and ends with 1
Options: [--at <time>] (balances, trial-balance) [--limit N] [--project <id>] [--json]`;
