/**
 * What the verbs say about themselves; apart from the command, which takes half a second to load.
 */
export const deployUsage =
  'purser chains deploy <chain>        the contracts of the wallets, paid by EVM_TREASURY_KEY; what is there is left as it is';
export const recountUsage =
  'purser chains recount <chain> <account>   an executor whose key was used elsewhere goes on with what the chain counts';
