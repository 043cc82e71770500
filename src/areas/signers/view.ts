import { factsOf } from '../../chains/families.ts';
import type { Ctx } from '../../context.ts';
import type { Json } from '../../lib/json/json.ts';
import { getSignaturesById, signatureView } from '../signatures/index.ts';
import { getTransactionsById, transactionView } from '../transactions/index.ts';
import {
  type DelegateChain,
  type DelegateWithChains,
  delegateView,
  selectDelegates,
  usableChains,
  type WalletRecord,
} from '../wallets/index.ts';
import { type SignerChange, selectChanges } from './store.ts';

type Entry = Record<string, Json | undefined>;

/**
 * The delegated signer of the interface: with one entry per chain, or where a family has one chain
 * with the transaction that registers it. Never carries a key `error` (supplement, section 19).
 */
export async function showSigner(
  ctx: Ctx,
  wallet: WalletRecord,
  delegate: DelegateWithChains,
): Promise<Entry> {
  const registering = delegate.chains.flatMap(({ registration, changeId }) =>
    registration && changeId ? [changeId] : [],
  );
  const changes = await selectChanges(ctx.store, registering);
  const objects = await loadChangeObjects(ctx, wallet.id, changes);
  const shown = delegateView(delegate);
  if (factsOf(wallet.chainType).severalNetworks)
    return { ...shown, chains: chainEntries(ctx, wallet, delegate, objects) };
  const [registered] = delegate.chains.flatMap(({ changeId }) =>
    changeId === undefined ? [] : (objects.get(changeId) ?? []),
  );
  return {
    ...shown,
    ...(registered === undefined ? {} : { transaction: registered.view as Json }),
  };
}

function chainEntries(
  ctx: Ctx,
  wallet: WalletRecord,
  delegate: DelegateWithChains,
  objects: ReadonlyMap<string, ChangeObject>,
): Record<string, Json> {
  const entries: Record<string, Json> = {};
  // A chain without an entry is one without the signer: what is true of all others has to be
  // written out.
  if (delegate.withWallet && delegate.chains.length > 0)
    for (const chain of usableChains(ctx.chains.family(wallet.chainType)))
      entries[chain] = { status: 'success' };
  for (const row of delegate.chains) {
    const entry = chainEntry(
      row,
      row.changeId === undefined ? undefined : objects.get(row.changeId),
    );
    if (entry) entries[row.chain] = entry;
    else delete entries[row.chain];
  }
  return entries;
}

/** Undefined: not registered there. */
function chainEntry(
  { state, registration, changeId }: DelegateChain,
  object: ChangeObject | undefined,
): Json | undefined {
  if (registration === 'open' && object && object.status !== 'failed') return objectEntry(object);
  if (state === 'in-force') return { status: 'success' };
  if (registration !== undefined && object) return objectEntry(object, 'failed');
  // The chain has it with settings that were never asked for here: what was asked for is not there.
  return state === 'different' || registration !== undefined
    ? { status: 'failed', id: changeId }
    : undefined;
}

/** A transaction is shown whole, a signature request by what is needed to approve it. */
function objectEntry({ status, view }: ChangeObject, shown: ChangeObject['status'] = status): Json {
  if (shown === 'success') return { status: 'success' };
  if ('onChain' in view) return { ...view, status: shown } as Json;
  return { status: shown, id: view['id'] as string, approvals: view['approvals'] as Json };
}

/** The signature request or transaction behind a change, as answers show it. */
export interface ChangeObject {
  readonly status: 'awaiting-approval' | 'pending' | 'success' | 'failed';
  readonly view: Readonly<Record<string, Json | undefined>>;
}

/** The objects of changes of one wallet, by id. */
export async function loadChangeObjects(
  ctx: Pick<Ctx, 'store'>,
  walletId: string,
  changes: readonly Pick<SignerChange, 'id' | 'flow'>[],
): Promise<ReadonlyMap<string, ChangeObject>> {
  const idsOf = (flow: SignerChange['flow']) =>
    changes.filter((change) => change.flow === flow).map(({ id }) => id);
  const [signatures, transactions] = await Promise.all([
    getSignaturesById(ctx, { walletId, ids: idsOf('signature') }),
    getTransactionsById(ctx, { walletId, ids: idsOf('transaction') }),
  ]);
  return new Map([
    ...signatures.map(
      (record) => [record.id, { status: record.status, view: signatureView(record) }] as const,
    ),
    ...transactions.map(
      (record) => [record.id, { status: record.status, view: transactionView(record) }] as const,
    ),
  ]);
}

/** What a signature request or transaction would change of a wallet's delegated signers. */
export interface ShownChange {
  readonly kind: 'add' | 'remove';
  /** The signer as answers show it; of an addition with `expiresAt` and `scopes` as sent. */
  readonly signer: Record<string, Json | undefined>;
}

/**
 * @param id of the signature request or transaction
 * @returns undefined when it changes no signer
 */
export async function readSignerChange(
  ctx: Pick<Ctx, 'store'>,
  { walletId, id }: { readonly walletId: string; readonly id: string },
): Promise<ShownChange | undefined> {
  const change = (await selectChanges(ctx.store, [id])).find(
    (found) => found.walletId === walletId,
  );
  const [delegate] = change
    ? await selectDelegates(ctx.store, { walletId, id: change.signerId })
    : [];
  return (
    change &&
    delegate && {
      kind: change.kind,
      signer: delegateView({ signer: delegate.signer, asked: change.asked }),
    }
  );
}
