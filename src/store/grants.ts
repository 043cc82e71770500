import { sqlStateOf } from './pg-errors.ts';
import type { Store } from './types.ts';

/**
 * Roles of the main database. Migrations run as its owner, who alone can change tables and
 * triggers.
 */
export const apiRole = 'purser_api';
export const workerRole = 'purser_worker';

/**
 * `append`: rows are added and never changed; `update`: changed, neither added nor deleted;
 * `change`: added and changed, and never deleted; `lease`: read, and taken for a while; `lock`:
 * read, and held against changes by others, which takes the right to change a column: `id`, of
 * which a check allows one value.
 */
export type Right = 'none' | 'read' | 'lock' | 'lease' | 'append' | 'update' | 'change' | 'all';

const privileges: Readonly<Record<Right, string>> = {
  none: '',
  read: 'select',
  lock: 'select, update (id)',
  lease: 'select, update (status, lease, wallet, project_id, lease_until, run_at)',
  append: 'select, insert',
  update: 'select, update',
  change: 'select, insert, update',
  all: 'select, insert, update, delete',
};

/**
 * What the API and the worker may do to each table. A new table is one line here, in the order of
 * the alphabet: give the API no more than its requests need, and never what moves money
 * (docs/decisions/0035-database-roles.md).
 */
export const tableRights: Readonly<Record<string, readonly [api: Right, worker: Right]>> = {
  agent_checkout_actions: ['change', 'all'],
  agent_checkout_cards: ['change', 'all'],
  agent_checkout_decisions: ['append', 'all'],
  agent_checkout_progress: ['append', 'all'],
  agent_checkout_steps: ['read', 'all'],
  agent_checkouts: ['change', 'all'],
  api_keys: ['read', 'all'],
  approval_pages: ['read', 'all'],
  audit_entries: ['read', 'append'],
  audit_head: ['read', 'update'],
  browser_profile_uses: ['all', 'all'],
  browser_profiles: ['all', 'all'],
  buyer_profiles: ['all', 'all'],
  card_callback_events: ['change', 'all'],
  collectible_metadata: ['change', 'all'],
  collection_offers: ['change', 'all'],
  collection_reservations: ['all', 'all'],
  custody_keys: ['append', 'all'],
  deposit_operator_funds: ['read', 'all'],
  deposits: ['read', 'all'],
  events: ['append', 'all'],
  evm_account_attempts: ['read', 'all'],
  evm_account_operations: ['append', 'all'],
  evm_account_top_ups: ['read', 'all'],
  evm_accounts: ['read', 'all'],
  evm_attempts: ['read', 'all'],
  evm_chain_alarms: ['read', 'all'],
  evm_gas_budgets: ['read', 'all'],
  evm_gas_spent: ['read', 'all'],
  evm_operations: ['append', 'all'],
  evm_paying_accounts: ['read', 'all'],
  evm_sends: ['read', 'all'],
  evm_spending: ['read', 'all'],
  evm_tips: ['read', 'all'],
  evm_treasury_calls: ['append', 'all'],
  evm_watched_blocks: ['read', 'all'],
  evm_watched_chains: ['append', 'all'],
  evm_watched_tokens: ['append', 'all'],
  fee_accounts: ['read', 'all'],
  fee_budgets: ['read', 'all'],
  fee_spending: ['read', 'all'],
  fee_spent: ['read', 'all'],
  fee_top_ups: ['none', 'all'],
  fee_top_ups_given: ['none', 'all'],
  flows: ['change', 'all'],
  followed_chains: ['append', 'all'],
  idempotency_keys: ['change', 'all'],
  identity_callbacks: ['append', 'all'],
  identity_entries: ['change', 'all'],
  identity_projects: ['read', 'all'],
  identity_reviews: ['change', 'all'],
  internal_nonces: ['append', 'all'],
  kyc_sandbox_inquiries: ['change', 'all'],
  ledger_assets: ['read', 'append'],
  ledger_checkpoints: ['read', 'append'],
  ledger_entries: ['read', 'append'],
  ledger_folds: ['read', 'all'],
  ledger_order_balances: ['read', 'read'],
  ledger_postings: ['read', 'append'],
  ledger_tail: ['read', 'all'],
  linked_wallet_challenges: ['all', 'all'],
  linked_wallets: ['all', 'all'],
  operation_intents: ['append', 'all'],
  operator_actions: ['append', 'change'],
  operator_commands: ['none', 'append'],
  operator_passkeys: ['none', 'append'],
  operator_sessions: ['change', 'all'],
  operators: ['read', 'change'],
  order_deposits: ['read', 'all'],
  order_disputes: ['read', 'all'],
  order_limit_usage: ['change', 'all'],
  order_limit_uses: ['all', 'all'],
  order_moves: ['append', 'append'],
  order_posted_txs: ['all', 'all'],
  order_refund_requests: ['append', 'all'],
  order_refunds: ['read', 'all'],
  order_settings: ['read', 'all'],
  orders: ['change', 'all'],
  outbox: ['append', 'all'],
  outbox_parked: ['read', 'all'],
  outbox_readers: ['update', 'all'],
  outbox_sequence: ['read', 'all'],
  payout_event_cursors: ['read', 'all'],
  project_secrets: ['append', 'all'],
  projects: ['read', 'all'],
  provider_calls: ['change', 'all'],
  rate_limits: ['change', 'all'],
  reconciliation_differences: ['read', 'all'],
  reconciliation_turns: ['read', 'all'],
  reconciliation_walks: ['read', 'all'],
  sandbox_card_calls: ['change', 'all'],
  sandbox_card_events: ['change', 'all'],
  sandbox_card_payments: ['change', 'all'],
  sandbox_card_refunds: ['change', 'all'],
  sandbox_issued_authorisations: ['read', 'all'],
  sandbox_issued_cards: ['read', 'all'],
  sandbox_messages: ['all', 'all'],
  schema_migrations: ['read', 'read'],
  schema_migrations_lock: ['none', 'none'],
  screening_decisions: ['append', 'all'],
  service_clock: ['read', 'all'],
  service_clock_parts: ['all', 'all'],
  sign_outs: ['read', 'all'],
  signatures: ['change', 'all'],
  signer_changes: ['change', 'all'],
  signer_code_counters: ['change', 'all'],
  signer_code_nonces: ['append', 'all'],
  signer_codes: ['all', 'all'],
  solana_keepers: ['none', 'all'],
  solana_messages: ['none', 'all'],
  solana_nonces: ['lease', 'all'],
  solana_numbers: ['change', 'all'],
  solana_operations: ['append', 'all'],
  stellar_channels: ['none', 'all'],
  stellar_numbers: ['change', 'all'],
  stellar_openings: ['change', 'all'],
  sui_gas_coins: ['lease', 'all'],
  sui_object_leases: ['none', 'all'],
  sui_own_transactions: ['none', 'all'],
  test_mints: ['append', 'all'],
  transactions: ['change', 'all'],
  treasury_transfers: ['read', 'all'],
  trusted_issuers: ['read', 'all'],
  user_allowances: ['change', 'all'],
  user_documents: ['change', 'all'],
  user_erasures: ['read', 'all'],
  user_locators: ['change', 'all'],
  user_lookup_keys: ['append', 'all'],
  users: ['change', 'all'],
  vault_directory: ['none', 'all'],
  vault_directory_removals: ['none', 'all'],
  vault_persons_due: ['change', 'all'],
  wallet_signer_chains: ['change', 'all'],
  wallet_signers: ['change', 'all'],
  wallet_transfers: ['read', 'all'],
  wallets: ['append', 'all'],
  webhook_deliveries: ['change', 'all'],
  webhook_endpoints: ['change', 'all'],
  webhook_lanes: ['change', 'all'],
  webhook_projects: ['change', 'all'],
  webhook_replays: ['change', 'all'],
  webhook_secrets: ['all', 'all'],
};

/** Sequences that statements name themselves; those of identity columns need no right. */
const sequences = ['order_volume_looks', 'webhook_fences'];

/** The roles of a database, and what each may do to its tables. */
export interface Rights {
  readonly roles: readonly string[];
  /** By table, in the order of the roles. */
  readonly tables: Readonly<Record<string, readonly Right[]>>;
  readonly sequences: readonly string[];
}

const mainRights: Rights = { roles: [apiRole, workerRole], tables: tableRights, sequences };

/**
 * Gives the roles exactly these rights and takes every other, after the migrations, as the owner. A
 * role that is missing is made where the owner may make roles; it then has no password, and cannot
 * come in where one is asked for.
 * @throws Error with the statement for the database's administrator
 */
export async function grantRights(
  store: Store,
  { roles, tables, sequences }: Rights = mainRights,
): Promise<void> {
  for (const role of roles) await ensureRole(store, role);
  await store.transaction(async (tx) => {
    // Two that start at once take turns.
    await tx.query({ text: 'select id from schema_migrations_lock where id = 1 for update' });
    const { rows } = await tx.query<{ name: string }>({
      text: `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    });
    const known = new Set(rows.map(({ name }) => name));
    const statements = roles.flatMap((role, index) => [
      `revoke all on all tables in schema public from ${role}`,
      `grant usage on schema public to ${role}`,
      ...Object.entries(tables).flatMap(([table, rights]) =>
        known.has(table) && rights[index] !== 'none'
          ? [`grant ${privileges[rights[index]!]} on ${table} to ${role}`]
          : [],
      ),
      ...sequences.map((sequence) => `grant usage on sequence ${sequence} to ${role}`),
    ]);
    await tx.query({ text: statements.join(';\n') });
  });
}

async function ensureRole(store: Store, role: string): Promise<void> {
  const { rows } = await store.query({
    text: 'select 1 from pg_roles where rolname = $1',
    values: [role],
  });
  if (rows.length > 0) return;
  try {
    await store.query({ text: `create role ${role} login` });
  } catch (error) {
    // Another process was faster.
    if (['42710', '23505'].includes(sqlStateOf(error) ?? '')) return;
    throw new Error(
      `The database has no role ${role}, and this user may not make it. As its administrator: create role ${role} login password '…';`,
      { cause: error },
    );
  }
}

/**
 * The same database as another role, e.g. of an embedded server that trusts whoever can open its
 * socket.
 */
export function asRole(url: string, role: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?/, `$1${role}@`);
}
