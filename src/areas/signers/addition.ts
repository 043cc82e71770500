import { factsOf } from '../../chains/families.ts';
import {
  type Addresses,
  type ChainFamily,
  type Delegate,
  isQuorum,
  type Signer,
} from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import {
  chainAsStored,
  countDelegates,
  type DelegateWithChains,
  delegatesMax,
  insertDelegate,
  isThere,
  keyIdOf,
  liftTerms,
  lockDelegates,
  readSigner,
  readTerms,
  recoveryMethodsOf,
  refuseRecoveryMethod,
  renameDelegate,
  saveDelegateChains,
  selectDelegates,
  signerKeyOf,
  signerView,
  termsOn,
  usableChains,
  type WalletRecord,
} from '../wallets/index.ts';
import { type SignerInput, signerInputSchema } from '../wallets/schema.ts';
import { chooseApprover, requireChain } from './find.ts';
import { signerChangeMachine } from './machine.ts';
import { ChangedMeanwhile } from './open-change.ts';
import type { AddSignerBody } from './schema.ts';
import { insertChange, moveChanges, type SignerChange, selectOpenChange } from './store.ts';

/** What a request to add a signer asks for, once it is read. */
export interface Addition extends Terms {
  readonly wallet: WalletRecord;
  readonly chain: string;
  readonly signer: Signer;
  readonly signerKey: string;
  readonly keyId: string;
  readonly approver: Signer;
  readonly flow: SignerChange['flow'];
  /** `expiresAt` and `scopes` as sent. */
  readonly asked: JsonObject;
}

/** Reads a request to add a signer. @throws as {@link addSigner} */
export async function readAddition(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; body: AddSignerBody },
): Promise<Addition> {
  const { wallet } = input;
  if (wallet.type !== 'smart')
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
      message: 'Only smart wallets have delegated signers.',
    });
  const body = liftTerms(input.body, 'signer');
  const family = ctx.chains.family(wallet.chainType);
  const chain = requireChain(ctx, wallet, body.chain);
  const approver = chooseApprover(ctx, wallet, body.approver);
  const signer = await readSigner(ctx, family, await knownSigner(ctx, wallet, body.signer), {
    place: 'signer',
    role: 'delegated',
  });
  refuseRecoveryMethod(family, recoveryMethodsOf(wallet), signer, 'signer');
  if (
    signer.address !== undefined &&
    family.canonicalAddress(signer.address) === family.canonicalAddress(wallet.address)
  )
    throw new ServiceError('validation-error', {
      message: 'signer: is the wallet itself, which cannot sign for itself. Name another signer.',
    });
  const terms = await readTerms(ctx, family, { ...body, chain });
  const keyId = keyIdOf(family, signer);
  const named = await nameQuorum(ctx, wallet, signer, keyId);
  return {
    ...terms,
    wallet,
    chain,
    signer: named,
    signerKey: signerKeyOf(family, named),
    keyId,
    approver,
    flow:
      !factsOf(wallet.chainType).severalNetworks || body.deployImmediately === true
        ? 'transaction'
        : 'signature',
  };
}

/**
 * A passkey or quorum that the wallet knows from another chain may be named by its locator alone.
 */
async function knownSigner(
  ctx: RequestCtx,
  wallet: WalletRecord,
  signer: string | SignerInput,
): Promise<string | SignerInput> {
  if (typeof signer !== 'string' || !/^(passkey|quorum):/.test(signer)) return signer;
  const [known] = await selectDelegates(ctx.store, { walletId: wallet.id, signerKey: signer });
  return known ? signerInputSchema.parse(signerView(known.signer)) : signer;
}

/** The same members with the same threshold are the same quorum, which has its locator already. */
async function nameQuorum(
  ctx: RequestCtx,
  wallet: WalletRecord,
  signer: Signer,
  keyId: string,
): Promise<Signer> {
  if (!isQuorum(signer)) return signer;
  const [known] = await selectDelegates(ctx.store, { walletId: wallet.id, keyId });
  return known ? { ...signer, locator: known.signer.locator } : signer;
}

/**
 * @throws signer-already-exists when the chain has it with these very settings; an expired one
 * never has those of a request
 */
export function refuseInForce(
  family: ChainFamily,
  known: Pick<DelegateWithChains, 'withWallet' | 'expiresAt' | 'scopes' | 'chains'>,
  wanted: Addition,
): void {
  const terms = termsOn(
    known,
    known.chains.find(({ chain }) => chain === wanted.chain),
  );
  if (terms && termsKey(family, terms) === termsKey(family, wanted))
    throw new ServiceError('signer-already-exists');
}

/** Whether a registration that is under way is what is wanted. */
export function isSameRequest(ctx: RequestCtx, change: SignerChange, wanted: Addition): boolean {
  const family = ctx.chains.family(wanted.wallet.chainType);
  return (
    change.flow === wanted.flow &&
    change.approver === signerKeyOf(family, wanted.approver) &&
    termsKey(family, change) === termsKey(family, wanted)
  );
}

/** Looked at at the latest when nothing was heard: an approval may take hours. */
const firstCheckMs = 3_600_000;

/**
 * Stores a registration together with its object: the signer, the change that is under way, and
 * what is now known of the chain. The signer's row is locked first, so that calls which arrive
 * together take turns.
 * @returns the signer's id.
 * @throws ChangedMeanwhile when another call was faster; signer-already-exists, validation-error
 * (too many signers)
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
  await insertDelegate(tx, {
    id: ctx.ids.uuid(),
    walletId: wallet.id,
    signerKey,
    keyId,
    signer,
    asked,
    now,
  });
  const ids = await lockDelegates(tx, { walletId: wallet.id, signerKey, keyId });
  const [delegate] =
    ids.length === 1 ? await selectDelegates(tx, { walletId: wallet.id, id: ids[0]! }) : [];
  // Two rows: the key was a signer under another name, and the name another key. Both are gone, and
  // neither may come back.
  if (!delegate)
    throw new ServiceError('validation-error', {
      message: 'signer: this id belonged to another key. Use another id.',
    });
  const sameName = signerKeyOf(family, delegate.signer) === signerKey;
  if (!sameName && isThere(delegate, () => usableChains(family))) throw new ChangedMeanwhile();
  refuseInForce(family, delegate, addition);
  const open = await selectOpenChange(tx, { signerId: delegate.id, chain, kind: 'add' });
  if (open && isSameRequest(ctx, open, addition)) throw new ChangedMeanwhile();
  if (open)
    await moveChanges(tx, [
      { id: open.id, from: open.status, to: move(signerChangeMachine, open.status, 'replaced') },
    ]);
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
  const before = chainAsStored(
    { ...delegate, ...(onChain === undefined ? {} : { onChain }) },
    chain,
    now,
  );
  await saveDelegateChains(tx, [
    {
      ...before,
      registration: 'open',
      changeId: object.id,
      checkAt: new Date(now.getTime() + firstCheckMs),
    },
  ]);
  return delegate.id;
}

/**
 * A wallet's signers are read as one list, so there is an end to them; one that it knows may still
 * get new settings.
 */
async function refuseNewSigner(tx: Tx, { wallet, keyId }: Addition): Promise<void> {
  const [known] = await selectDelegates(tx, { walletId: wallet.id, keyId });
  if (!known)
    throw new ServiceError('validation-error', {
      message: `A wallet can have ${delegatesMax} delegated signers in all its life, removed ones included: create another wallet.`,
    });
}

/** Until when a delegated signer may act, and what it may do. */
export type Terms = Pick<Delegate, 'expiresAt' | 'scopes'>;

/**
 * Equal for terms that mean the same: in any order of scopes and recipients, in any spelling of
 * addresses.
 */
export function termsKey(family: Addresses, { expiresAt, scopes }: Terms): string {
  const parts = scopes.map(({ token, recipients, spendingLimit }) =>
    JSON.stringify([
      token.address === undefined ? null : family.canonicalAddress(token.address),
      recipients === undefined
        ? null
        : [...new Set(recipients.map((recipient) => family.canonicalAddress(recipient)))].sort(),
      spendingLimit?.amountMinor.toString() ?? null,
      spendingLimit?.intervalSeconds ?? null,
    ]),
  );
  return JSON.stringify([
    expiresAt === undefined ? null : Math.floor(expiresAt.getTime() / 1_000),
    parts.sort(),
  ]);
}
