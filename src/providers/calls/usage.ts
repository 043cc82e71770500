/** What `purser providers` says about itself; apart from the command, which brings more with it. */
export const providersUsage = `purser providers [--json]           calls to companies and nodes in the last hour and two days, and how many had no usable answer`;
