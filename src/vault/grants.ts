import { grantRights, type Right } from '../store/grants.ts';
import type { Store } from '../store/types.ts';

/** The running vault. Migrations and `purser vault|payouts` are of the database's owner. */
export const vaultServiceRole = 'purser_vault_service';

/**
 * What the running vault may do to each table. A new table is one line here, in the order of the
 * alphabet. It only reads what bounds it: limits, waits, approvals and the switch that stops
 * payouts (docs/decisions/0035-database-roles.md).
 */
export const vaultTableRights: Readonly<Record<string, readonly [Right]>> = {
  api_keys: ['all'],
  audit_entries: ['append'],
  audit_head: ['update'],
  card_uses: ['change'],
  directory_state: ['change'],
  flows: ['all'],
  idempotency_keys: ['all'],
  internal_nonces: ['all'],
  operator_commands: ['none'],
  outbox: ['all'],
  outbox_parked: ['all'],
  outbox_readers: ['all'],
  outbox_sequence: ['change'],
  owners: ['all'],
  payment_method_creations: ['all'],
  payment_methods: ['change'],
  payout_approvals: ['read'],
  payout_approvers: ['none'],
  payout_bank_events: ['all'],
  payout_limits: ['read'],
  payout_notices: ['append'],
  payout_rules: ['read'],
  payout_switch: ['lock'],
  payout_turns: ['change'],
  payouts: ['change'],
  persons: ['all'],
  rate_limits: ['all'],
  sandbox_bank_counterparties: ['change'],
  sandbox_bank_transfers: ['change'],
  schema_migrations: ['read'],
  schema_migrations_lock: ['none'],
  service_clock: ['change'],
  service_clock_parts: ['all'],
  sign_outs: ['all'],
  told_persons: ['all'],
  trusted_issuers: ['all'],
  user_keys: ['change'],
  vault_keys: ['change'],
};

/**
 * Gives the running vault exactly these rights and takes every other, after the migrations, as the
 * owner.
 */
export function grantVaultRights(store: Store): Promise<void> {
  return grantRights(store, { roles: [vaultServiceRole], tables: vaultTableRights, sequences: [] });
}
