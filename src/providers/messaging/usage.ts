/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const outboxUsage = `purser outbox                       e-mails and short messages that the sandbox kept, newest first
Options: [--to <address or number>] [--limit <count, 20>] [--full] [--json]`;
