import type { Signer, TransferScope } from '../../chains/family.ts';
import type { Json, JsonObject } from '../../lib/json/json.ts';
import type { Db } from '../../store/types.ts';

/** What a chain enforces for a signer, as far as this service knows. */
export type ChainState = 'in-force' | 'absent' | 'different';

/** A signer that may act for a wallet on some chain. */
export interface DelegateRecord {
  readonly id: string;
  readonly walletId: string;
  readonly signer: Signer;
  /** Part of the wallet's set-up: in force on every chain that has no row of its own. */
  readonly withWallet: boolean;
  /** Of the set-up. */
  readonly expiresAt?: Date;
  /** Of the set-up, where a family has one network. */
  readonly scopes: readonly TransferScope[];
  /** `expiresAt` and `scopes` of the latest request, as sent. */
  readonly asked: JsonObject;
  readonly createdAt: Date;
}

/** What is known of a signer on one chain. */
export interface DelegateChain {
  readonly chain: string;
  readonly state: ChainState;
  readonly expiresAt?: Date;
  readonly scopes: readonly TransferScope[];
  /** `expiresAt` and `scopes` of what is in force, as sent. */
  readonly asked: JsonObject;
  /** The latest registration, unless it succeeded or nothing is left of it. */
  readonly registration?: 'open' | 'failed';
  /** Its signature request or transaction. */
  readonly changeId?: string;
  readonly changedAt: Date;
  /** The chain said otherwise then. */
  readonly doubtedAt?: Date;
}

/** A signer and what is known of it on the chain that was asked for. */
export interface DelegateOnChain extends DelegateRecord {
  readonly onChain?: DelegateChain;
}

interface DelegateRow {
  id: string;
  wallet_id: string;
  signer: Signer;
  with_wallet: boolean;
  expires_at: Date | null;
  set_up_scopes: readonly StoredScope[];
  asked: JsonObject;
  created_at: Date;
}

interface ChainRow {
  chain: string;
  state: ChainState;
  chain_expires_at: Date | null;
  scopes: readonly StoredScope[];
  chain_asked: JsonObject;
  registration: 'open' | 'failed' | null;
  change_id: string | null;
  changed_at: Date;
  doubted_at: Date | null;
}

const delegateColumns =
  's.id, s.wallet_id, s.signer, s.with_wallet, s.expires_at, s.scopes as set_up_scopes, s.asked, s.created_at';
const chainColumns =
  'c.chain, c.state, c.expires_at as chain_expires_at, c.scopes, c.asked as chain_asked, c.registration, c.change_id, c.changed_at, c.doubted_at';

function toDelegate(row: DelegateRow): DelegateRecord {
  return {
    id: row.id,
    walletId: row.wallet_id,
    signer: row.signer,
    withWallet: row.with_wallet,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    scopes: row.set_up_scopes.map(readScope),
    asked: row.asked,
    createdAt: row.created_at,
  };
}

function toChain(row: ChainRow): DelegateChain {
  return {
    chain: row.chain,
    state: row.state,
    ...(row.chain_expires_at === null ? {} : { expiresAt: row.chain_expires_at }),
    scopes: row.scopes.map(readScope),
    asked: row.chain_asked,
    ...(row.registration === null ? {} : { registration: row.registration }),
    ...(row.change_id === null ? {} : { changeId: row.change_id }),
    changedAt: row.changed_at,
    ...(row.doubted_at === null ? {} : { doubtedAt: row.doubted_at }),
  };
}

/** A scope as JSON: a bigint has none, so the limit is text. */
type StoredScope = JsonObject &
  Omit<TransferScope, 'spendingLimit'> & {
    readonly spendingLimit?: { readonly amountMinor: string; readonly intervalSeconds?: number };
  };

export function storeScope({ spendingLimit, ...scope }: TransferScope): Json {
  return {
    ...(scope as unknown as JsonObject),
    ...(spendingLimit === undefined
      ? {}
      : { spendingLimit: { ...spendingLimit, amountMinor: spendingLimit.amountMinor.toString() } }),
  };
}

export function readScope({ spendingLimit, ...scope }: StoredScope): TransferScope {
  return {
    ...scope,
    ...(spendingLimit === undefined
      ? {}
      : { spendingLimit: { ...spendingLimit, amountMinor: BigInt(spendingLimit.amountMinor) } }),
  };
}

/** The signer of a wallet by its canonical locator, with what is known of it on one chain. */
export async function selectDelegateOnChain(
  db: Db,
  key: { walletId: string; signerKey: string; chain: string },
): Promise<DelegateOnChain | undefined> {
  const { rows } = await db.query<DelegateRow & (ChainRow | { chain: null })>({
    name: 'wallet-signers-on-chain',
    text: `select ${delegateColumns}, ${chainColumns} from wallet_signers s
      left join wallet_signer_chains c on c.signer_id = s.id and c.chain = $3
      where s.wallet_id = $1 and s.signer_key = $2`,
    values: [key.walletId, key.signerKey, key.chain],
  });
  const row = rows[0];
  return row && { ...toDelegate(row), ...(row.chain === null ? {} : { onChain: toChain(row) }) };
}

/** Signers by id, each with what is known of it on one chain; in the order of the keys. */
export async function selectDelegatesOnChains(
  db: Db,
  keys: readonly { signerId: string; chain: string }[],
): Promise<(DelegateOnChain | undefined)[]> {
  const { rows } = await db.query<
    DelegateRow & (ChainRow | { chain: null }) & { asked_chain: string }
  >({
    name: 'wallet-signers-on-chains',
    text: `select ${delegateColumns}, ${chainColumns}, k.chain as asked_chain from unnest($1::uuid[], $2::text[]) as k(signer_id, chain)
      join wallet_signers s on s.id = k.signer_id
      left join wallet_signer_chains c on c.signer_id = s.id and c.chain = k.chain`,
    values: [keys.map(({ signerId }) => signerId), keys.map(({ chain }) => chain)],
  });
  return keys.map(({ signerId, chain }) => {
    const row = rows.find((one) => one.id === signerId && one.asked_chain === chain);
    return row && { ...toDelegate(row), ...(row.chain === null ? {} : { onChain: toChain(row) }) };
  });
}

export interface DelegateWithChains extends DelegateRecord {
  readonly chains: readonly DelegateChain[];
}

/**
 * Signers that a wallet may have had in all its life: a list that is read whole has to have an end.
 */
export const delegatesMax = 200;

/** Signers of a wallet, oldest first, with every chain of which something is known; the id narrows to one,
 * a locator's key and a key's id to those that have either: read at once, for they may be one signer. */
export async function selectDelegates(
  db: Db,
  filter: { walletId: string; signerKey?: string; keyId?: string; id?: string },
): Promise<DelegateWithChains[]> {
  const { rows } = await db.query<DelegateRow & (ChainRow | { chain: null })>({
    name: 'wallet-signers-list',
    text: `select ${delegateColumns}, ${chainColumns} from (
        select * from wallet_signers where wallet_id = $1 and (($2::text is null and $3::text is null) or signer_key = $2 or key_id = $3) and ($4::uuid is null or id = $4)
        order by created_at, id limit ${delegatesMax}) s
      left join wallet_signer_chains c on c.signer_id = s.id
      order by s.created_at, s.id, c.chain`,
    values: [filter.walletId, filter.signerKey ?? null, filter.keyId ?? null, filter.id ?? null],
  });
  const found = new Map<string, DelegateRecord & { chains: DelegateChain[] }>();
  for (const row of rows) {
    const delegate = found.get(row.id) ?? { ...toDelegate(row), chains: [] };
    found.set(row.id, delegate);
    if (row.chain !== null) delegate.chains.push(toChain(row));
  }
  return [...found.values()];
}

/**
 * Of an added signer something must be left on some chain; one of the set-up is on every chain that
 * does not say otherwise.
 */
export function isThere(
  delegate: DelegateWithChains,
  usableChains: () => readonly string[],
): boolean {
  if (
    delegate.chains.some(
      ({ state, registration }) => state !== 'absent' || registration !== undefined,
    )
  )
    return true;
  if (!delegate.withWallet) return false;
  const gone = new Set(delegate.chains.map(({ chain }) => chain));
  return gone.size === 0 || usableChains().some((chain) => !gone.has(chain));
}
