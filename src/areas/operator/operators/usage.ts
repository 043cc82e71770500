/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const operatorsUsage = `purser operators list                       who may use the console, and what
purser operators invite <name> --role R     prints a link that works once, within a day: who opens it registers a passkey.
                                            Without --role, another passkey of somebody who is there
purser operators role <name> R|none --note <why>   changes what they may
purser operators sign-out <name> --note <why>      ends every session of somebody, who may sign in again
purser operators revoke <name> --note <why>        ends it, with every session, at once
Roles, each may what those before may: viewer looks; support answers buyers; finance moves money; admin everything.
Options: [--project <id>] for that project only, else for all; [--json]`;
