import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import {
  chainAsStored,
  countDelegates,
  delegatesMax,
  insertDelegate,
  isThere,
  lockDelegates,
  renameDelegate,
  saveDelegateChains,
  selectDelegates,
  signerKeyOf,
  usableChains,
} from '../wallets/index.ts';
import { type Addition, isSameRequest, refuseInForce } from './addition.ts';
import { signerChangeMachine } from './machine.ts';
import { ChangedMeanwhile } from './open-change.ts';
import { insertChange, moveChanges, type SignerChange, selectOpenChange } from './store.ts';

/** Looked at at the latest when nothing was heard: an approval may take hours. */
const firstCheckMs = 3_600_000;

/**
 * Stores a registration together with its object: the signer, the change that is under way, and what is now known of the
 * chain. The signer's row is locked first, so that calls which arrive together take turns.
 * @returns the signer's id.
 * @throws ChangedMeanwhile when another call was faster; signer-already-exists, validation-error (too many signers)
 */
export async function storeAddition(
  ctx: RequestCtx,
  tx: Tx,
  addition: Addition,
  object: Pick<SignerChange, 'id' | 'status' | 'createdAt' | 'validUntil'>,
): Promise<string> {
  const { wallet, chain, signer, signerKey, keyId, asked, scopes, expiresAt } = addition;
  const family = ctx.chains.family(wallet.chainType);
  const now = ctx.clock.now();
  if ((await countDelegates(tx, wallet.id)) >= delegatesMax) await refuseNewSigner(tx, addition);
  await insertDelegate(tx, { id: ctx.ids.uuid(), walletId: wallet.id, signerKey, keyId, signer, asked, now });
  const ids = await lockDelegates(tx, { walletId: wallet.id, signerKey, keyId });
  const [delegate] = ids.length === 1 ? await selectDelegates(tx, { walletId: wallet.id, id: ids[0]! }) : [];
  // Two rows: the key was a signer under another name, and the name another key. Both are gone, and neither may come back.
  if (!delegate) throw new ServiceError('validation-error', { message: 'signer: this id belonged to another key. Use another id.' });
  const sameName = signerKeyOf(family, delegate.signer) === signerKey;
  if (!sameName && isThere(delegate, () => usableChains(family))) throw new ChangedMeanwhile();
  refuseInForce(family, delegate, addition);
  const open = await selectOpenChange(tx, { signerId: delegate.id, chain, kind: 'add' });
  if (open && isSameRequest(ctx, open, addition)) throw new ChangedMeanwhile();
  if (open) await moveChanges(tx, [{ id: open.id, from: open.status, to: move(signerChangeMachine, open.status, 'replaced') }]);
  await renameDelegate(tx, { id: delegate.id, signerKey, keyId, signer, asked });
  await insertChange(tx, {
    ...object,
    signerId: delegate.id,
    walletId: wallet.id,
    chain,
    kind: 'add',
    flow: addition.flow,
    approver: signerKeyOf(family, addition.approver),
    asked,
    scopes,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  const onChain = delegate.chains.find((row) => row.chain === chain);
  const before = chainAsStored({ ...delegate, ...(onChain === undefined ? {} : { onChain }) }, chain, now);
  await saveDelegateChains(tx, [{ ...before, registration: 'open', changeId: object.id, checkAt: new Date(now.getTime() + firstCheckMs) }]);
  return delegate.id;
}

/** A wallet's signers are read as one list, so there is an end to them; one that it knows may still get new settings. */
async function refuseNewSigner(tx: Tx, { wallet, keyId }: Addition): Promise<void> {
  const [known] = await selectDelegates(tx, { walletId: wallet.id, keyId });
  if (!known)
    throw new ServiceError('validation-error', {
      message: `A wallet can have ${delegatesMax} delegated signers in all its life, removed ones included: create another wallet.`,
    });
}
