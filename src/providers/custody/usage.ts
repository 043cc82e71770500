/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const custodyUsage = `purser custody status               how many keys, secrets and rows that decide who may act each key-encryption key seals
purser custody rewrap               move all of them to the first of KEY_ENCRYPTION_KEYS
purser custody row <table> <id>     what a row that an alarm named says, and whether its seal fits
purser custody row <table> <id> --accept <digest>   stand for it as it was shown: it is sealed and counts again
purser custody check                looks at every sealed row; names those whose seal is wrong or missing, exit code 1
Options: [--json]`;
