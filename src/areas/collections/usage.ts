/** Apart from the command, which brings the chains with it. */
export const collectionsUsage = `purser collections add --chain C --contract A (--price 12.50 [--currency usd] | --free)
                                    new items of a collection, minted by the treasury; editions with --token-id 7
  [--mint "mintTo(address to)"] [--standard erc721|erc1155] [--call-data '{"tier":"1"}' for the trial]
  [--name N] [--description D] [--image https://…] [--supply 100] [--per-order 10] [--per-recipient 2]
purser collections sell C:A:<tokenId> (--price 12.50 [--currency usd] | --free) [--supply 5 of an edition]
                                    a token that the treasury holds
purser collections list             what is sold  [--all: also what was stopped] [--limit 50]
purser collections show <id>        one of them
purser collections stop <id>        nobody can order it any more; orders that have it are delivered
purser collections deploy-test --chain C [--standard erc1155]
                                    a collection to try it with, minted by the treasury, in development only
Options: [--project <id>] [--json]`;
