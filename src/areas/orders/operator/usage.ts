// Apart from the commands, which bring their areas with them: help is to come at once.

export const ordersUsage = `purser orders settings show         fees, limits and tolerances of the project: what it set itself, and what holds
purser orders settings set <json>   replaces what the project set itself; what is left out is the default
Options: [--project <id>]`;

export const refundRequestsUsage = `purser orders refunds               refund requests that are open, and what each waits for
purser orders refunds accept <order> --note "…"     what was paid goes back by itself; of an offramp you send it
purser orders refunds reject <order> --note "…"
purser orders refunds complete <order> --note "…"   you have sent it back (offramps, and orders that you closed)
Options: [--item <index>] of which line item, where several wait, [--project <id>] [--json]`;

export const orderOperatorUsage = `purser orders list [--waiting] [--state S] [--limit N]   --waiting: those that wait for you
purser orders show <id>             state, history, deposits, refunds, payout and ledger of an order
purser orders hold release <id> --note <why>    an order on hold goes on
purser orders hold refuse <id> --note <why>     what was paid goes back
purser orders resolve <id> refund|continue|close --note <why>   ends the waiting of an order that needs an operator
purser orders acknowledge <id> --note <why>     an order that goes on or has ended asks for no attention any more
purser orders look <id>             ask acquirer, bank and chain at once, instead of at the next turn
Options: [--project <id>] [--json]`;

export const depositsUsage = `purser deposits list [--all] [--limit N]   those that wait for you, or all
purser deposits show <id>           a deposit, why it waits, and its refunds
purser deposits assign <id> <order> --note <why>   it pays that order
purser deposits return <id> --note <why>           it goes back to whoever made it; a refund that failed is tried again
purser deposits keep <id> --note <why>             it is your own money, e.g. to fill the treasury
Options: [--project <id>] [--json]`;
