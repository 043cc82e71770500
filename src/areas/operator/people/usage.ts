import type { EligibilityType } from '../../identity/index.ts';

// Apart from the commands, which bring their areas with them: help is to come at once.

export const usersUsage = `purser users list [--find <locator>] [--limit 50] [--after …]
                                    persons by the names that the project gave, the newest first
purser users erase <locator> --yes [--note …]
                                    erase a person: their keys, data, documents and links, payment methods
                                    in the vault, and the inquiries of the identity company.
                                    It cannot be undone
purser users sign-out <locator> [--note …]
                                    end every session of a person: tokens issued until now are refused within 5 s
purser users keys                   how many keys of users and browser profiles each key-encryption key wraps
purser users rewrap                 move all of them to the first of KEY_ENCRYPTION_KEYS. May be stopped and repeated
Options: [--project <id>] [--json]`;

/** All of them, says the compiler: the area is not read for it. */
const types: Readonly<Record<EligibilityType, string>> = {
  onramp: 'onramp',
  'onramp-light': 'onramp-light',
  offramp: 'offramp',
  'offramp-light': 'offramp-light',
  'regulated-transfer': 'regulated-transfer',
};

export const identityUsage = `purser identity status              whether the project has identity verification
purser identity enable|disable [--note …]
                                    give it to the project, or take it away
purser identity open <locator>      an address at which the user goes on with the check; it works once
    [--type ${Object.values(types).join('|')}]
Options: [--project <id>] [--json]`;
