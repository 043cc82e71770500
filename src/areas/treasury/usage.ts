/** Apart from the command, which brings the chains with it. */
export const treasuryUsage = `purser treasury address             where the deposits of the project's orders go, made on first use
purser treasury balances            what it holds, in development where it was ever booked  [--chain base-sepolia]
purser treasury transfers           what it has sent, the newest first  [--limit 50]
purser treasury withdraw --chain C --token usdc --amount 10 --to A --yes [--note …]
                                    send from it to an address of yours
purser treasury fund --chain C --amount 1000 [--token usdxm]
                                    mint test money into it, in development only
Options: [--project <id>] [--chain-type <family>] [--json]`;
