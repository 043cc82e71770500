import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';

export interface LinkedWalletKey {
  readonly projectId: string;
  readonly walletHash: Buffer;
}

/** A linked wallet with what is needed to open it. */
export interface LinkedWalletRow extends LinkedWalletKey {
  readonly userId: string;
  /** Whose it is, whichever of a person's users it hangs on. */
  readonly personId: string;
  readonly sealedKey: Buffer;
  readonly sealedWallet: Buffer;
  readonly version: number;
  /**
   * Name of the one chain that a contract's proof holds on; empty: a claim, or the proof of a key.
   */
  readonly chainScope: string;
  readonly verifiedAt?: Date;
}

/** Every row of a wallet, the last changed first: at most one of each chain scope. */
export async function selectLinkedWallets(
  db: Db,
  key: LinkedWalletKey,
): Promise<LinkedWalletRow[]> {
  const { rows } = await db.query<RowOf<LinkedWalletRow>>({
    name: 'linked-wallets-by-hash',
    text: `select w.project_id, w.wallet_hash, w.user_id, u.person_id, u.sealed_key, w.sealed_wallet, w.version, w.chain_scope, w.verified_at
      from linked_wallets w join users u on u.id = w.user_id where w.project_id = $1 and w.wallet_hash = $2
      order by w.updated_at desc, w.chain_scope`,
    values: [key.projectId, key.walletHash],
  });
  return rows.map((row) => readRow<LinkedWalletRow>(row));
}

/**
 * The row that says whose a wallet is on a chain: what was proved there, else what holds
 * everywhere.
 */
export async function selectLinkedWallet(
  db: Db,
  key: LinkedWalletKey & { readonly chain: string },
): Promise<LinkedWalletRow | undefined> {
  const rows = await selectLinkedWallets(db, key);
  return (
    rows.find(({ chainScope }) => chainScope === key.chain) ??
    rows.find(({ chainScope }) => chainScope === '')
  );
}

/** As the statements below number them. */
const numbered = 'project_id, wallet_hash, user_id, sealed_wallet, version, now';

export interface NewLinkedWallet extends LinkedWalletKey {
  readonly userId: string;
  readonly sealedWallet: Buffer;
  readonly version: number;
  readonly now: Date;
}

/** False when somebody has the wallet: the primary key decides between simultaneous calls. */
export async function insertLinkedWallet(tx: Tx, row: NewLinkedWallet): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'linked-wallets-insert',
    text: `insert into linked_wallets (project_id, wallet_hash, user_id, sealed_wallet, version, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6) on conflict do nothing`,
    values: valuesOf(row, numbered),
  });
  return rowCount === 1;
}

/** False when the row was changed meanwhile. */
export async function updateLinkedWallet(
  tx: Tx,
  row: NewLinkedWallet & { readonly versionBefore: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'linked-wallets-update',
    text: `update linked_wallets set user_id = $3, sealed_wallet = $4, version = $5, updated_at = $6
      where project_id = $1 and wallet_hash = $2 and chain_scope = '' and version = $7`,
    values: valuesOf(row, `${numbered}, version_before`),
  });
  return rowCount === 1;
}

/**
 * Gives a wallet to whoever proved with its key that it is theirs: a claim without proof gives way,
 * a proven one does not. False when the row is not as it was read.
 */
export async function putVerifiedWallet(
  tx: Tx,
  row: NewLinkedWallet & { readonly versionBefore: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'linked-wallets-verify',
    text: `insert into linked_wallets as w (project_id, wallet_hash, user_id, sealed_wallet, version, verified_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6, $6)
      on conflict (project_id, wallet_hash, chain_scope) do update set user_id = excluded.user_id, sealed_wallet = excluded.sealed_wallet,
        version = excluded.version, verified_at = excluded.verified_at, updated_at = excluded.updated_at
        where w.version = $7 and w.verified_at is null`,
    values: valuesOf(row, `${numbered}, version_before`),
  });
  return rowCount === 1;
}

/** Stores what a contract said on its chain. False when somebody has the wallet on that chain. */
export async function insertChainProof(
  tx: Tx,
  row: NewLinkedWallet & { readonly chainScope: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'linked-wallets-chain-proof',
    text: `insert into linked_wallets
      (project_id, wallet_hash, user_id, sealed_wallet, version, chain_scope, verified_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $7, $6, $6, $6) on conflict do nothing`,
    values: valuesOf(row, `${numbered}, chain_scope`),
  });
  return rowCount === 1;
}

/** Makes what was proved on a chain the last changed row of its wallet. */
export async function touchChainProof(
  tx: Tx,
  key: LinkedWalletKey & { readonly chainScope: string; readonly now: Date },
): Promise<void> {
  await tx.query({
    text: 'update linked_wallets set updated_at = $4 where project_id = $1 and wallet_hash = $2 and chain_scope = $3',
    values: [key.projectId, key.walletHash, key.chainScope, key.now],
  });
}

/** Removes a claim without proof. False when the row is not as it was read. */
export async function deleteClaim(tx: Tx, row: LinkedWalletRow): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `delete from linked_wallets
      where project_id = $1 and wallet_hash = $2 and chain_scope = '' and version = $3 and verified_at is null`,
    values: [row.projectId, row.walletHash, row.version],
  });
  return rowCount === 1;
}

export async function countLinkedWallets(db: Db, personId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'linked-wallets-count',
    text: `select count(*)::int as count from linked_wallets w join users u on u.id = w.user_id where u.person_id = $1`,
    values: [personId],
  });
  return rows[0]!.count;
}

export interface ChallengeRow extends LinkedWalletKey {
  readonly id: string;
  readonly userId: string;
  readonly sealedKey: Buffer;
  readonly sealedChallenge: Buffer;
  readonly expiresAt: Date;
}

/** Challenges of a person for a wallet that can still be signed, the longest-lived first. */
export async function selectOpenChallenges(
  db: Db,
  key: { readonly personId: string; readonly walletHash: Buffer; readonly now: Date },
): Promise<ChallengeRow[]> {
  const { rows } = await db.query<RowOf<ChallengeRow>>({
    name: 'linked-wallets-challenges',
    text: `select c.id, c.project_id, c.user_id, c.wallet_hash, u.sealed_key, c.sealed_challenge, c.expires_at
      from users u join linked_wallet_challenges c on c.user_id = u.id
      where u.person_id = $1 and c.wallet_hash = $2 and c.expires_at > $3 order by c.expires_at desc limit 10`,
    values: [key.personId, key.walletHash, key.now],
  });
  return rows.map((row) => readRow<ChallengeRow>(row));
}

const challengeColumns =
  'id, project_id, wallet_hash, user_id, sealed_challenge, created_at, expires_at';

export async function insertChallenge(
  tx: Tx,
  row: Omit<ChallengeRow, 'sealedKey'> & { readonly createdAt: Date },
): Promise<void> {
  await tx.query({
    name: 'linked-wallets-insert-challenge',
    text: `insert into linked_wallet_challenges (${challengeColumns})
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: valuesOf(row, challengeColumns),
  });
}

/** Uses a challenge up. False when it was used or has expired. */
export async function claimChallenge(
  tx: Tx,
  input: { readonly id: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'linked-wallets-take-challenge',
    text: 'delete from linked_wallet_challenges where id = $1 and expires_at > $2',
    values: [input.id, input.now],
  });
  return rowCount === 1;
}

/** Once a wallet is proven, nothing that anybody was asked to sign for it counts any more. */
export async function deleteChallengesOfWallet(tx: Tx, key: LinkedWalletKey): Promise<void> {
  await tx.query({
    text: 'delete from linked_wallet_challenges where wallet_hash = $2 and project_id = $1',
    values: [key.projectId, key.walletHash],
  });
}

/** Removes up to `limit` challenges that expired before `before`. */
export async function deleteExpiredChallenges(
  db: Db,
  input: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    text: `delete from linked_wallet_challenges where id in
      (select id from linked_wallet_challenges where expires_at < $1 order by expires_at limit $2)`,
    values: [input.before, input.limit],
  });
  return rowCount;
}
