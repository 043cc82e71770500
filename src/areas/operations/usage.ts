/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const auditUsage = `purser audit list [--limit 50] [--before <seq>]   what operators decided here and in the console, the newest first
purser audit check [--anchor <seq:hash>]          walks the log; names the first entry that was altered, exit code 1
Options: [--project <id>] [--json]`;
