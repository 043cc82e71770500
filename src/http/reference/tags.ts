/** What each group of operations is about. A test compares the names with those of the routes. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Wallets:
    'Smart-contract wallets of your users and of your project, what they hold and what they sent and received.',
  Signers:
    'Who may act for a wallet: delegated signers with their scopes and end, and the codes of e-mail and phone signers.',
  Transactions:
    'Calls that a wallet makes on a chain: prepared here, approved by its signers, sent and watched by the service.',
  Signatures: 'Messages and typed data that a wallet signs; others verify them with ERC-1271.',
  Transfers: 'Tokens that leave a wallet: a transaction in one call.',
  Orders:
    'Money that moves once: onramp, offramp and checkout orders from their quote to their delivery or refund.',
  'Payment methods':
    'Bank accounts and cards. They are created at the vault only; here are masked suffixes and tokens.',
  Users:
    'The people of your project: what is known of them, their documents, and how they are verified.',
  'Linked wallets': 'Wallets outside of this service that a user has proven to own.',
  Ledger: 'The double-entry books of the project: accounts, entries and the trial balance.',
  'Agent checkouts':
    'An agent buys in a shop of strangers: profiles, runs, their steps, and the questions to the user.',
  Webhooks: 'Receivers of events, what was delivered to them, and the events themselves.',
};
