import type { Signer, TransferScope } from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { valueListsOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';
import {
  type ChainState,
  type DelegateOnChain,
  selectDelegatesOnChains,
  storeScope,
} from './delegates-store.ts';

/** Changes of what is known of delegated signers. */

export interface DelegateToAdd {
  readonly id: string;
  readonly walletId: string;
  readonly signerKey: string;
  readonly keyId: string;
  readonly signer: Signer;
  readonly asked: JsonObject;
  readonly now: Date;
}

/** Looked at by the comparison with the chain at the earliest: a set-up rarely needs it. */
const firstCheckMs = 3_600_000;

/** Stores a signer unless its locator or its key is there; then nothing changes. */
export async function insertDelegate(tx: Tx, delegate: DelegateToAdd): Promise<void> {
  const { id, walletId, signerKey, keyId, signer, asked, now } = delegate;
  await tx.query({
    name: 'wallet-signers-insert',
    text: `insert into wallet_signers (id, wallet_id, signer_key, key_id, signer, with_wallet, asked, created_at, check_at)
      values ($1, $2, $3, $4, $5, false, $6, $7, $8) on conflict do nothing`,
    values: [
      id,
      walletId,
      signerKey,
      keyId,
      JSON.stringify(signer),
      JSON.stringify(asked),
      now,
      new Date(now.getTime() + firstCheckMs),
    ],
  });
}

/**
 * Ids of the signers with this locator or this key, locked until the database transaction ends: two
 * when they are not one.
 */
export async function lockDelegates(
  tx: Tx,
  key: { walletId: string; signerKey: string; keyId: string },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'wallet-signers-lock',
    text: 'select id from wallet_signers where wallet_id = $1 and (signer_key = $2 or key_id = $3) order by id for no key update',
    values: [key.walletId, key.signerKey, key.keyId],
  });
  return rows.map((row) => row.id);
}

/** How the signer was named the last time it was added. */
export async function renameDelegate(
  tx: Tx,
  delegate: Omit<DelegateToAdd, 'walletId' | 'now'>,
): Promise<void> {
  const { id, signerKey, keyId, signer, asked } = delegate;
  await tx.query({
    name: 'wallet-signers-rename',
    text: 'update wallet_signers set signer_key = $2, key_id = $3, signer = $4, asked = $5 where id = $1',
    values: [id, signerKey, keyId, JSON.stringify(signer), JSON.stringify(asked)],
  });
}

/** What answers say was asked for, for signers by id. */
export async function updateAsked(
  db: Db,
  asked: readonly { id: string; asked: JsonObject }[],
): Promise<void> {
  if (asked.length === 0) return;
  await db.query({
    name: 'wallet-signers-asked',
    text: 'update wallet_signers s set asked = a.asked from unnest($1::uuid[], $2::jsonb[]) as a(id, asked) where s.id = a.id',
    values: [asked.map(({ id }) => id), asked.map((one) => JSON.stringify(one.asked))],
  });
}

export async function countDelegates(db: Db, walletId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'wallet-signers-count',
    text: 'select count(*)::int as count from wallet_signers where wallet_id = $1',
    values: [walletId],
  });
  return rows[0]!.count;
}

/** What is to be known of a signer on a chain from now on. */
export interface DelegateChainUpdate {
  readonly signerId: string;
  readonly chain: string;
  readonly state: ChainState;
  readonly expiresAt?: Date | undefined;
  readonly scopes: readonly TransferScope[];
  readonly asked: JsonObject;
  readonly registration?: 'open' | 'failed' | undefined;
  readonly changeId?: string | undefined;
  readonly changedAt: Date;
  readonly checkAt: Date;
}

const chainColumns =
  'signer_id, chain, state, expires_at, scopes, asked, registration, change_id, changed_at, check_at';

/** Writes what is known of signers on chains, in one statement. */
export async function saveDelegateChains(
  db: Db,
  updates: readonly DelegateChainUpdate[],
): Promise<void> {
  if (updates.length === 0) return;
  await db.query({
    name: 'wallet-signer-chains-save',
    text: `insert into wallet_signer_chains as c (${chainColumns})
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::jsonb[], $6::jsonb[], $7::text[], $8::uuid[], $9::timestamptz[], $10::timestamptz[])
      on conflict (signer_id, chain) do update set state = excluded.state, expires_at = excluded.expires_at, scopes = excluded.scopes,
        asked = excluded.asked, registration = excluded.registration, change_id = excluded.change_id, changed_at = excluded.changed_at,
        check_at = excluded.check_at, doubted_at = null`,
    values: valueListsOf(
      updates.map((one) => ({ ...one, scopes: one.scopes.map(storeScope) })),
      chainColumns,
    ),
  });
}

/** What is stored of a signer on a chain, as the base of an update. */
export function chainAsStored(
  delegate: DelegateOnChain,
  chain: string,
  now: Date,
): DelegateChainUpdate {
  const { id, onChain } = delegate;
  if (onChain) return { ...onChain, signerId: id, chain, changedAt: now, checkAt: now };
  if (!delegate.withWallet)
    return {
      signerId: id,
      chain,
      state: 'absent',
      scopes: [],
      asked: {},
      changedAt: now,
      checkAt: now,
    };
  const { expiresAt, scopes } = delegate;
  const asked = {
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    // A family with scopes in its set-ups has one network: while that has no row of its own, the
    // latest request is the first.
    ...(scopes.length === 0 ? {} : { scopes: delegate.asked['scopes'] as JsonObject[] }),
  };
  return {
    signerId: id,
    chain,
    state: 'in-force',
    expiresAt,
    scopes,
    asked,
    changedAt: now,
    checkAt: now,
  };
}

/**
 * Locks signers until the database transaction ends; answers them with what is known on these
 * chains.
 */
export async function lockDelegatesOnChains(
  tx: Tx,
  keys: readonly { signerId: string; chain: string }[],
): Promise<Map<string, DelegateOnChain>> {
  const ids = [...new Set(keys.map(({ signerId }) => signerId))];
  await tx.query({
    name: 'wallet-signers-lock-ids',
    text: 'select id from wallet_signers where id = any($1::uuid[]) order by id for no key update',
    values: [ids],
  });
  const found = await selectDelegatesOnChains(tx, keys);
  return new Map(
    found
      .map((delegate, index) => [onChainKey(keys[index]!), delegate] as const)
      .flatMap(([key, one]) => (one ? [[key, one] as const] : [])),
  );
}

export function onChainKey({ signerId, chain }: { signerId: string; chain: string }): string {
  return `${signerId} ${chain}`;
}

/** Takes rows that are due, each for `leaseMs`, for comparison with the chain. */
export async function claimDueChains(
  db: Db,
  input: { now: Date; leaseMs: number; limit: number },
): Promise<{ signerId: string; walletId: string; chain: string }[]> {
  const { rows } = await db.query<{ signer_id: string; wallet_id: string; chain: string }>({
    name: 'wallet-signer-chains-take',
    text: `update wallet_signer_chains c set check_at = $2 from wallet_signers s
      where s.id = c.signer_id and (c.signer_id, c.chain) in (
        select signer_id, chain from wallet_signer_chains where check_at <= $1 order by check_at limit $3 for update skip locked)
      returning c.signer_id, s.wallet_id, c.chain`,
    values: [input.now, new Date(input.now.getTime() + input.leaseMs), input.limit],
  });
  return rows.map((row) => ({
    signerId: row.signer_id,
    walletId: row.wallet_id,
    chain: row.chain,
  }));
}

/** Takes signers of set-ups that are due, until their next turn. */
export async function claimDueSetUps(
  db: Db,
  input: { now: Date; next: Date; limit: number },
): Promise<{ signerId: string; walletId: string }[]> {
  const { rows } = await db.query<{ id: string; wallet_id: string }>({
    name: 'wallet-signers-take',
    text: `update wallet_signers set check_at = $2 where id in (
        select id from wallet_signers where with_wallet and check_at <= $1 order by check_at limit $3 for update skip locked)
      returning id, wallet_id`,
    values: [input.now, input.next, input.limit],
  });
  return rows.map((row) => ({ signerId: row.id, walletId: row.wallet_id }));
}

/** What a comparison with the chain leaves when it changes nothing. */
export async function postponeChecks(
  db: Db,
  checks: readonly {
    signerId: string;
    chain: string;
    checkAt: Date;
    doubtedAt?: Date | undefined;
  }[],
): Promise<void> {
  if (checks.length === 0) return;
  await db.query({
    name: 'wallet-signer-chains-postpone',
    text: `update wallet_signer_chains c set check_at = n.check_at, doubted_at = n.doubted_at
      from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as n(signer_id, chain, check_at, doubted_at)
      where c.signer_id = n.signer_id and c.chain = n.chain`,
    values: [
      checks.map((c) => c.signerId),
      checks.map((c) => c.chain),
      checks.map((c) => c.checkAt),
      checks.map((c) => c.doubtedAt ?? null),
    ],
  });
}
