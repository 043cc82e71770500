/** Apart from the command, which brings the chains with it. */
export const reconcileUsage = `purser reconcile                    compare chain, ledger, bank and acquirer, and name every difference
                                    [--full] everything there ever was  [--history] what was found before
Options: [--project <id>] [--json]. It ends with 1 when there is a difference.`;
