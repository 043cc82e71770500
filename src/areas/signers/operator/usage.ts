/** Apart from the command, which brings the chains with it. */
export const walletsUsage = `purser wallets signers <address>     who can move a wallet, from the chain itself: owners, delegated signers,
                                    modules, guard, fallback handler, what of limits is used, and what differs from what was
                                    set up here
purser wallets end-signatures <address> --chain C --yes
                                    end everything that was signed for it so far, and all its delegated signers
Options: [--chain base-sepolia] [--project <id>] [--approver <recovery signer>] [--json]`;
