/** Apart from the command, which brings the chains with it. */
export const walletsUsage = `purser wallets list [--family solana] [--find <address or owner>] [--limit 50] [--after …]
                                    the newest first
purser wallets balances <address>    what it holds of the listed tokens, on the chains that it used
purser wallets transactions <address> [--status failed] [--limit 50]
                                    what it sent, the newest first
purser wallets signers <address>     who can move a wallet, from the chain itself: owners, delegated signers,
                                    modules, guard, fallback handler, what of limits is used, and what differs from what was
                                    set up here
purser wallets end-signatures <address> --chain C --yes
                                    end everything that was signed for it so far, and all its delegated signers
Options: [--chain base-sepolia] [--project <id>] [--approver <recovery signer>] [--json]`;
