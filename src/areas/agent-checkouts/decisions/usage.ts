/**
 * Apart from the command, which needs the whole area: the command line shows every usage and loads
 * one command.
 */
export const checkoutsUsage = `purser checkouts list [--unknown] [--status S] [--limit N]   --unknown: those of which nobody knows whether the shop has the order
purser checkouts show <id>          what was bought, steps, questions, cards, decision
purser checkouts decide <id> placed|not-placed --note <why> [--order <number>] [--by <who>]
                                    ends an unknown outcome: look in the shop, at the card's statement or ask the user first
Options: [--project <id>] [--json]`;
